"""Raw group records, and the numbers taken from their samples."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from splyce_bench.files import read_json
from splyce_bench.stats import Estimate, estimate_median

Record = dict[str, Any]


def load_records(paths: Iterable[Path]) -> list[Record]:
    """Read group records."""
    return [read_json(path) for path in paths]


def measured(record: Record, pipeline: str) -> bool:
    """True when the cell was measured."""
    cell = record["cells"].get(pipeline)
    return cell is not None and cell["outcome"] == "measured"


def times(record: Record, pipeline: str, field: str = "kernel_ns") -> dict[int, float]:
    """Return nanoseconds a call by repetition, warm-ups left out."""
    return {
        sample["repetition"]: sample[field]
        for sample in record["samples"]
        if sample["pipeline"] == pipeline and not sample["warmup"]
    }


def paired_ratio(record: Record, pipeline: str, reference: str) -> Estimate | None:
    """Return reference time / pipeline time within repetitions; None where there is no ratio.

    A pipeline that had to rewrite a loop and did not is the reference under another name, and a
    time of zero is no time: neither has a speedup.
    """
    if not (measured(record, pipeline) and measured(record, reference)):
        return None
    if not did_its_work(record, pipeline):
        return None
    mine, other = times(record, pipeline), times(record, reference)
    shared = sorted(mine.keys() & other.keys())
    if not shared or min(mine[r] for r in shared) <= 0 or min(other[r] for r in shared) <= 0:
        return None
    ratios = [other[r] / mine[r] for r in shared]
    return estimate_median(ratios, record["settings"]["confidence"])


def did_its_work(record: Record, pipeline: str) -> bool:
    """False when the pipeline promised to rewrite a loop of this kernel and rewrote none."""
    compiled = record["compiled"][pipeline]
    promise = compiled["pipeline"].get("rewrites", {})
    wanted = promise.get(record["kernel"], promise.get("*"))
    return not wanted or wanted == "changed" or compiled["rewritten"] == wanted

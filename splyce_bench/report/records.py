"""Raw group records, and the numbers taken from their samples."""

import math
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from splyce_bench.errors import UserError
from splyce_bench.files import read_json
from splyce_bench.measure.outcomes import FAILED
from splyce_bench.measure.task import RECORD_SCHEMA
from splyce_bench.stats import Estimate, estimate_over_processes

Record = dict[str, Any]


def load_records(paths: Iterable[Path]) -> list[Record]:
    """Read group records; UserError for a file that is none of this version."""
    return [_load(path) for path in paths]


def _load(path: Path) -> Record:
    try:
        record: Record = read_json(path)
        found = record["schema"]
    except (ValueError, TypeError, KeyError):
        raise UserError(
            f"{path}: not the record of a group; remove it, and the same snakemake command "
            "measures the group again"
        ) from None
    if found != RECORD_SCHEMA:
        raise UserError(
            f"{path}: a record of version {found}, expected {RECORD_SCHEMA}; remove it to measure "
            "the group again, or read it with the commit in its 'provenance'"
        )
    return record


def records_of(run: Path) -> list[Record]:
    """Read every group record of a results folder."""
    return load_records(sorted((run / "raw").rglob("*.json")))


def all_records_of(run: Path) -> list[Record]:
    """Read every group record of a results folder, those set aside for a failed cell too."""
    raw = {path.relative_to(run): path for path in (run / "raw").rglob("*.json")}
    for path in sorted((run / FAILED / "raw").rglob("*.json"), key=_number):
        group, _, _ = path.stem.rpartition("-")
        place = path.relative_to(run / FAILED).with_name(f"{group}.json")
        if not (run / place).exists():
            raw[place] = path
    return load_records(raw[place] for place in sorted(raw))


def _number(set_aside: Path) -> int:
    """Return which attempt at its group a record is: the last one counts."""
    return int(set_aside.stem.rpartition("-")[2])


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
    time of zero is no time: neither has a speedup. What was measured apart has no pairs.
    """
    if is_apart(record, pipeline) or is_apart(record, reference):
        return None
    if not (measured(record, pipeline) and measured(record, reference)):
        return None
    if not did_its_work(record, pipeline):
        return None
    ratios = pairs(record, pipeline, reference)
    return estimate(record, pipeline, ratios) if ratios else None


def estimate(record: Record, pipeline: str, values: dict[int, float]) -> Estimate:
    """Return the median of a pipeline's values by repetition, over the processes of its samples."""
    mine = [s for s in record["samples"] if s["pipeline"] == pipeline]
    # A library has one process, and its samples do not say so.
    process = {s["repetition"]: s.get("process", 0) for s in mine}
    processes: dict[int, list[float]] = {}
    for repetition, value in values.items():
        processes.setdefault(process[repetition], []).append(value)
    return estimate_over_processes(list(processes.values()), record["settings"]["confidence"])


def is_apart(record: Record, pipeline: str) -> bool:
    """True for a library, which was measured in a process of its own, after the others."""
    return pipeline in record.get("apart", {})


def unpaired_ratio(record: Record, pipeline: str, reference: str) -> Estimate | None:
    """Return the ratio of two median times measured apart; its interval is that of both."""
    if not (measured(record, pipeline) and measured(record, reference)):
        return None
    mine, other = (estimate(record, name, times(record, name)) for name in (pipeline, reference))
    if min(mine.low, mine.value) <= 0:
        return Estimate(other.value / mine.value, 0.0, math.inf, mine.count)
    ends = other.low / mine.high, other.high / mine.low
    return Estimate(other.value / mine.value, *ends, min(mine.count, other.count))


def pairs(record: Record, pipeline: str, reference: str) -> dict[int, float]:
    """Return reference time / pipeline time by repetition; none where a time is zero."""
    mine, other = times(record, pipeline), times(record, reference)
    shared = sorted(mine.keys() & other.keys())
    if any(mine[r] <= 0 or other[r] <= 0 for r in shared):
        return {}
    return {r: other[r] / mine[r] for r in shared}


def did_its_work(record: Record, pipeline: str) -> bool:
    """False when the pipeline promised to rewrite a loop of this kernel and rewrote none."""
    compiled = record["compiled"][pipeline]
    promise = compiled["pipeline"].get("rewrites", {})
    wanted = promise.get(record["kernel"], promise.get("*"))
    return not wanted or wanted == "changed" or compiled["rewritten"] == wanted

"""One row a cell: what every table, figure and headline is made from."""

import math
from collections.abc import Iterable, Sequence
from typing import Any

import pandas as pd

from splyce_bench.report.cell_verdict import cell_verdict
from splyce_bench.report.records import (
    Record,
    estimate,
    is_apart,
    measured,
    paired_ratio,
    pairs,
    times,
    unpaired_ratio,
)
from splyce_bench.stability import drift, two_modes
from splyce_bench.stats import Estimate

COMPILER, BY_HAND, LIBRARY = "compiler", "by hand", "library"

# What readers may rely on, also where an experiment has no group.
NEVER_MISSING = ["experiment", "kernel", "input", "density_pct", "matrix", "cores", "pipeline"]
NEVER_MISSING += ["baseline", "outcome", "reason", "time_s", "speedup"]


def tidy(records: list[Record], order: Sequence[str] = ()) -> pd.DataFrame:
    """Return one row a cell of one experiment; `order` is that of its pipelines."""
    rows = [_row(r, pipeline) for r in records for pipeline in _ordered(r["cells"], order)]
    return pd.DataFrame(rows) if rows else pd.DataFrame(columns=NEVER_MISSING)


def pipeline_order(experiment: dict[str, Any]) -> list[str]:
    """Return the pipelines of an experiment in the order of its file."""
    return list(dict.fromkeys(p for group in experiment["groups"] for p in group["pipelines"]))


def _ordered(names: Iterable[str], order: Sequence[str]) -> list[str]:
    rank = {name: number for number, name in enumerate(order)}
    return sorted(names, key=lambda name: rank.get(name, len(rank)))


def _row(record: Record, pipeline: str) -> dict[str, Any]:
    cell, label = record["cells"][pipeline], record["input"]
    compiled = record["compiled"].get(pipeline, {})
    return {
        "experiment": record["experiment"],
        "kernel": record["kernel"],
        "input": label["label"],
        "density_pct": label["density_pct"],
        "matrix": label["matrix"],
        **_matrix_facts(record),
        "cores": record["cores"],
        "pipeline": pipeline,
        "baseline": record["baseline"],
        "made_by": _made_by(record, pipeline),
        "outcome": cell["outcome"],
        "reason": cell["reason"],
        **_measurement(record, pipeline),
        "stopped_by": record["stopped_by"],
        "rewritten": compiled.get("rewritten"),
        **{f"object_{name}": count for name, count in compiled.get("object", {}).items()},
    }


def _made_by(record: Record, pipeline: str) -> str:
    """Say where a pipeline's code comes from: the compiler, a reference by hand, a library."""
    if pipeline not in record["compiled"]:
        return LIBRARY
    return BY_HAND if record["compiled"][pipeline]["pipeline"].get("source") else COMPILER


def _matrix_facts(record: Record) -> dict[str, Any]:
    """Return what may predict a gain: the matrix's size and rows, and the fast lane's share."""
    if record["input"]["matrix"] is None:
        return {}
    operands = record["input"]["meta"].get("operands", {}).values()
    found = [o for o in operands if o["recipe"]["source"] != "synthetic"]
    # Another operand may be read from a file of its own.
    found.sort(key=lambda o: o["recipe"].get("path") != record["input"]["matrix"])
    meta = found[0] if found else {}
    rows = meta.get("rows", {})
    shape = meta.get("shape", [])
    return {
        **dict(zip(("rows", "cols"), shape if len(shape) == 2 else (None, None), strict=True)),
        "stored": meta.get("stored"),
        "matrix_density_pct": meta.get("density_pct"),
        "row_mean": rows.get("mean"),
        "row_max": rows.get("max"),
        "row_cv": rows.get("cv"),
        "simd_pct": _simd_share(record.get("lanes", {})),
    }


def _simd_share(lanes: dict[str, Any]) -> float | None:
    consumed = lanes.get("fast", 0) + lanes.get("epilogue", 0)
    return 100.0 * lanes["fast"] / consumed if consumed else None


def _measurement(record: Record, pipeline: str) -> dict[str, Any]:
    found = times(record, pipeline) if measured(record, pipeline) else {}
    time = estimate(record, pipeline, found) if found else None
    zeroed = found and not is_apart(record, pipeline)
    zero = times(record, pipeline, "zero_ns") if zeroed else {}
    return {
        **_estimate("time", time, 1e-9),
        "zero_s": estimate(record, pipeline, zero).value * 1e-9 if zero else None,
        **_speedup(record, pipeline),
        **_stability("time", list(found.values()), record),
        "repetitions": len(found),
    }


def _speedup(record: Record, pipeline: str) -> dict[str, Any]:
    if is_apart(record, pipeline):
        apart = unpaired_ratio(record, pipeline, record["baseline"])
        return {
            **_estimate("speedup", apart, 1.0),
            "verdict": None,
            **_stability("speedup", [], record),
        }
    found = paired_ratio(record, pipeline, record["baseline"])
    compared = found is not None and pipeline != record["baseline"]
    ratios = pairs(record, pipeline, record["baseline"]) if compared else {}
    resolution = record["settings"]["interval_width"]
    return {
        **_estimate("speedup", found, 1.0),
        "verdict": cell_verdict(found, resolution) if found and compared else None,
        **_stability("speedup", list(ratios.values()), record),
    }


def _stability(name: str, values: list[float], record: Record) -> dict[str, float | None]:
    """Return the drift, and how far apart two modes are; empty where there is neither."""
    least = record["settings"]["interval_width"]
    modes = two_modes(values, least) if values and min(values) > 0 else None
    return {
        f"{name}_drift": drift(values, least) if values and min(values) > 0 else None,
        f"{name}_modes_ratio": modes.ratio if modes else None,
        f"{name}_upper_share": modes.share if modes else None,
    }


def _estimate(name: str, found: Estimate | None, scale: float) -> dict[str, float | None]:
    unit = "_s" if name == "time" else ""
    keys = (f"{name}{unit}", f"{name}_low{unit}", f"{name}_high{unit}")
    if found is None:
        return dict.fromkeys(keys)
    values = (found.value, found.low, found.high)
    return {k: v * scale if math.isfinite(v) else None for k, v in zip(keys, values, strict=True)}

"""What is known of an input before a call, beside the ratios that were measured on it.

One row a kernel, matrix and pipeline: what the study of predictability is made from.
"""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from splyce_bench.forecast.work import coiteration_steps
from splyce_bench.kernels.catalog import Kernel
from splyce_bench.kernels.notation import Access
from splyce_bench.report.records import Record
from splyce_bench.report.tidy import tidy

Array = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Feature:
    """A column and how a model sees it; `cheap` ones need no instrumented run."""

    name: str
    label: str
    seen: Callable[[Array], Array]
    back: Callable[[float], float]
    cheap: bool = True


def _log(values: Array) -> Array:
    return np.log2(np.where(values > 0, values, np.nan))


def _power(value: float) -> float:
    return float(2**value)


def _log_of_one_more(values: Array) -> Array:
    return np.log2(1 + values)


def _same(value: Any) -> Any:
    return value


FEATURES = (
    Feature("matrix_density_pct", "density of the matrix in %", _log, _power),
    Feature("partner_density_pct", "density of the other side in %", _log, _power),
    Feature("stored", "stored elements", _log, _power),
    Feature("row_mean", "mean row length", _log, _power),
    Feature("row_max", "longest row", _log, _power),
    Feature("row_cv", "variation of row lengths", _log_of_one_more, lambda v: _power(v) - 1),
    Feature("segment_short", "shorter mean segment", _log, _power),
    Feature("segment_long", "longer mean segment", _log, _power),
    Feature("segment_ratio", "longer over shorter segment", _log, _power),
    Feature("level_size", "size of the intersected level", _log, _power),
    Feature("expected_matches", "matches if uniform", _log, _power),
    Feature("trips", "intersections if uniform", _log, _power),
    Feature("operand_bytes", "bytes of the operands", _log, _power),
    Feature("simd_pct", "SIMD(%)", _same, _same, cheap=False),
)
CHEAP = tuple(feature.name for feature in FEATURES if feature.cheap)
# What compiled code can read off its positions and level sizes, at the loop.
RUN_TIME = ("segment_short", "segment_long", "level_size", "trips")

IDENTITY = ("experiment", "kernel", "input", "matrix", "cores", "pipeline", "baseline")
RATIO = ("speedup", "speedup_low", "speedup_high")
COLUMNS = (*IDENTITY, *RATIO, *(feature.name for feature in FEATURES))


def feature_rows(records: list[Record], kernels: Mapping[str, Kernel]) -> pd.DataFrame:
    """Return one row a matrix, kernel, core count and pipeline that has a ratio.

    The first of several experiments that measured the same counts. What a record does not tell is
    empty.
    """
    found = [row for record in records for row in _rows(record, kernels)]
    table = pd.DataFrame(found, columns=list(COLUMNS))
    return table.drop_duplicates(["kernel", "matrix", "cores", "pipeline"], ignore_index=True)


def _rows(record: Record, kernels: Mapping[str, Kernel]) -> list[dict[Any, Any]]:
    if record["input"]["matrix"] is None:
        return []
    cells = tidy([record]).to_dict("records")
    ours = [c for c in cells if c["pipeline"] != c["baseline"] and not pd.isna(c["speedup"])]
    if not ours or record["kernel"] not in kernels:
        return ours
    pair = pair_features(kernels[record["kernel"]], record["input"]["meta"]["operands"])
    return [{**c, **pair, "operand_bytes": record["loaded"]["operand_bytes"]} for c in ours]


def pair_features(kernel: Kernel, operands: Mapping[str, Any]) -> dict[str, float]:
    """Return the features of the two sides of the innermost intersection, from the operands' meta.

    Mean lengths are those of segments that are not empty: the loop does not run for others.
    Nothing where a side's segments cannot be counted from sizes.
    """
    sides = [_side(kernel, access, operands[access.tensor]) for access in intersected(kernel)]
    if len(sides) != 2 or any(side is None for side in sides):
        return {}
    first, second = (side for side in sides if side)
    short, long = sorted((first.mean, second.mean))
    return {
        "partner_density_pct": second.density_pct,
        "segment_short": short,
        "segment_long": long,
        "segment_ratio": long / short if short else math.nan,
        "level_size": float(first.level_size),
        "expected_matches": short * long / max(first.level_size, 1),
        "trips": _steps(kernel, operands) / ((first.per_fiber + second.per_fiber) or 1),
    }


def _steps(kernel: Kernel, operands: Mapping[str, Any]) -> float:
    sizes: dict[str, int] = {}
    for access in kernel.operands:
        sizes |= dict(zip(access.indices, operands[access.tensor]["shape"], strict=True))
    stored = {name: int(meta["stored"]) for name, meta in operands.items()}
    return coiteration_steps(kernel, sizes, stored)


def intersected(kernel: Kernel) -> list[Access]:
    """Return the compressed operands that meet in the innermost loop."""
    inner = kernel.loops[-1]
    return [
        access
        for access in kernel.operands
        if inner in access.indices and not kernel.formats[access.tensor].is_dense
    ]


@dataclass(frozen=True)
class _Side:
    """Mean segment length over segments with an element and over all, and the level's size."""

    mean: float
    per_fiber: float
    level_size: int
    density_pct: float


def _side(kernel: Kernel, access: Access, meta: Mapping[str, Any]) -> _Side | None:
    """Return one side; None where positions alone tell how many segments there are."""
    format = kernel.formats[access.tensor]
    *outer, size = format.level_shape(tuple(meta["shape"]))
    if any(level != "dense" for level in format.levels[:-1]):
        return None
    fibers, stored = math.prod(outer), meta["stored"]
    empty = (meta.get("rows") or meta.get("columns") or {"empty": 0})["empty"]
    filled = max(fibers - empty, 1)
    return _Side(stored / filled, stored / max(fibers, 1), size, meta["density_pct"])

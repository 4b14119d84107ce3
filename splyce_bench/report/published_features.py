"""The paper's own sweeps as feature rows: sizes and ratios, without row lengths or SIMD(%)."""

import math
from collections.abc import Mapping
from typing import Any

import pandas as pd

from splyce_bench.kernels.catalog import Kernel
from splyce_bench.report.features import COLUMNS, pair_features
from splyce_bench.report.published import published_sweep

# As if of one more pipeline. A published ratio has no interval.
PUBLISHED = "published config5"
# The operands that are the matrix; the others are generated (experiments/figure14 to 16).
SWEEPS = {"spgemm": "BC", "spmspv": "B", "spmttkrp": "CD"}


def published_rows(kernels: Mapping[str, Kernel]) -> pd.DataFrame:
    """Return one row a matrix and kernel of Figures 14 to 16."""
    rows = [
        _row(row, kernels[name])
        for name in SWEEPS
        if name in kernels
        for row in published_sweep(name)
    ]
    return pd.DataFrame(rows, columns=list(COLUMNS))


def _row(row: Mapping[Any, Any], kernel: Kernel) -> dict[str, Any]:
    rows, cols, stored = int(row["rows"]), int(row["cols"]), int(row["nnz"])
    density = 100.0 * stored / (rows * cols)
    operands = {name: _meta((rows, cols), stored) for name in SWEEPS[kernel.name]}
    if kernel.name == "spmspv":
        operands["x"] = _meta((cols,), int(row["vector_nnz"]))
    if kernel.name == "spmttkrp":
        operands["B"] = _meta((rows, rows, rows), int(row["tensor_nnz"]))
    return {
        "experiment": "published",
        "kernel": kernel.name,
        "input": row["id"],
        "matrix": row["id"],
        "cores": 32,
        "pipeline": PUBLISHED,
        "baseline": "baseline",
        "speedup": row["baseline_s"] / row["splyce_s"],
        "matrix_density_pct": density,
        "stored": stored,
        "row_mean": stored / rows,
        **pair_features(kernel, operands),
    }


def _meta(shape: tuple[int, ...], stored: int) -> dict[str, Any]:
    density = 100.0 * stored / math.prod(shape)
    return {"shape": list(shape), "stored": stored, "density_pct": density}

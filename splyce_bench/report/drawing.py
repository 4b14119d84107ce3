"""What the figures share: intervals, marks for what is missing, the line at one."""

from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from splyce_bench.compile.pipelines import Pipeline, load_pipelines
from splyce_bench.configuration import ROOT
from splyce_bench.report.text import outcome

MARK: dict[str, Any] = {
    "rotation": 90,
    "ha": "center",
    "va": "bottom",
    "fontsize": 7,
    "bbox": {"facecolor": "white", "edgecolor": "none", "pad": 1},
}
# How a published value looks in every figure: a hollow diamond.
PUBLISHED: dict[str, Any] = {"marker": "D", "color": "black", "markerfacecolor": "white"}


def pipeline_label(name: str) -> str:
    """Return the short name of a pipeline, or its own where the configuration has it no more."""
    found = _pipelines().get(name)
    return found.label if found else name


@cache
def _pipelines() -> dict[str, Pipeline]:
    return load_pipelines(ROOT / "config" / "pipelines.yaml")


def log_speedups(axes: Axes, low: float, high: float) -> None:
    """Make the speedup axis logarithmic, named at 1, 2 and 5 of each decade within the limits."""
    axes.axhline(1, color="0.35", linewidth=0.9, zorder=1)
    axes.set_yscale("log")
    axes.set_ylim(low, high)
    every = [digit * 10.0**decade for decade in range(-4, 6) for digit in (1, 2, 5)]
    axes.set_yticks([y for y in every if low <= y <= high], minor=False)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}x")
    axes.yaxis.set_minor_formatter(lambda value, _: "")
    axes.set_ylabel("speedup over the sparsifier")


def whiskers(rows: pd.DataFrame, column: str = "speedup") -> Any:
    """Return the arms of the intervals; an interval without an end has none (see `mark`)."""
    low, high = rows[f"{column}_low"], rows[f"{column}_high"]
    bounded = low.notna() & high.notna()
    down = (rows[column] - low).where(bounded, 0).fillna(0)
    return np.vstack([down, (high - rows[column]).where(bounded, 0).fillna(0)])


def finish(axes: Axes, label: str = "speedup over the sparsifier") -> None:
    """Draw the line at one, start the axis at zero and leave room above the highest point."""
    axes.axhline(1, color="0.35", linewidth=0.9, zorder=1)
    axes.set_ylabel(label)
    axes.set_ylim(0, 1.06 * axes.dataLim.y1)


def mark(axes: Axes, rows: pd.DataFrame, xs: Any) -> None:
    """Write what a cell is that has no ratio, and where too few repetitions give no interval."""
    for x, row in zip(xs, rows.to_dict("records"), strict=True):
        if word := _word(row):
            axes.annotate(word, (x, 0), (0, 4), textcoords="offset points", **MARK)


def _word(row: dict[Any, Any]) -> str:
    if not pd.isna(row["speedup"]):
        return "no interval" if pd.isna(row["speedup_high"]) else ""
    if pd.isna(row["outcome"]):
        return "not asked for"
    return "no ratio" if row["outcome"] == "measured" else outcome(row["outcome"])

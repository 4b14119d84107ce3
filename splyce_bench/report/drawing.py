"""What the figures share: intervals, marks for what is missing, the line at one."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

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

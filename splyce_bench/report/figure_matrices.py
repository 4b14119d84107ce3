"""Figures 14 to 16: speedups on many matrices, and what goes with them."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from splyce_bench.report.drawing import PUBLISHED, finish, mark, whiskers
from splyce_bench.report.published import published_order, published_speedup
from splyce_bench.stats import geometric_mean

# More bars than this leave no room for a name each.
NAMED = 160


def draw_matrices(figure: Figure, rows: pd.DataFrame) -> None:
    """Draw a bar a matrix in the paper's order, and speedup against density and SIMD share."""
    mine = in_order(rows)
    figure.set_size_inches(max(7.0, 1.5 + 0.13 * len(mine)), 5.6)
    grid = figure.add_gridspec(2, 2, height_ratios=[3, 2])
    _bars(figure.add_subplot(grid[0, :]), mine)
    left = figure.add_subplot(grid[1, 0])
    right = figure.add_subplot(grid[1, 1], sharey=left)
    _scatter(left, mine, "matrix_density_pct", "density of the matrix in %")
    _scatter(right, mine, "simd_pct", "elements consumed by the fast lane in %")
    right.set_ylabel("")
    left.set_xscale("log")


def in_order(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the fast lane's rows in the paper's order, other matrices after it by name."""
    mine = rows[rows["pipeline"] != rows["baseline"]].copy()
    order = published_order(str(rows["kernel"].iloc[0]))
    rank = {name: number for number, name in enumerate(order)}
    mine["short"] = mine["matrix"].astype(str).str.split("/").str[-1]
    mine["rank"] = [rank.get(name, len(rank)) for name in mine["short"]]
    mine["published"] = [published_speedup(r) for r in mine.to_dict("records")]
    mine["published"] = mine["published"].astype(float)
    return mine.sort_values(["rank", "short"]).reset_index(drop=True)


def _bars(axes: Axes, rows: pd.DataFrame) -> None:
    at = np.arange(len(rows))
    axes.bar(
        at, rows["speedup"].fillna(0), 0.7, yerr=whiskers(rows), ecolor="0.3", label=_ours(rows)
    )
    axes.plot(
        at, rows["published"], linestyle="", markersize=3, zorder=3, label="published", **PUBLISHED
    )
    mark(axes, rows, at)
    axes.set_xticks(at, rows["short"] if len(rows) <= NAMED else [""] * len(rows))
    axes.tick_params(axis="x", rotation=90, labelsize=6)
    axes.set_xlim(-0.8, len(rows) - 0.2)
    axes.grid(visible=False, axis="x")
    finish(axes)
    axes.legend(ncols=2, loc="lower center", bbox_to_anchor=(0.5, 1.0))


def _ours(rows: pd.DataFrame) -> str:
    found = list(rows["speedup"].dropna())
    cores = ", ".join(f"{count}" for count in sorted(rows["cores"].unique()))
    on = f"ours on {cores} core{'' if cores == '1' else 's'}"
    return f"{on}, geometric mean {geometric_mean(found):.2f}x" if len(found) else on


def _scatter(axes: Axes, rows: pd.DataFrame, column: str, label: str) -> None:
    axes.plot(rows[column], rows["speedup"], "o", markersize=3.5, alpha=0.8)
    if rows[column].notna().sum() == 0:
        axes.text(0.5, 0.5, "nothing was counted", transform=axes.transAxes, ha="center")
    axes.set_xlabel(label)
    finish(axes, "speedup")

"""Figures 14 to 16: speedups on many matrices, and what goes with them."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from splyce_bench.report.drawing import PUBLISHED, finish, mark, whiskers
from splyce_bench.report.published import published_order, published_speedup
from splyce_bench.stats import geometric_mean

# More bars than this leave no room for a name each; fewer than that would be as wide as walls.
NAMED = 160
SLOTS = 10


def draw_matrices(figure: Figure, rows: pd.DataFrame) -> None:
    """Draw a bar a matrix in the paper's order, and speedup against density and SIMD share."""
    mine = in_order(rows)
    figure.set_size_inches(max(7.0, 1.5 + 0.13 * len(mine)), 5.6)
    grid = figure.add_gridspec(2, 2, height_ratios=[3, 2])
    _bars(figure.add_subplot(grid[0, :]), mine)
    left = figure.add_subplot(grid[1, 0])
    right = figure.add_subplot(grid[1, 1], sharey=left)
    _scatter(left, mine, "matrix_density_pct", "density of the matrix in %")
    _whole_decades(left, mine["matrix_density_pct"].dropna())
    _scatter(right, mine, "simd_pct", "elements consumed by the fast lane in %")
    right.set_xlim(-3, 103)
    right.set_ylabel("")
    # Shared axes take the limits of the last one; both show the same speedups, or none.
    top = max(axes.dataLim.y1 for axes in (left, right))
    left.set_ylim(0, 1.06 * top)


def in_order(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the fast lane's rows in the paper's order, other matrices after it by name."""
    mine = rows[rows["pipeline"] != rows["baseline"]].copy()
    order = published_order(str(rows["kernel"].iloc[0]))
    rank = {name: number for number, name in enumerate(order)}
    mine["short"] = mine["matrix"].astype(str).str.split("/").str[-1]
    mine["rank"] = [rank.get(name, len(rank)) for name in mine["matrix"]]
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
    spare = max(SLOTS - len(rows), 0) / 2
    axes.set_xlim(-0.8 - spare, len(rows) - 0.2 + spare)
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
    if not (rows[column].notna() & rows["speedup"].notna()).any():
        axes.text(0.5, 0.3, "nothing to show", transform=axes.transAxes, ha="center")
    axes.set_xlabel(label)
    finish(axes, "speedup")


def _whole_decades(axes: Axes, densities: "pd.Series[float]") -> None:
    """Make the axis logarithmic from one power of ten to another, so that both ends are named."""
    positive = densities[densities > 0]
    if not len(positive):
        axes.set_xticks([])
        return
    low, high = np.floor(np.log10(positive.min())), np.ceil(np.log10(positive.max()))
    axes.set_xscale("log")
    axes.set_xlim(0.8 * 10**low, 1.25 * 10 ** max(high, low + 1))
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.xaxis.set_minor_formatter(lambda value, _: "")

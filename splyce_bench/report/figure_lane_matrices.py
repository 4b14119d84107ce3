"""Lanes on real matrices: a panel a kernel, a point a matrix and pipeline."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from splyce_bench.report.drawing import log_speedups, pipeline_label
from splyce_bench.report.text import outcome
from splyce_bench.stats import geometric_mean

PAPERS_LANE = "config5"
MARKERS = "osD^vP"
# With more matrices than this their names cannot be read.
NAMED = 60


def draw_lane_matrices(figure: Figure, rows: pd.DataFrame) -> None:
    """Draw the speedups of every lane, the matrices of a kernel sorted by that of the paper's."""
    kernels = list(dict.fromkeys(rows["kernel"]))
    figure.set_size_inches(7.0, 0.4 + 2.5 * len(kernels))
    panels = figure.subplots(len(kernels), 1, squeeze=False)[:, 0]
    every = rows["speedup"].dropna()
    low, high = min([1.0, *every]), max([1.0, *every])
    for axes, kernel in zip(panels, kernels, strict=True):
        _panel(axes, rows[rows["kernel"] == kernel])
        log_speedups(axes, 0.85 * low, 1.18 * high)
    handles, labels = panels[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside upper center", ncols=4)


def by_papers_lane(rows: pd.DataFrame) -> list[str]:
    """Return the matrices by the speedup of the paper's lane; those without one come last."""
    mine = rows[rows["pipeline"] == PAPERS_LANE].sort_values(["speedup", "matrix"])
    return list(mine["matrix"])


def _panel(axes: Axes, rows: pd.DataFrame) -> None:
    place = {matrix: number for number, matrix in enumerate(by_papers_lane(rows))}
    lanes = rows[rows["pipeline"] != rows["baseline"]]
    means = []
    for number, (name, cells) in enumerate(lanes.groupby("pipeline", sort=False)):
        label = pipeline_label(str(name))
        at = cells["matrix"].map(place)
        style = MARKERS[number % len(MARKERS)]
        axes.plot(at, cells["speedup"], style, markersize=3.5, alpha=0.85, label=label)
        if len(found := cells["speedup"].dropna()):
            means.append(f"{label} {geometric_mean(list(found)):.2f}x")
    _tie(axes, lanes, place)
    told = [f"{rows['kernel'].iloc[0]}, geometric means: {', '.join(means) or 'nothing measured'}"]
    axes.set_title("; ".join([*told, *_missing(rows)]), fontsize=8, loc="left")
    axes.set_xlim(-0.8, len(place) - 0.2)
    names = [matrix.split("/")[-1] for matrix in place] if len(place) <= NAMED else []
    axes.set_xticks(range(len(names)), names, rotation=90, fontsize=6)
    if not names:
        axes.set_xlabel(f"{len(place)} matrices, sorted by {pipeline_label(PAPERS_LANE)}")


def _tie(axes: Axes, lanes: pd.DataFrame, place: dict[str, int]) -> None:
    """Tie the points of each matrix together, so that the eye finds them."""
    of_matrix = lanes.groupby("matrix")["speedup"]
    low, high = of_matrix.min().dropna(), of_matrix.max().dropna()
    at = np.array([place[str(matrix)] for matrix in low.index], float)
    axes.vlines(at, low, high, color="0.8", linewidth=0.7, zorder=0)


def _missing(rows: pd.DataFrame) -> list[str]:
    """Count the matrices of each outcome but measured, of the baseline or a lane."""
    lost = rows[rows["outcome"] != "measured"]
    counts = lost.groupby("outcome", sort=False)["matrix"].nunique()
    return [f"{count} {outcome(str(kind))}" for kind, count in counts.items()]

"""Lanes over the densities: a line a pipeline, references thin, grey and dashed."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from splyce_bench.report.drawing import log_speedups, pipeline_label
from splyce_bench.report.text import outcome
from splyce_bench.report.tidy import BY_HAND, COMPILER, LIBRARY

REFERENCE: dict[str, Any] = {"color": "0.5", "linewidth": 0.9, "markersize": 2.5}
STYLES: dict[str, dict[str, Any]] = {
    BY_HAND: {**REFERENCE, "linestyle": "--", "marker": "o"},
    LIBRARY: {**REFERENCE, "linestyle": ":", "marker": "s"},
}
MARKERS = "osD^vP<>"
# From the left of a name, so that it crosses none.
LEADER: dict[str, Any] = {"arrowstyle": "-", "linewidth": 0.5, "shrinkB": 3, "relpos": (0, 0.5)}
# Height of a label in the figure's font, as a share of the axes.
LABEL = 0.055


def draw_lane_densities(figure: Figure, rows: pd.DataFrame) -> None:
    """Draw speedup against density, both logarithmic, with each line's name at its end."""
    figure.set_size_inches(7.0, 4.6)
    axes = figure.subplots()
    mine = one_kernel(rows)
    lines = mine[mine["pipeline"] != mine["baseline"]]
    densities = sorted(mine["density_pct"].unique())
    ends = []
    for number, (name, cells) in enumerate(lines.groupby("pipeline", sort=False)):
        found = cells[cells["speedup"].notna()].sort_values("density_pct")
        if len(found):
            style = STYLES.get(found["made_by"].iloc[0], {"marker": MARKERS[number % len(MARKERS)]})
            color = _line(axes, found, style)
            last = found.iloc[-1]
            ends.append((last["density_pct"], last["speedup"], str(name), color))
    axes.set_xscale("log")
    axes.set_xticks(densities, [f"{density:g}" for density in densities])
    axes.minorticks_off()
    axes.set_xlabel("density in %")
    speedups = lines["speedup"].dropna()
    low, high = min([1.0, *speedups]), max([1.0, *speedups])
    log_speedups(axes, 0.8 * low, 1.25 * high)
    _label_ends(axes, ends)
    axes.set_title(_title(mine, lines), fontsize=7.5, loc="left", color="0.3")


def one_kernel(rows: pd.DataFrame) -> pd.DataFrame:
    """Return the rows of the kernel that was asked for at the most densities."""
    of_density = rows[rows["density_pct"].notna()]
    counts = of_density.groupby("kernel", sort=False)["density_pct"].nunique()
    return of_density[of_density["kernel"] == counts.idxmax()]


def _line(axes: Axes, found: pd.DataFrame, style: dict[str, Any]) -> Any:
    x = found["density_pct"]
    [line] = axes.plot(x, found["speedup"], **style)
    if found["made_by"].iloc[0] == COMPILER:
        ends = found["speedup_low"], found["speedup_high"]
        axes.fill_between(x, *ends, color=line.get_color(), alpha=0.2, linewidth=0)
    return line.get_color()


def _label_ends(axes: Axes, ends: list[tuple[float, float, str, Any]]) -> None:
    """Write the names beside the axes, apart from each other, each tied to its last point."""
    low, high = np.log(axes.get_ylim())
    ends = sorted(ends, key=lambda end: end[1])
    wanted = [(np.log(y) - low) / (high - low) for _, y, _, _ in ends]
    for (x, y, name, color), at in zip(ends, spread(wanted, LABEL), strict=True):
        axes.annotate(
            pipeline_label(name),
            (x, y),
            (1.05, at),
            textcoords="axes fraction",
            va="center",
            fontsize=8,
            color="0.35" if color == REFERENCE["color"] else color,
            arrowprops=LEADER | {"color": color},
            annotation_clip=False,
        )


def spread(wanted: list[float], gap: float) -> list[float]:
    """Return ascending places at least `gap` apart, near the wanted ones, centred on them."""
    blocks = [[at, 1] for at in wanted]
    merged: list[list[float]] = []
    for centre, count in blocks:
        merged.append([centre, count])
        while len(merged) > 1 and _overlap(merged[-2], merged[-1], gap):
            (one, n), (two, m) = merged[-2], merged.pop()
            merged[-1] = [(one * n + two * m) / (n + m), n + m]
    return [
        centre + (number - (count - 1) / 2) * gap
        for centre, count in merged
        for number in range(int(count))
    ]


def _overlap(below: list[float], above: list[float], gap: float) -> bool:
    return above[0] - below[0] < gap * (above[1] + below[1]) / 2


def _title(mine: pd.DataFrame, lines: pd.DataFrame) -> str:
    """Say what is drawn, and what is missing and why."""
    told = [f"{mine['kernel'].iloc[0]}; dashed: by hand in C; dotted: a library, measured apart"]
    for (kind, name), cells in lines[lines["outcome"] != "measured"].groupby(
        ["outcome", "pipeline"], sort=False
    ):
        at = ", ".join(f"{density:g}" for density in cells["density_pct"])
        everywhere = len(cells) == mine["density_pct"].nunique()
        where = "" if everywhere else f" at {at} %"
        told.append(f"{pipeline_label(str(name))}{where}: {outcome(str(kind))}")
    return "\n".join(told)

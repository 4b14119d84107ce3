"""Figures 12 and 13: speedup by vector width and by density."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from splyce_bench.report.drawing import PUBLISHED, finish, mark, whiskers
from splyce_bench.report.published import WIDTHS, published_speedup

# Names of the curves of Figure 13, and their columns.
ENDS = (("ours", "speedup"), ("published", "published"))


def _speedups(rows: pd.DataFrame, pipeline: str, densities: list[float]) -> pd.DataFrame:
    """Return a row a density, empty where the experiment has no such cell."""
    mine = rows[rows["pipeline"] == pipeline].set_index("density_pct").reindex(densities)
    cells = mine.reset_index().to_dict("records")
    reference = str(rows["baseline"].iloc[0])
    wanted = {"experiment": rows["experiment"].iloc[0], "pipeline": pipeline, "baseline": reference}
    published = [published_speedup({**cell, **wanted}) for cell in cells]
    return mine.reset_index().assign(published=np.array(published, float))


def _densities(rows: pd.DataFrame) -> list[float]:
    return sorted(rows["density_pct"].dropna().unique())


def draw_widths(figure: Figure, rows: pd.DataFrame) -> None:
    """Figure 12: bars of ours by width within each density, diamonds where the paper is."""
    axes = figure.subplots()
    densities = _densities(rows)
    for number, (width, pipeline) in enumerate((w, p) for w, p in WIDTHS.items() if w):
        mine = _speedups(rows, pipeline, densities)
        at = np.arange(len(densities)) + (number - 1.5) * 0.2
        label = f"n = {width}"
        axes.bar(at, mine["speedup"].fillna(0), 0.18, yerr=whiskers(mine), capsize=2, label=label)
        axes.plot(at, mine["published"], linestyle="", zorder=3, **PUBLISHED)
        mark(axes, mine, at)
    axes.plot([], [], linestyle="", label="published", **PUBLISHED)
    axes.set_xticks(range(len(densities)), [f"{density:g} %" for density in densities])
    axes.set_xlabel("density")
    axes.grid(visible=False, axis="x")
    finish(axes)
    axes.legend(ncols=5, loc="lower center", bbox_to_anchor=(0.5, 1.0), columnspacing=1.0)


def draw_densities(figure: Figure, rows: pd.DataFrame) -> None:
    """Figure 13: our curve with its intervals and the published one, over log density."""
    axes = figure.subplots()
    mine = _speedups(rows, "config5", _densities(rows))
    x = mine["density_pct"]
    axes.fill_between(x, mine["speedup_low"], mine["speedup_high"], alpha=0.2, linewidth=0)
    axes.errorbar(x, mine["speedup"], yerr=whiskers(mine), marker="o", capsize=3, label="ours")
    axes.plot(x, mine["published"], "D--", markerfacecolor="white", label="published")
    axes.set_xscale("log")
    axes.set_xticks(list(x), [f"{density:g}" for density in x])
    axes.minorticks_off()
    axes.set_xlabel("density in %")
    mark(axes, mine, x)
    finish(axes)
    _label_ends(axes, mine)


def _label_ends(axes: Axes, mine: pd.DataFrame) -> None:
    """Write each curve's name beside its last point, apart where the two end together."""
    last = []
    for name, column in ENDS:
        present = mine.dropna(subset=[column])
        if len(present):
            last.append((name, present["density_pct"].iloc[-1], present[column].iloc[-1]))
    last.sort(key=lambda end: end[2])
    for number, (name, x, y) in enumerate(last):
        shift = 0 if len(last) == 1 else (-5, 5)[number]
        axes.annotate(name, (x, y), (8, shift), textcoords="offset points", va="center")

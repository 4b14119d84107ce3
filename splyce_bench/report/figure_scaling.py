"""Figure 17: scaling with cores."""

from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from splyce_bench.report.drawing import PUBLISHED
from splyce_bench.report.published import published_scaling
from splyce_bench.report.text import outcome

MARKERS = {"baseline": "s", "config5": "o"}
LABELS = {"baseline": "sparsifier", "config5": "fast lane"}
# The paper scales on this input; of the sparsifier it has one core only.
PUBLISHED_INPUT, PUBLISHED_PIPELINE = "5 %", "config5"


def scaling(rows: pd.DataFrame) -> pd.DataFrame:
    """Return speedups over one core of the baseline, a row a pipeline and core count.

    Core counts are groups of their own, so the interval of a ratio is that of its two times.
    """
    found = rows.copy()
    one = found[(found["cores"] == 1) & (found["pipeline"] == found["baseline"])].set_index("input")
    for column, top, below in (
        ("scaling", "time_s", "time_s"),
        ("scaling_low", "time_low_s", "time_high_s"),
        ("scaling_high", "time_high_s", "time_low_s"),
    ):
        reference = found["input"].map(one[top]).astype(float)
        found[column] = reference / found[below].astype(float)
    return found


def draw_scaling(figure: Figure, rows: pd.DataFrame) -> None:
    """Draw a panel an input: ours and the published curves over the cores, both logarithmic."""
    found = scaling(rows)
    inputs = list(dict.fromkeys(found["input"]))
    counts = sorted({*found["cores"], *published_scaling("config5")[0]})
    figure.set_size_inches(1.2 + 3.4 * len(inputs), 3.4)
    panels = figure.subplots(1, len(inputs), sharey=True, squeeze=False)[0]
    for axes, name in zip(panels, inputs, strict=True):
        _panel(axes, found[found["input"] == name], counts, published=name == PUBLISHED_INPUT)
        axes.set_title(name, fontsize=9)
    panels[0].set_ylabel("speedup over one core\nof the sparsifier")
    panels[0].legend(fontsize=7)


def _panel(axes: Axes, rows: pd.DataFrame, counts: list[int], published: bool) -> None:
    for pipeline, mine in rows.groupby("pipeline", sort=False):
        measured = mine[mine["scaling"].notna()].sort_values("cores")
        label, marker = LABELS.get(str(pipeline), str(pipeline)), MARKERS.get(str(pipeline), "v")
        line = axes.plot(measured["cores"], measured["scaling"], marker=marker, label=label)
        axes.fill_between(
            measured["cores"],
            measured["scaling_low"],
            measured["scaling_high"],
            color=line[0].get_color(),
            alpha=0.2,
            linewidth=0,
        )
    if published:
        theirs, label = published_scaling(PUBLISHED_PIPELINE), LABELS[PUBLISHED_PIPELINE]
        style: dict[str, Any] = {"linestyle": "--", "linewidth": 1, "markersize": 4, **PUBLISHED}
        axes.plot(*theirs, label=f"{label}, published", **style)
    axes.plot(counts, counts, color="0.6", linewidth=0.8, linestyle=":", label="linear")
    axes.set_xscale("log", base=2)
    axes.set_yscale("log", base=2)
    axes.set_xticks(counts, [f"{count}" for count in counts])
    axes.set_ylim(bottom=0.4)
    high = int(np.ceil(np.log2(axes.get_ylim()[1])))
    axes.set_yticks([2**n for n in range(high)], [f"{2**n}" for n in range(high)])
    axes.minorticks_off()
    axes.set_xlabel("cores")
    _tell_missing(axes, rows)


def _tell_missing(axes: Axes, rows: pd.DataFrame) -> None:
    """Write below the curves which core counts are missing, and what they are instead."""
    lines = []
    lost = rows[rows["outcome"] != "measured"]
    for name, mine in lost.groupby("outcome", sort=False):
        counts = sorted(mine["cores"].unique())
        told = ", ".join(f"{count}" for count in counts)
        lines.append(f"{told} core{'' if counts == [1] else 's'}: {outcome(str(name))}")
    if rows["scaling"].isna().all():
        lines.append("no time of the sparsifier on one core to compare with")
    style: dict[str, Any] = {"ha": "right", "va": "bottom", "fontsize": 7}
    axes.text(0.98, 0.02, "\n".join(lines), transform=axes.transAxes, **style)

"""The figure of the study of predictability: a line of three panels a pipeline."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure, SubFigure

from splyce_bench.report.features import FEATURES, Array
from splyce_bench.report.predictability import (
    Samples,
    enough,
    left_out_predictions,
    samples_of,
    study,
    too_few,
    usable,
)
from splyce_bench.report.predictors import PREDICTORS, Predictor, named

# Worse than this is drawn at the edge: by how much does not matter.
WORST = -0.6
MARKERS = ("o", "s", "^", "v", "D")
DARK = "0.25"


def draw_predictability(figure: Figure, rows: pd.DataFrame) -> None:
    """Draw R^2 of each predictor, the best feature, and predictions on matrices left out."""
    numbers, pipelines = study(rows), enough(rows)
    if not pipelines:
        figure.text(0.5, 0.5, "\n".join(too_few(rows)), ha="center")
        return
    figure.set_size_inches(10.5, 4.9 * len(pipelines))
    lines = np.atleast_1d(figure.subfigures(len(pipelines), 1, squeeze=False)[:, 0])
    for line, (pipeline, matrices) in zip(lines, pipelines.items(), strict=True):
        line.suptitle(f"{pipeline}, {matrices} matrices", fontsize="medium", weight="bold")
        mine = numbers[numbers["pipeline"] == pipeline].dropna(subset="matrix_r2")
        _line(line, mine, samples_of(rows[rows["pipeline"] == pipeline]))


def _line(line: SubFigure, numbers: pd.DataFrame, samples: Samples) -> None:
    grid = line.add_gridspec(1, 3, width_ratios=[1.25, 1, 1])
    _explained(line.add_subplot(grid[0]), numbers)
    single = numbers[(numbers["kind"] == "one feature") & numbers["cheap"]]
    _feature(line.add_subplot(grid[1]), _best(single), samples)
    _predicted(line.add_subplot(grid[2]), _best(numbers[numbers["cheap"]]), samples)


def _best(numbers: pd.DataFrame) -> Predictor:
    return named(str(numbers["predictor"].iloc[numbers["matrix_r2"].argmax()]))


def _explained(axes: Axes, numbers: pd.DataFrame) -> None:
    """Draw R^2, with matrices and with kernels left out, the best predictor on top."""
    shown = numbers[numbers["predictor"] != PREDICTORS[0].name].sort_values("matrix_r2")
    at = np.arange(len(shown))
    value, low, high = (
        shown[f"matrix_r2{end}"].clip(WORST).to_numpy() for end in ("", "_low", "_high")
    )
    axes.hlines(at, low, high, colors=DARK, linewidth=1.6)
    # Colors are those of kernels in the other panels.
    known = {True: (DARK, "known before a run"), False: ("white", "wants an instrumented run")}
    for cheap, (face, label) in known.items():
        mine = (shown["cheap"] == cheap).to_numpy(bool)
        axes.scatter(
            value[mine], at[mine], c=face, edgecolors=DARK, s=26, zorder=3,
            label=f"matrix left out, {label}",
        )  # fmt: skip
    kernel = shown.get("kernel_r2", pd.Series(np.nan, shown.index)).clip(WORST)
    axes.scatter(
        kernel, at, marker="|", c="C3", s=90, linewidths=2, zorder=4,
        label=f"kernel left out (at the edge: {WORST} or less)",
    )  # fmt: skip
    axes.axvline(0, color="0.35", linewidth=0.9)
    axes.set_yticks(at, list(shown["predictor"]))
    axes.set_xlim(WORST - 0.04, 1)
    axes.set_xticks([-0.5, 0, 0.5, 1])
    axes.grid(visible=True, axis="x")
    axes.grid(visible=False, axis="y")
    axes.set_xlabel("R² on what was left out (the mean: 0)")
    axes.legend(loc="upper center", bbox_to_anchor=(0.2, -0.13), fontsize="small")


def _feature(axes: Axes, predictor: Predictor, samples: Samples) -> None:
    """Draw ratios over the best single feature, and the parabola through all rows."""
    _, mine = usable(predictor, samples)
    feature = next(f for f in FEATURES if f.name == predictor.columns[0])
    x = mine.x[[feature.name]].to_numpy(float)
    natural = [feature.back(value) for value in x[:, 0]]
    _by_kernel(axes, natural, mine)
    along = np.linspace(x.min(), x.max(), 100)[:, None]
    fitted = predictor.fit(x, mine.y)(along)
    axes.plot([feature.back(v) for v in along[:, 0]], 2**fitted, color="0.2", linewidth=1.2)
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.set_xlabel(feature.label)
    _ratio_axis(axes, "measured ratio")


def _predicted(axes: Axes, predictor: Predictor, samples: Samples) -> None:
    """Draw the best predictor's ratios on left-out matrices over those measured."""
    asked, mine = usable(predictor, samples)
    found = 2 ** left_out_predictions(asked, mine, mine.matrices)
    _by_kernel(axes, found, mine)
    ends = [float(min(found.min(), 2 ** mine.y.min())), float(max(found.max(), 2 ** mine.y.max()))]
    axes.plot(ends, ends, color="0.2", linewidth=1.0)
    axes.axvline(1, color="0.35", linewidth=0.9, zorder=1)
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.set_xlabel(f"predicted, matrix left out:\n{predictor.name}")
    _ratio_axis(axes, "measured ratio")


def _by_kernel(axes: Axes, x: Array | list[float], samples: Samples) -> None:
    across = np.asarray(x)
    for number, kernel in enumerate(np.unique(samples.kernels)):
        chosen = samples.kernels == kernel
        marker, color = MARKERS[number % len(MARKERS)], f"C{number}"
        axes.scatter(
            across[chosen], 2 ** samples.y[chosen], marker=marker, s=18, c=color, alpha=0.75,
            label=str(kernel),
        )  # fmt: skip
    axes.legend(fontsize="small")


def _ratio_axis(axes: Axes, label: str) -> None:
    axes.set_yscale("log", base=2)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.axhline(1, color="0.35", linewidth=0.9, zorder=1)
    axes.set_ylabel(label)

"""Figures: ours beside the published values, from tidy rows."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd

mpl.use("Agg")

import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.axes import Axes  # noqa: E402

from splyce_bench.errors import UserError  # noqa: E402
from splyce_bench.files import atomic_file  # noqa: E402
from splyce_bench.report.figure11 import draw_figure11  # noqa: E402
from splyce_bench.report.published import WIDTHS, published_speedup  # noqa: E402
from splyce_bench.report.text import outcome  # noqa: E402

KINDS = ("pdf", "svg", "png")
STYLE = Path(__file__).with_name("splyce.mplstyle")
# Without dates the same data give the same bytes.
METADATA: dict[str, dict[str, Any]] = {
    "pdf": {"CreationDate": None, "Producer": None, "Creator": None},
    "svg": {"Date": None, "Creator": None},
    "png": {"Software": None},
}


# Names of the curves of Figure 13, and their columns.
ENDS = (("ours", "speedup"), ("published", "published"))
MARK: dict[str, Any] = {
    "rotation": 90,
    "ha": "center",
    "va": "bottom",
    "fontsize": 7,
    "bbox": {"facecolor": "white", "edgecolor": "none", "pad": 1},
}


def draw(name: str, rows: pd.DataFrame, style: str, stem: Path) -> None:
    """Draw a figure into `<stem>.pdf`, `.svg` and `.png`."""
    if name not in DRAWINGS:
        known = ", ".join(DRAWINGS)
        raise UserError(f"no drawing for '{name}'; known: {known}; add one to {__file__}")
    with mpl.rc_context():
        _use(style)
        figure, axes = plt.subplots()
        DRAWINGS[name](axes, rows)
        for kind in KINDS:
            with atomic_file(stem.with_suffix(f".{kind}")) as part:
                figure.savefig(part, format=kind, metadata=METADATA[kind])
        plt.close(figure)


def _use(style: str) -> None:
    """Lay a style over ours, so that a style of the user's may say only what differs."""
    plt.style.use(STYLE)
    try:
        if style != "splyce":
            plt.style.use(style)
    except OSError:
        raise UserError(
            f"report.style: no matplotlib style '{style}'; give splyce, a name of "
            "matplotlib.style.available, or the path of a .mplstyle file"
        ) from None


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


def whiskers(rows: pd.DataFrame) -> Any:
    """Return the arms of the intervals; an interval without an end has none (see `_mark`)."""
    low, high = rows["speedup_low"], rows["speedup_high"]
    bounded = low.notna() & high.notna()
    down = (rows["speedup"] - low).where(bounded, 0).fillna(0)
    return np.vstack([down, (high - rows["speedup"]).where(bounded, 0).fillna(0)])


def _finish(axes: Axes) -> None:
    axes.axhline(1, color="0.35", linewidth=0.9, zorder=1)
    axes.set_ylabel("speedup over the sparsifier")
    axes.set_ylim(bottom=0)


def _mark(axes: Axes, rows: pd.DataFrame, xs: Any) -> None:
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


def _figure12(axes: Axes, rows: pd.DataFrame) -> None:
    """Bars of ours by width within each density, with hollow diamonds where the paper is."""
    densities = _densities(rows)
    for number, (width, pipeline) in enumerate((w, p) for w, p in WIDTHS.items() if w):
        mine = _speedups(rows, pipeline, densities)
        at = np.arange(len(densities)) + (number - 1.5) * 0.2
        label = f"n = {width}"
        axes.bar(at, mine["speedup"].fillna(0), 0.18, yerr=whiskers(mine), capsize=2, label=label)
        axes.plot(at, mine["published"], "D", color="black", markerfacecolor="white", zorder=3)
        _mark(axes, mine, at)
    axes.plot([], [], "D", color="black", markerfacecolor="white", label="published")
    axes.set_xticks(range(len(densities)), [f"{density:g} %" for density in densities])
    axes.set_xlabel("density")
    axes.grid(visible=False, axis="x")
    _finish(axes)
    axes.legend(ncols=5, loc="lower center", bbox_to_anchor=(0.5, 1.0), columnspacing=1.0)


def _figure13(axes: Axes, rows: pd.DataFrame) -> None:
    """Our curve with its intervals and the published one, over a logarithmic density."""
    mine = _speedups(rows, "config5", _densities(rows))
    x = mine["density_pct"]
    axes.fill_between(x, mine["speedup_low"], mine["speedup_high"], alpha=0.2, linewidth=0)
    axes.errorbar(x, mine["speedup"], yerr=whiskers(mine), marker="o", capsize=3, label="ours")
    axes.plot(x, mine["published"], "D--", markerfacecolor="white", label="published")
    axes.set_xscale("log")
    axes.set_xticks(list(x), [f"{density:g}" for density in x])
    axes.minorticks_off()
    axes.set_xlabel("density in %")
    _mark(axes, mine, x)
    _finish(axes)
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


DRAWINGS: dict[str, Callable[[Axes, pd.DataFrame], None]] = {
    "figure11": draw_figure11,
    "figure12": _figure12,
    "figure13": _figure13,
}

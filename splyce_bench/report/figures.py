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
from splyce_bench.report.published import WIDTHS, published_speedup  # noqa: E402

KINDS = ("pdf", "svg", "png")
STYLE = Path(__file__).with_name("splyce.mplstyle")
# Without dates the same data give the same bytes.
METADATA: dict[str, dict[str, Any]] = {
    "pdf": {"CreationDate": None, "Producer": None, "Creator": None},
    "svg": {"Date": None, "Creator": None},
    "png": {"Software": None},
}


def draw(name: str, rows: pd.DataFrame, style: str, stem: Path) -> None:
    """Draw a figure into `<stem>.pdf`, `.svg` and `.png`."""
    try:
        context = plt.style.context(str(STYLE) if style == "splyce" else style)
        with context:
            figure, axes = plt.subplots()
            DRAWINGS[name](axes, rows)
            for kind in KINDS:
                with atomic_file(stem.with_suffix(f".{kind}")) as part:
                    figure.savefig(part, format=kind, metadata=METADATA[kind])
            plt.close(figure)
    except OSError as error:
        if "style" not in str(error):
            raise
        raise UserError(
            f"report.style: no matplotlib style '{style}'; give splyce, a name of "
            "matplotlib.style.available, or the path of a .mplstyle file"
        ) from None


def _speedups(rows: pd.DataFrame, pipeline: str, x: str) -> pd.DataFrame:
    mine = rows[rows["pipeline"] == pipeline].sort_values(x)
    published = [published_speedup(row) for row in mine.to_dict("records")]
    return mine.assign(published=np.array(published, float))


def _whiskers(rows: pd.DataFrame) -> Any:
    low, high = rows["speedup_low"], rows["speedup_high"]
    centre = rows["speedup"]
    return np.vstack([(centre - low).fillna(0), (high - centre).fillna(0)])


def _finish(axes: Axes) -> None:
    axes.axhline(1, color="0.35", linewidth=0.9, zorder=1)
    axes.set_ylabel("speedup over the sparsifier")
    axes.set_ylim(bottom=0)


def _mark_missing(axes: Axes, rows: pd.DataFrame, xs: Any) -> None:
    for x, row in zip(xs, rows.to_dict("records"), strict=True):
        if pd.isna(row["speedup"]):
            word = "no ratio" if row["outcome"] == "measured" else row["outcome"].replace("_", " ")
            axes.text(x, 0.05, word, rotation=90, ha="center", va="bottom", fontsize=7)


def _figure12(axes: Axes, rows: pd.DataFrame) -> None:
    """Bars of ours by width within each density, with hollow diamonds where the paper is."""
    widths = [width for width in WIDTHS if width]
    densities = sorted(rows["density_pct"].unique())
    for number, width in enumerate(widths):
        mine = _speedups(rows, WIDTHS[width], "density_pct")
        at = np.arange(len(densities)) + (number - 1.5) * 0.2
        label = f"n = {width}"
        axes.bar(at, mine["speedup"].fillna(0), 0.18, yerr=_whiskers(mine), capsize=2, label=label)
        axes.plot(at, mine["published"], "D", color="black", markerfacecolor="white", zorder=3)
        _mark_missing(axes, mine, at)
    axes.plot([], [], "D", color="black", markerfacecolor="white", label="published")
    axes.set_xticks(range(len(densities)), [f"{density:g} %" for density in densities])
    axes.set_xlabel("density")
    axes.grid(visible=False, axis="x")
    _finish(axes)
    axes.legend(ncols=5, loc="lower center", bbox_to_anchor=(0.5, 1.0), columnspacing=1.0)


def _figure13(axes: Axes, rows: pd.DataFrame) -> None:
    """Our curve with its intervals and the published one, over a logarithmic density."""
    mine = _speedups(rows, "config5", "density_pct")
    x = mine["density_pct"]
    axes.errorbar(x, mine["speedup"], yerr=_whiskers(mine), marker="o", capsize=3, label="ours")
    axes.plot(x, mine["published"], "D--", markerfacecolor="white", label="published")
    axes.set_xscale("log")
    axes.set_xticks(list(x), [f"{density:g}" for density in x])
    axes.minorticks_off()
    axes.set_xlabel("density in %")
    _mark_missing(axes, mine, x)
    _finish(axes)
    for label, column, offset in (("ours", "speedup", 7), ("published", "published", -12)):
        present = mine.dropna(subset=[column])
        if len(present):
            last = present.iloc[-1]
            place = (last["density_pct"], last[column])
            axes.annotate(label, place, xytext=(0, offset), textcoords="offset points", ha="center")


DRAWINGS: dict[str, Callable[[Axes, pd.DataFrame], None]] = {
    "figure12": _figure12,
    "figure13": _figure13,
}

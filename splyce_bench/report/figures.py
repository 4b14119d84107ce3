"""Figures: ours beside the published values, from tidy rows."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import matplotlib as mpl
import pandas as pd

mpl.use("Agg")

import matplotlib.pyplot as plt  # noqa: E402
from matplotlib.figure import Figure  # noqa: E402

from splyce_bench.errors import UserError  # noqa: E402
from splyce_bench.files import atomic_file  # noqa: E402
from splyce_bench.report.figure11 import draw_figure11  # noqa: E402
from splyce_bench.report.figure_densities import draw_densities, draw_widths  # noqa: E402
from splyce_bench.report.figure_lane_densities import draw_lane_densities  # noqa: E402
from splyce_bench.report.figure_lane_matrices import draw_lane_matrices  # noqa: E402
from splyce_bench.report.figure_matrices import draw_matrices  # noqa: E402
from splyce_bench.report.figure_predictability import draw_predictability  # noqa: E402
from splyce_bench.report.figure_scaling import draw_scaling  # noqa: E402

KINDS = ("pdf", "svg", "png")
STYLE = Path(__file__).with_name("splyce.mplstyle")
# A list may name matrices for some kernels only.
NOTHING = "no input of this run is for this figure"
# Without dates the same data give the same bytes.
METADATA: dict[str, dict[str, Any]] = {
    "pdf": {"CreationDate": None, "Producer": None, "Creator": None},
    "svg": {"Date": None, "Creator": None},
    "png": {"Software": None},
}


def draw(name: str, rows: pd.DataFrame, style: str, stem: Path) -> None:
    """Draw a figure into `<stem>.pdf`, `.svg` and `.png`."""
    if name not in DRAWINGS:
        known = ", ".join(DRAWINGS)
        raise UserError(f"no drawing for '{name}'; known: {known}; add one to {__file__}")
    with mpl.rc_context():
        _use(style)
        figure = plt.figure()
        if len(rows):
            DRAWINGS[name](figure, rows)
        else:
            figure.text(0.5, 0.5, NOTHING, ha="center")
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


DRAWINGS: dict[str, Callable[[Figure, pd.DataFrame], None]] = {
    "figure11": draw_figure11,
    "figure12": draw_widths,
    "figure13": draw_densities,
    "figure14": draw_matrices,
    "figure15": draw_matrices,
    "figure16": draw_matrices,
    "figure17": draw_scaling,
    "lanes_density": draw_lane_densities,
    "lanes_matrices": draw_lane_matrices,
    "predictability": draw_predictability,
}

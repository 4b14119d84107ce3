"""Figure 11: where the pipeline slots go, by configuration, beside the paper.

Three forms, by what the rows hold: measured (stacked bars), simulated (instructions and
mispredictions relative to the baseline, named as simulated), or the reason why there is neither.
Measured and simulated values are never drawn together. Where the processor has level 2 of the
analysis, it stands below, ours only: the paper has none.
"""

import textwrap
from typing import Any

import numpy as np
import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from splyce_bench.report.text import one_line, outcome

# Name, column, colour (Okabe-Ito, as in splyce.mplstyle) and hatch, from the bottom up.
PARTS = (
    ("retiring", "retiring_pct", "#009E73", ""),
    ("backend bound", "backend_bound_pct", "#0072B2", "//"),
    ("frontend bound", "frontend_bound_pct", "#56B4E9", ".."),
    ("bad speculation", "bad_speculation_pct", "#D55E00", "xx"),
    ("other thread (SMT)", "smt_contention_pct", "#BBBBBB", ""),
)
# What each of the first four is made of at level 2, as Intel, perf and AMD name it.
PARTS_OF = {
    "retiring": ("light_operations", "heavy_operations", "retiring_fastpath", "retiring_microcode"),
    "backend bound": ("memory_bound", "core_bound", "backend_bound_memory", "backend_bound_cpu"),
    "frontend bound": (
        "fetch_latency",
        "fetch_bandwidth",
        "frontend_bound_latency",
        "frontend_bound_bandwidth",
    ),
    "bad speculation": (
        "branch_mispredicts",
        "machine_clears",
        "bad_speculation_mispredicts",
        "bad_speculation_pipeline_restarts",
    ),
}
LEVEL2 = tuple(
    (part.replace("_", " "), f"{part}_pct", color, ("", "///")[number % 2])
    for name, _, color, _ in PARTS
    for number, part in enumerate(PARTS_OF.get(name, ()))
)
RELATIVE = (("instructions", "instructions"), ("mispredictions", "branch_misses"))
WIDTH = 0.38


def draw_figure11(figure: Figure, rows: pd.DataFrame) -> None:
    """Draw the rows of `counter_rows`, one a pipeline of one group."""
    rows = rows.reset_index(drop=True)
    level2 = any(column in rows and rows[column].notna().any() for _, column, _, _ in LEVEL2)
    figure.set_size_inches(6.4, 7.2 if level2 else 3.6)
    axes, *below = figure.subplots(2 if level2 else 1, squeeze=False)[:, 0]
    if (rows["kind"] == "measured").any():
        _stacks(axes, rows)
        for second in below:
            _level2(second, rows)
    elif (rows["kind"] == "simulated").any():
        _substitute(axes, rows)
    else:
        _why_not(axes, rows)


def _stacks(axes: Axes, rows: pd.DataFrame) -> None:
    at = np.arange(len(rows))
    ours = rows.where(rows["kind"] == "measured")
    _stack(axes, at - WIDTH / 2 - 0.02, ours)
    _stack(axes, at + WIDTH / 2 + 0.02, rows, prefix="published_", faded=True)
    for x, row in zip(at, rows.to_dict("records"), strict=True):
        if pd.isna(row["retiring_pct"]) or row["kind"] != "measured":
            word = outcome(row["outcome"]) if row["outcome"] != "measured" else "no top-down"
            axes.annotate(word, (x - WIDTH / 2, 2), rotation=90, ha="center", fontsize=7)
        elif "topdown_l1" in str(row["scaled"]).split():
            axes.annotate("*", (x - WIDTH / 2, 100), ha="center", va="bottom")
    axes.set_ylabel("share of pipeline slots in %")
    axes.set_ylim(0, 106)
    axes.legend(ncols=3, loc="lower center", bbox_to_anchor=(0.5, 1.0), fontsize=7)
    measured = rows[rows["kind"] == "measured"]
    note = f"left: ours, {_models(measured, 'topdown_method')} on {_models(measured, 'model')}"
    star = "; *: extrapolated, events took turns" if _models(measured, "scaled") else ""
    _ticks(axes, rows, f"{note}; right, pale: published{star}")


def _level2(axes: Axes, rows: pd.DataFrame) -> None:
    at = np.arange(len(rows))
    ours = rows.where(rows["kind"] == "measured")
    columns = [column for _, column, _, _ in LEVEL2 if column in rows]
    _stack(axes, at, ours, LEVEL2)
    for x, row in zip(at, ours.to_dict("records"), strict=True):
        if all(pd.isna(row[column]) for column in columns):
            axes.annotate("no level 2", (x, 2), rotation=90, ha="center", fontsize=7)
        elif "topdown_l2" in str(row["scaled"]).split():
            axes.annotate("*", (x, 100), ha="center", va="bottom")
    axes.set_ylabel("level 2, share of slots in %")
    axes.set_ylim(0, 106)
    axes.legend(ncols=4, loc="lower center", bbox_to_anchor=(0.5, 1.0), fontsize=7)
    _ticks(axes, rows, f"level 2, ours: {_models(rows, 'topdown_l2_method')}")


def _stack(
    axes: Axes,
    at: Any,
    rows: pd.DataFrame,
    parts: tuple[tuple[str, str, str, str], ...] = PARTS,
    prefix: str = "",
    faded: bool = False,
) -> None:
    bottom = np.zeros(len(rows))
    for name, column, color, hatch in parts:
        if prefix + column not in rows or rows[prefix + column].isna().all():
            continue
        heights = rows[prefix + column].astype(float).fillna(0).to_numpy()
        axes.bar(
            at,
            heights,
            WIDTH,
            bottom=bottom,
            color=color,
            hatch=hatch,
            edgecolor="white",
            linewidth=0.4,
            alpha=0.45 if faded else 1.0,
            label=None if faded else name,
        )
        bottom += heights


def _substitute(axes: Axes, rows: pd.DataFrame) -> None:
    simulated = rows.where(rows["kind"] == "simulated")
    at = np.arange(len(rows))
    for number, (name, column) in enumerate(RELATIVE):
        beside = at + (number - 0.5) * (WIDTH + 0.04)
        ours = _relative(simulated, column).fillna(0)
        axes.bar(beside, ours, WIDTH, label=f"{name}, simulated")
        published = _relative(rows, f"published_{column}")
        label = "published, measured" if number == 0 else None
        axes.plot(
            beside, published, "D", color="black", markerfacecolor="white", zorder=3, label=label
        )
    for x, row in zip(at, rows.to_dict("records"), strict=True):
        if row["kind"] != "simulated":
            axes.annotate(outcome(row["outcome"]), (x, 0.02), rotation=90, ha="center", fontsize=7)
    axes.axhline(1, color="0.35", linewidth=0.9, zorder=1)
    axes.set_ylabel("relative to the baseline")
    axes.set_ylim(bottom=0)
    axes.legend(ncols=3, loc="lower center", bbox_to_anchor=(0.5, 1.0), fontsize=7)
    model = _models(rows[rows["kind"] == "simulated"], "model")
    _ticks(axes, rows, f"SIMULATED by {model}: no hardware counters here, so no top-down shares")


def _relative(rows: pd.DataFrame, column: str) -> pd.Series:
    if column not in rows:
        return pd.Series(np.nan, index=rows.index)
    reference = rows.loc[rows["pipeline"] == rows["baseline"], column].astype(float)
    if reference.empty:
        return pd.Series(np.nan, index=rows.index)
    return rows[column].astype(float) / reference.iloc[0]


def _why_not(axes: Axes, rows: pd.DataFrame) -> None:
    reasons = rows["reason"].dropna().map(one_line).unique()
    text = "No hardware counters and no simulation here.\n\n" + "\n\n".join(
        textwrap.fill(str(reason), 70) for reason in reasons[:3]
    )
    axes.set_axis_off()
    axes.text(0.5, 0.5, text, ha="center", va="center", fontsize=8, transform=axes.transAxes)


def _models(rows: pd.DataFrame, column: str) -> str:
    return " / ".join(str(value) for value in rows[column].dropna().unique() if value)


def _ticks(axes: Axes, rows: pd.DataFrame, note: str) -> None:
    names = [str(n).removeprefix("config") for n in rows["pipeline"]]
    short = ["sparsifier" if name == "baseline" else name for name in names]
    axes.set_xticks(range(len(rows)), short)
    axes.grid(visible=False, axis="x")
    axes.set_xlabel("configuration\n" + textwrap.fill(note, 90), fontsize=7)

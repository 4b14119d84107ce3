"""Tables: from tidy rows to CSV (numbers), Markdown and LaTeX (as read)."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd
from tabulate import tabulate

from splyce_bench.compile.pipelines import Pipeline
from splyce_bench.files import write_text
from splyce_bench.report.counter_columns import counter_cells, counter_notes
from splyce_bench.report.published import Row, published_speedup, published_time
from splyce_bench.report.stability_notes import stability_notes
from splyce_bench.report.text import one_line, outcome, ratio, seconds
from splyce_bench.report.tidy import LIBRARY

PHASES = ("match", "compute", "advance")
APART = (
    "apart: a library, measured after the others in a process of its own, so the ratio is one of "
    "two medians and its interval that of both. Operands were converted to CSR before; the product "
    "is allocated by the call and stays sparse, where the kernels add into a dense array."
)
OTHER_SIZES = (
    "Published times are those of the paper's own sizes and machine: compare speedups, not times."
)


@dataclass(frozen=True)
class Heading:
    """What stands around a table: title and caption, the scale, and the goals below its notes."""

    title: str
    caption: str
    scale: str
    goals: tuple[str, ...] = ()


def write_table(
    rows: pd.DataFrame, pipelines: dict[str, Pipeline], stem: Path, text: Heading
) -> None:
    """Write `<stem>.csv`, `.md` and `.tex`."""
    cells: list[dict[Any, Any]] = [
        {**row, "published_s": published_time(row), "published_speedup": published_speedup(row)}
        for row in rows.to_dict("records")
    ]
    references = {_where(c, cells): c for c in cells if c["pipeline"] == c["baseline"]}
    shown = [
        {"input": one_line(_where(cell, cells))}
        | _shown(cell, pipelines)
        | counter_cells(cell, references.get(_where(cell, cells), {}))
        for cell in cells
    ]
    write_forms(pd.DataFrame(cells), shown, lambda s: _notes(cells, s, text.scale), stem, text)


def write_forms(
    numbers: pd.DataFrame,
    cells: Sequence[dict[str, str]],
    notes_of: Callable[[pd.DataFrame], list[str]],
    stem: Path,
    text: Heading,
) -> None:
    """Write the numbers as CSV, and what is shown, without empty columns, as Markdown and LaTeX."""
    shown = pd.DataFrame(cells).fillna("-")
    shown = shown.loc[:, [c for c in shown.columns if not (shown[c] == "-").all()]]
    notes = [*notes_of(shown), *map(one_line, text.goals)]
    write_text(stem.with_suffix(".csv"), numbers.to_csv(index=False))
    head = f"**{text.title}.** {one_line(text.caption)}"
    markdown = [head, "", _tabulated(shown, "github"), "", *(f"{note}\n" for note in notes)]
    write_text(stem.with_suffix(".md"), "\n".join(markdown).rstrip() + "\n")
    comments = [f"% {line}" for line in [text.title, one_line(text.caption), *notes]]
    latex = [*comments, _tabulated(shown, "latex_booktabs")]
    write_text(stem.with_suffix(".tex"), "\n".join(latex) + "\n")


def _tabulated(shown: pd.DataFrame, format: str) -> str:
    values = shown.to_numpy().tolist()
    return tabulate(values, list(shown.columns), format, disable_numparse=True)


def _where(row: Row, cells: Sequence[Row]) -> str:
    """Name a row's input, after its kernel where the table has several."""
    several = len({cell["kernel"] for cell in cells}) > 1
    return f"{row['kernel']}, {row['input']}" if several else str(row["input"])


def _shown(row: Row, pipelines: dict[str, Pipeline]) -> dict[str, str]:
    name = str(row["pipeline"])
    pipeline = pipelines.get(name)
    label = pipeline.label if pipeline else name
    cells = {"pipeline": one_line(label)}
    if str(row["experiment"]).startswith("table"):
        cells |= _phases(pipeline)
    if row["outcome"] != "measured":
        return cells | {"time": outcome(str(row["outcome"]))}
    apart = " apart" if row.get("made_by") == LIBRARY else ""
    cells |= {
        "time": seconds(row["time_s"]),
        # A library makes its result itself; there is nothing to set to zero before.
        "with zeroing": "-" if apart else seconds(float(row["time_s"]) + float(row["zero_s"])),
        "speedup": ratio(row["speedup"], row["speedup_low"], row["speedup_high"]) + apart,
        "published time": seconds(row["published_s"]),
        "published speedup": ratio(row["published_speedup"]).replace("n/a", "-"),
    }
    return cells


def _phases(pipeline: Pipeline | None) -> dict[str, str]:
    text = " ".join(pipeline.transform) if pipeline else ""
    found = re.search(r"vectorize=([\w,]*)", text)
    if not found:
        return dict.fromkeys(PHASES, "-")
    chosen = found.group(1).split(",")
    return {phase: "SIMD" if phase in chosen else "scalar" for phase in PHASES}


def _notes(cells: Sequence[Row], shown: pd.DataFrame, scale: str) -> list[str]:
    notes = [
        f"Scale: {scale}. Times are medians of one kernel call; speedups are medians of ratios "
        "within repetitions, with their intervals."
    ]
    if scale != "paper" and "published time" in shown.columns:
        notes.append(OTHER_SIZES)
    if any(c.get("made_by") == LIBRARY and c["outcome"] == "measured" for c in cells):
        notes.append(APART)
    notes += counter_notes(list(cells))
    for cell in cells:
        where = f"{_where(cell, cells)}, {cell['pipeline']}"
        if cell["outcome"] != "measured":
            notes.append(one_line(f"{where}: {outcome(cell['outcome'])}: {cell['reason']}"))
        elif ratio(cell["speedup"]) == "n/a":
            notes.append(one_line(f"{where}: no speedup: {_why_no_speedup(cell, cells)}"))
    capped = [c for c in cells if str(c["stopped_by"]).startswith("max_")]
    caps = {_where(c, cells): c["stopped_by"] for c in capped}
    for name, cap in caps.items():
        what = cap.removeprefix("max_")
        notes.append(
            f"{one_line(name)}: stopped by the cap in {what} before every interval was narrow."
        )
    return [*notes, *stability_notes(pd.DataFrame(cells))]


def _why_no_speedup(cell: Row, cells: Sequence[Row]) -> str:
    """Say why a cell that was measured has no ratio."""
    place = cell["kernel"], cell["input"]
    baselines = [c for c in cells if c["pipeline"] == c["baseline"]]
    reference = [c for c in baselines if (c["kernel"], c["input"]) == place]
    if not any(c["outcome"] == "measured" for c in reference):
        return f"{cell['baseline']} was not measured"
    if any(c["time_s"] <= 0 for c in [cell, *reference]):
        return "a time of zero"
    return "it did not rewrite the loops it promised to"

"""Tables: from tidy rows to CSV (numbers), Markdown and LaTeX (as read)."""

import re
from pathlib import Path

import pandas as pd
from tabulate import tabulate

from splyce_bench.compile.pipelines import Pipeline
from splyce_bench.files import write_text
from splyce_bench.report.published import Row, published_speedup, published_time
from splyce_bench.report.text import outcome, ratio, seconds

PHASES = ("match", "compute", "advance")
COUNTERS = ("instructions", "IPC", "branch misses")
NO_COUNTERS = (
    "instructions, IPC and branch misses: not available here, no hardware counters were read."
)


def write_table(
    rows: pd.DataFrame, pipelines: dict[str, Pipeline], stem: Path, title: str, scale: str
) -> None:
    """Write `<stem>.csv`, `.md` and `.tex`."""
    cells = [
        {**row, "published_s": published_time(row), "published_speedup": published_speedup(row)}
        for row in rows.to_dict("records")
    ]
    numbers = pd.DataFrame(cells)
    shown = pd.DataFrame([_shown(cell, pipelines) for cell in cells]).fillna("-")
    shown = shown.loc[:, [c for c in shown.columns if not (shown[c] == "-").all()]]
    notes = _notes(numbers, shown, scale)
    write_text(stem.with_suffix(".csv"), numbers.to_csv(index=False))
    body = tabulate(shown.values.tolist(), list(shown.columns), "github", disable_numparse=True)
    write_text(stem.with_suffix(".md"), f"**{title}**\n\n{body}\n\n" + "\n".join(notes) + "\n")
    latex = tabulate(
        shown.values.tolist(), list(shown.columns), "latex_booktabs", disable_numparse=True
    )
    comments = "".join(f"% {note}\n" for note in [title, *notes])
    write_text(stem.with_suffix(".tex"), comments + latex + "\n")


def _shown(row: Row, pipelines: dict[str, Pipeline]) -> dict[str, str]:
    name = str(row["pipeline"])
    pipeline = pipelines.get(name)
    cells = {"input": str(row["input"]), "pipeline": pipeline.label if pipeline else name}
    if str(row["experiment"]).startswith("table"):
        cells |= _phases(pipeline)
    if row["outcome"] != "measured":
        return cells | {"time": outcome(str(row["outcome"]))}
    zeroing = float(row["time_s"]) + float(row["zero_s"])
    cells |= {
        "time": seconds(row["time_s"]),
        "with zeroing": seconds(zeroing),
        "speedup": ratio(row["speedup"], row["speedup_low"], row["speedup_high"]),
        "published time": seconds(row["published_s"]),
        "published speedup": ratio(row["published_speedup"]).replace("n/a", "-"),
    }
    if str(row["experiment"]).startswith("table"):
        cells |= dict.fromkeys(COUNTERS, "n/a")
    return cells


def _phases(pipeline: Pipeline | None) -> dict[str, str]:
    text = " ".join(pipeline.transform) if pipeline else ""
    found = re.search(r"vectorize=([\w,]*)", text)
    if not found:
        return dict.fromkeys(PHASES, "-")
    chosen = found.group(1).split(",")
    return {phase: "SIMD" if phase in chosen else "scalar" for phase in PHASES}


def _notes(rows: pd.DataFrame, shown: pd.DataFrame, scale: str) -> list[str]:
    notes = [
        f"Scale: {scale}. Times are medians of one kernel call; speedups are medians of ratios "
        "within repetitions, with their intervals."
    ]
    if COUNTERS[0] in shown.columns:
        notes.append(NO_COUNTERS)
    cells = rows.to_dict("records")
    for cell in cells:
        if cell["outcome"] != "measured":
            where = f"{cell['input']}, {cell['pipeline']}"
            notes.append(f"{where}: {outcome(cell['outcome'])}: {cell['reason']}")
    caps = {c["input"]: c["stopped_by"] for c in cells if str(c["stopped_by"]).startswith("max_")}
    for name, cap in caps.items():
        what = cap.removeprefix("max_")
        notes.append(f"{name}: stopped by the cap in {what} before every interval was narrow.")
    return notes

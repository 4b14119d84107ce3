"""Notes on cells that are unstable, drift or fall in two modes, from tidy rows."""

from collections.abc import Callable, Iterator

import pandas as pd

from splyce_bench.report.cell_verdict import UNSTABLE
from splyce_bench.report.published import Row
from splyce_bench.report.text import one_line, ratio

NONE = "none unstable, none drifts, none falls in two groups"


def stability_notes(rows: pd.DataFrame) -> list[str]:
    """Return one note an input and finding, with the pipelines it is about."""
    if "verdict" not in rows:
        # Counters have no samples whose scatter could be judged.
        return []
    shown = [c for c in ("kernel", "cores") if rows[c].nunique() > 1]
    notes = []
    for _, mine in rows.groupby(["kernel", "input", "cores"], sort=False):
        cells = mine.to_dict("records")
        where = one_line(_place(cells[0], shown))
        for text, tell in _FINDINGS:
            if told := [f"{row['pipeline']} {seen}" for row in cells if (seen := tell(row))]:
                notes.append(f"{where}: {text}: {', '.join(told)}.")
    return notes


def _place(row: Row, shown: list[str]) -> str:
    parts = {"kernel": str(row["kernel"]), "cores": f"{row['cores']} cores"}
    before = [parts["kernel"]] if "kernel" in shown else []
    after = [parts["cores"]] if "cores" in shown else []
    return ", ".join([*before, str(row["input"]), *after])


def _unstable(row: Row) -> str:
    if row["verdict"] != UNSTABLE:
        return ""
    return ratio(row["speedup"], row["speedup_low"], row["speedup_high"])


def _drift(column: str) -> Callable[[Row], str]:
    def tell(row: Row) -> str:
        value = row[f"{column}_drift"]
        return "" if pd.isna(value) else f"{100 * value:+.1f} %"

    return tell


def _modes(column: str) -> Callable[[Row], str]:
    def tell(row: Row) -> str:
        apart = row[f"{column}_modes_ratio"]
        if bool(pd.isna(apart)):
            return ""
        share = 100 * row[f"{column}_upper_share"]
        return f"{100 * (apart - 1):.1f} % apart, {share:.0f} % in the upper"

    return tell


_FINDINGS: tuple[tuple[str, Callable[[Row], str]], ...] = (
    ("unstable, the interval is wider than the difference from 1", _unstable),
    ("speedup drifts over the repetitions", _drift("speedup")),
    ("time drifts over the repetitions", _drift("time")),
    ("speedup falls in two groups", _modes("speedup")),
    ("time falls in two groups", _modes("time")),
)


def stability_summary(rows: pd.DataFrame) -> str:
    """Count the findings of a run in one line; '' when nothing was measured."""
    measured = rows[rows["outcome"] == "measured"] if len(rows) else rows
    if not len(measured):
        return ""
    told = "; ".join(_counted(measured)) or NONE
    return f"Of {len(measured)} measured cells: {told}. No sample was left out."


def _counted(rows: pd.DataFrame) -> Iterator[str]:
    cells = rows.to_dict("records")
    for text, tell in _FINDINGS:
        if count := sum(bool(tell(row)) for row in cells):
            yield f"{count} {text.partition(',')[0]}"

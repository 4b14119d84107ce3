"""Counter columns of tables, measured or simulated; their names say which."""

from typing import Any

import pandas as pd

from splyce_bench.report.counters import COUNTS, SHARES, counter_rows
from splyce_bench.report.published import Row
from splyce_bench.report.records import Record

PLACE = ["kernel", "input", "cores", "pipeline"]
KEPT = [*PLACE, "kind", "model", *COUNTS, *(f"{name}_pct" for name in SHARES), "scaled", "reason"]
ABOUT = ("kind", "model", "scaled", "reason")


def with_counters(rows: pd.DataFrame, records: list[Record]) -> pd.DataFrame:
    """Return tidy rows with the counters of the same cells beside them."""
    if not records:
        return rows
    counted = counter_rows(records)[KEPT]
    counted = counted.rename(columns={name: f"counter_{name}" for name in ABOUT})
    return rows.merge(counted, how="left", on=PLACE)


def counter_cells(row: Row, reference: Row) -> dict[str, str]:
    """Return the counter columns of a row; `reference` is the baseline's on the same input."""
    kind = row.get("counter_kind")
    if kind not in ("measured", "simulated"):
        return {}
    said = ", simulated" if kind == "simulated" else ""
    cells = {
        f"instructions{said}": _beside(row, reference, "instructions"),
        f"branch misses{said}": _beside(row, reference, "branch_misses"),
    }
    if _has(row, "cycles"):
        cells["IPC"] = f"{row['instructions'] / row['cycles']:.2f}"
    if _has(row, "backend_bound_pct"):
        cells["backend bound"] = f"{row['backend_bound_pct']:.0f} %"
    return cells


def counter_notes(rows: list[Row]) -> list[str]:
    """Say where the counters come from, or why there are none."""
    kinds = {str(row.get("counter_kind")) for row in rows}
    models = ", ".join(sorted({str(r["counter_model"]) for r in rows if _has(r, "counter_model")}))
    if "simulated" in kinds:
        return [
            f"Instructions and branch misses a call are SIMULATED by {models} on an AVX2 build and "
            "on inputs with short outer loops; in brackets relative to the baseline."
        ]
    if "measured" in kinds:
        return [f"Counters a call, read by perf on {models}; in brackets relative to the baseline."]
    reasons = list(
        dict.fromkeys(str(r["counter_reason"]) for r in rows if _has(r, "counter_reason"))
    )
    return [f"Counters: not available here: {reason}" for reason in reasons[:1]]


def _beside(row: Row, reference: Row, name: str) -> str:
    if not _has(row, name):
        return "n/a"
    shown = _short(float(row[name]))
    if not _has(reference, name) or not reference[name]:
        return shown
    return f"{shown} ({row[name] / reference[name]:.2f}x)"


def _short(value: float) -> str:
    for unit, size in (("G", 1e9), ("M", 1e6), ("k", 1e3)):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value:.0f}"


def _has(row: Row, name: str) -> Any:
    return name in row and not pd.isna(row[name])

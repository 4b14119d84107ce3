"""Counter records as rows, one a group and pipeline, and the paper's counters beside them."""

from collections.abc import Iterable
from typing import Any

import pandas as pd

from splyce_bench.report.published import published_counters
from splyce_bench.report.records import Record

COUNTS = ("cycles", "instructions", "branches", "branch_misses")
SHARES = ("retiring", "backend_bound", "frontend_bound", "bad_speculation", "smt_contention")


def counter_rows(records: Iterable[Record]) -> pd.DataFrame:
    """Return the tidy table; units in names, `_pct` of pipeline slots, counts a call.

    Shares of level 2 are columns where a record has them, under the processor's own names.
    `kind` is measured, simulated or unavailable; `reason` says why values are missing.
    """
    return pd.DataFrame([_row(record, name) for record in records for name in record["counters"]])


def _row(record: Record, pipeline: str) -> dict[str, Any]:
    found = record["counters"][pipeline]
    shares = found["topdown_l1"] or {}
    published = published_counters(pipeline)
    return {
        "experiment": record["experiment"],
        "kernel": record["kernel"],
        "input": record["input"]["label"],
        "cores": record["cores"],
        "pipeline": pipeline,
        "baseline": record["baseline"],
        "outcome": record["cells"][pipeline]["outcome"],
        "kind": found["kind"],
        "model": found["model"],
        **{name: found[name] for name in COUNTS},
        **{f"{name}_pct": shares.get(name) for name in SHARES},
        "topdown_method": found["topdown_method"],
        **{f"{name}_pct": share for name, share in (found["topdown_l2"] or {}).items()},
        # Records from before it was kept have none.
        "topdown_l2_method": found.get("topdown_l2_method", ""),
        "scaled": " ".join(found["scaled"]),
        "reason": _reason(found),
        **{f"published_{name}": value for name, value in published.items()},
    }


def _reason(found: dict[str, Any]) -> str:
    """Return each reason once, with the fields that it holds for."""
    fields: dict[str, list[str]] = {}
    for field, reason in found["unavailable"].items():
        fields.setdefault(reason, []).append(field)
    return "; ".join(f"{', '.join(names)}: {reason}" for reason, names in fields.items())

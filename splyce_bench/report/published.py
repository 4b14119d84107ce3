"""The paper's numbers, by the cell they belong to."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

import pandas as pd

from splyce_bench.configuration import ROOT

Row = Mapping[Any, Any]

FOLDER = ROOT / "experiments" / "published"

# Pipeline of Figure 12 by vector width; 0 is the unmodified sparsifier.
WIDTHS = {0: "baseline", 2: "config5-w2", 4: "config5", 8: "config5-w8", 16: "config5-w16"}


@cache
def _table(name: str) -> pd.DataFrame:
    return pd.read_csv(FOLDER / f"{name}.csv")


def published_time(row: Row) -> float | None:
    """Return the paper's time in seconds for a tidy row, or None where the paper has none."""
    look_up = {
        "table1": _table1,
        "figure12": _figure12,
        "figure13": _figure13,
        "table3": _table3,
        "table4": _table4,
        "figure14": _real,
        "figure15": _real,
        "figure16": _real,
        "figure17": _figure17,
    }.get(str(row["experiment"]))
    return look_up(row) if look_up else None


def published_speedup(row: Row) -> float | None:
    """Return the paper's ratio to the unmodified sparsifier for a tidy row."""
    mine = published_time(row)
    reference = published_time({**row, "pipeline": row["baseline"]})
    return reference / mine if mine and reference else None


def _one(table: pd.DataFrame, column: str) -> float | None:
    return float(table[column].iloc[0]) if len(table) == 1 else None


def published_counters(pipeline: str) -> dict[str, float]:
    """Return the paper's counters of a configuration of Table 1; empty where it has none."""
    table = _configuration(pipeline)
    names = map(str, table.columns)
    columns = [c for c in names if c.endswith("_pct") or c in ("branch_misses", "instructions")]
    return {c: float(table[c].iloc[0]) for c in columns} if len(table) == 1 else {}


def _table1(row: Row) -> float | None:
    return _one(_configuration(str(row["pipeline"])), "time_s")


def _configuration(pipeline: str) -> pd.DataFrame:
    found = re.fullmatch(r"config([1-8])", pipeline)
    number = 0 if pipeline == "baseline" else int(found.group(1)) if found else -1
    table = _table("phase_ablation")
    return table[table["config"] == number]


def _figure12(row: Row) -> float | None:
    table = _table("vector_width")
    widths = [width for width, name in WIDTHS.items() if name == row["pipeline"]]
    chosen = (table["density_pct"] == row["density_pct"]) & table["vector_width"].isin(widths)
    return _one(table[chosen], "time_s")


def _figure13(row: Row) -> float | None:
    table = _table("sparsity_sweep")
    name = {"baseline": "baseline", "config5": "splyce"}.get(str(row["pipeline"]))
    chosen = (table["density_pct"] == row["density_pct"]) & (table["pipeline"] == name)
    return _one(table[chosen], "time_s")


def _real(row: Row) -> float | None:
    table = _table(f"sweep_{row['kernel']}")
    chosen = _ids(table) == row["matrix"]
    column = _ours_or_theirs(row)
    return _one(table[chosen], column) if column else None


def _ours_or_theirs(row: Row) -> str | None:
    return {"baseline": "baseline_s", "config5": "splyce_s"}.get(str(row["pipeline"]))


def _table3(row: Row) -> float | None:
    table = _table("synthetic_speedup")
    column = _ours_or_theirs(row)
    return _one(table[table["kernel"] == row["kernel"]], column) if column else None


def _table4(row: Row) -> float | None:
    table = _table("real_world")
    chosen = (table["kernel"] == row["kernel"]) & (_ids(table) == row["matrix"])
    column = _ours_or_theirs(row)
    return _one(table[chosen], column) if column else None


def _ids(table: pd.DataFrame) -> "pd.Series[str]":
    """Return Group/Name; two groups may each have a matrix of one name."""
    return table["group"] + "/" + table["matrix"]


def _figure17(row: Row) -> float | None:
    if row["input"] != "5 %":
        return None
    counts, ratios = published_scaling(str(row["pipeline"]))
    reference = float(_table("core_scaling")["time_s"].iloc[0])
    found = dict(zip(counts, ratios, strict=True)).get(int(row["cores"]))
    return reference / found if found else None


def published_order(kernel: str) -> list[str]:
    """Return the matrices of a sweep (Group/Name) in the paper's order; none without a sweep."""
    if not (FOLDER / f"sweep_{kernel}.csv").exists():
        return []
    return [str(id) for id in _ids(_table(f"sweep_{kernel}"))]


def published_scaling(pipeline: str) -> tuple[list[int], list[float]]:
    """Return the core counts of Figure 17 and the speedups over one core of the baseline."""
    table = _table("core_scaling")
    reference = float(table[table["pipeline"] == "baseline"]["time_s"].iloc[0])
    mine = table[table["pipeline"] == {"config5": "splyce"}.get(pipeline, pipeline)]
    return [int(c) for c in mine["cores"]], [reference / float(t) for t in mine["time_s"]]


def published_sweep(kernel: str) -> list[dict[Any, Any]]:
    """Return the rows of a sweep of Figures 14 to 16, with `id` as Group/Name."""
    table = _table(f"sweep_{kernel}")
    return table.assign(id=_ids(table)).to_dict("records")

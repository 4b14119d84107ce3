"""Tables 3 and 4: a row a kernel and input, the sparsifier beside the fast lane."""

import math
from pathlib import Path
from typing import Any

import pandas as pd

from splyce_bench.report.published import Row, published_speedup, published_time
from splyce_bench.report.stability_notes import stability_notes
from splyce_bench.report.tables import Heading, write_forms
from splyce_bench.report.text import one_line, outcome, ratio, seconds
from splyce_bench.stats import Estimate, geometric_mean_estimate

SCALE = (
    "Scale: {scale}. Times are medians of one kernel call; speedups are medians of ratios within "
    "repetitions, with their intervals."
)
PUBLISHED = "Published times are those of the paper's own sizes and machine."


def write_comparison(rows: pd.DataFrame, stem: Path, text: Heading) -> None:
    """Write `<stem>.csv`, `.md` and `.tex`."""
    numbers = [
        {**row, "published_s": published_time(row), "published_speedup": published_speedup(row)}
        for row in rows.to_dict("records")
    ]
    references = {_place(row): row for row in numbers if row["pipeline"] == row["baseline"]}
    ours = [row for row in numbers if row["pipeline"] != row["baseline"]]
    cells = [_shown(row, references[_place(row)]) for row in ours]
    summary = _summary(ours)

    def notes(_: pd.DataFrame) -> list[str]:
        if not numbers:
            return ["No input of this run is for this table."]
        fixed = [SCALE.format(scale=text.scale), PUBLISHED, *summary]
        return [*fixed, *_missing(numbers), *stability_notes(rows)]

    write_forms(pd.DataFrame(numbers), cells, notes, stem, text)


def _place(row: Row) -> tuple[Any, ...]:
    return row["kernel"], row["input"], row["cores"]


def _shown(row: Row, reference: Row) -> dict[str, str]:
    cells = {
        "kernel": str(row["kernel"]),
        "input": one_line(row["input"]),
        "rows": _count(row.get("rows")),
        "stored": _count(row.get("stored")),
        "density %": _three(row.get("matrix_density_pct")),
        "row mean": _three(row.get("row_mean")),
        "row max": _count(row.get("row_max")),
        "SIMD(%)": _three(row.get("simd_pct")),
        "cores": _count(row["cores"]),
        "sparsifier": seconds(reference["time_s"]),
        "fast lane": seconds(row["time_s"]),
        "speedup": ratio(row["speedup"], row["speedup_low"], row["speedup_high"]),
        "published sparsifier": seconds(reference["published_s"]),
        "published fast lane": seconds(row["published_s"]),
        "published speedup": ratio(row["published_speedup"]).replace("n/a", "-"),
    }
    if row["outcome"] != "measured":
        cells["speedup"] = outcome(str(row["outcome"]))
    return cells


def _count(value: object) -> str:
    return "-" if pd.isna(value) else f"{int(value):,}"  # type: ignore[call-overload]


def _three(value: object) -> str:
    return "-" if pd.isna(value) else f"{float(value):.3g}"  # type: ignore[call-overload, arg-type]


def _summary(rows: list[dict[Any, Any]]) -> list[str]:
    """Say the range and the geometric mean, ours and published, over the same rows."""
    found = [r for r in rows if not pd.isna(r["speedup"])]
    if len(found) < 2:
        return []
    mean = geometric_mean_estimate([_estimate(row) for row in found])
    values = [r["speedup"] for r in found]
    shown = ratio(mean.value, mean.low, mean.high)
    lines = [
        f"Speedups of {len(found)} rows: {min(values):.2f}x to {max(values):.2f}x, "
        f"geometric mean {shown}."
    ]
    paper = [r["published_speedup"] for r in found if r["published_speedup"]]
    if len(paper) > 1:
        theirs = geometric_mean_estimate([Estimate(v, v, v, 1) for v in paper]).value
        lines.append(
            f"Published for {len(paper)} of them: {min(paper):.2f}x to {max(paper):.2f}x, "
            f"geometric mean {theirs:.2f}x."
        )
    return lines


def _estimate(row: Row) -> Estimate:
    bounded = not pd.isna(row["speedup_high"])
    ends = (row["speedup_low"], row["speedup_high"]) if bounded else (0.0, math.inf)
    return Estimate(row["speedup"], ends[0], ends[1], row["repetitions"])


def _missing(rows: list[dict[Any, Any]]) -> list[str]:
    told = {
        one_line(f"{r['kernel']}, {r['input']}: {outcome(r['outcome'])}: {r['reason']}"): None
        for r in rows
        if r["outcome"] != "measured"
    }
    return list(told)

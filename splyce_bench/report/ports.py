"""The table of port pressure: what each block of an innermost loop needs, by llvm-mca's model."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd

from splyce_bench.compile.pipelines import Pipeline
from splyce_bench.report.records import Record
from splyce_bench.report.tables import Heading, write_forms
from splyce_bench.report.text import one_line

TITLE = "Static port pressure of the innermost loops"
CAPTION = (
    "Cycles that one pass through a block keeps each execution port busy, by the scheduling model "
    "of llvm-mca: static, not measured."
)
# Columns of the CSV in front of one a port.
ABOUT = ("kernel", "pipeline", "model", "loop", "block", "instructions", "block_cycles")
# Ports of equal pressure beyond these are not told; the CSV has all.
SHOWN_PORTS = 4


def port_rows(records: Iterable[Record]) -> pd.DataFrame:
    """Return a row a block: cycles by port in columns named after it, zero where it is idle."""
    rows = {(row["kernel"], row["pipeline"], row["block"]): row for row in _rows(records)}
    table = pd.DataFrame(rows.values(), columns=None if rows else list(ABOUT))
    ports = sorted(set(table.columns) - set(ABOUT))
    return table.fillna(dict.fromkeys(ports, 0.0))[[*ABOUT, *ports]]


def _rows(records: Iterable[Record]) -> Iterator[dict[str, Any]]:
    for record in records:
        for pipeline, found in record["static"].items():
            for block in found.get("blocks", []):
                about = {"kernel": record["kernel"], "pipeline": pipeline, "model": found["model"]}
                said = {name: block[name] for name in ABOUT if name in block}
                yield {**about, **said, **block["pressure"]}


def write_ports(
    records: list[Record], pipelines: dict[str, Pipeline], stem: Path, scale: str
) -> None:
    """Write `<stem>.csv` with every block; the others show epilogues only where nothing else is."""
    rows = port_rows(records)
    shown = [_shown(row, pipelines) for row in rows.to_dict("records") if row["loop"] != "epilogue"]
    write_forms(rows, shown, lambda _: _notes(records, rows), stem, Heading(TITLE, CAPTION, scale))


def _shown(row: dict[Any, Any], pipelines: dict[str, Pipeline]) -> dict[str, str]:
    pipeline = pipelines.get(row["pipeline"])
    ports = {name: row[name] for name in row if name not in ABOUT and row[name] > 0}
    most = sorted(ports, key=lambda name: (-ports[name], name))[:SHOWN_PORTS]
    return {
        "kernel": row["kernel"],
        "pipeline": one_line(pipeline.label if pipeline else row["pipeline"]),
        "loop": row["loop"],
        "block": row["block"],
        "instructions": str(row["instructions"]),
        "cycles of the block": f"{row['block_cycles']:.1f}",
        "busiest ports": ", ".join(f"{name} {ports[name]:.1f}" for name in most),
    }


def _notes(records: list[Record], rows: pd.DataFrame) -> list[str]:
    reasons = dict.fromkeys(
        f"{name}: no static analysis: {one_line(found['reason'])}"
        for record in records
        for name, found in record["static"].items()
        if "reason" in found
    )
    if rows.empty:
        return list(reasons)
    models = ", ".join(sorted(set(rows["model"])))
    return [
        f"Port pressure, STATIC, by {models}: every branch falls through and every load hits the "
        "first-level cache. It tells which port a block presses on, not how long a kernel takes.",
        "The blocks of the scalar epilogue, and all ports, are in the CSV file.",
        *reasons,
    ]

"""A results folder as a comparison reads it."""

from dataclasses import dataclass
from pathlib import Path

from splyce_bench.errors import UserError
from splyce_bench.report.records import Record, all_records_of

Place = tuple[str, str, str, int]


@dataclass(frozen=True)
class Run:
    """The group records of a run by (experiment, kernel, input id, cores)."""

    folder: Path
    groups: dict[Place, Record]

    @property
    def records(self) -> list[Record]:
        """The records, in a fixed order."""
        return list(self.groups.values())


def load_run(folder: Path) -> Run:
    """Read a results folder; UserError when it has no measurement."""
    if not folder.is_dir():
        near = sorted(str(p) for p in folder.parent.glob("*") if (p / "raw").is_dir())
        there = f"; there is: {', '.join(near)}" if near else ""
        raise UserError(f"{folder}: no such folder; give a results folder{there}")
    groups = {_place(record): record for record in all_records_of(folder)}
    if not groups:
        raise UserError(
            f"{folder}: no measurement in {folder / 'raw'}; give a folder that "
            "`snakemake TARGET` has written, such as results/smoke"
        )
    return Run(folder, groups)


def _place(record: Record) -> Place:
    return record["experiment"], record["kernel"], record["input"]["id"], record["cores"]


def told(place: Place, record: Record) -> str:
    """Return a group in words."""
    experiment, kernel, _, cores = place
    return f"{experiment}: {kernel}, {record['input']['label']}, c{cores}"

"""The last word of a run: every cell that was not measured, and whether the run failed."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from splyce_bench.files import read_json, write_json, write_text

# These may come out otherwise when the same command is given again; the rest is a property of the
# machine.
RETRIED = ("failed", "absent")
# Where the records of such groups go, below the results folder.
FAILED = "failed"


def unmeasured(record: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    """Yield (cell, outcome, reason) of each cell of a group that was not measured.

    The control is one of them where its baseline was timed; counters have none.
    """
    cells = dict(record["cells"])
    if "control" in record and cells[record["baseline"]]["outcome"] == "measured":
        cells[record["control"]["pipeline"]] = record["control"]
    for pipeline, cell in cells.items():
        if cell["outcome"] != "measured":
            name = f"{record['experiment']}/{record['group']}/{pipeline}"
            yield name, cell["outcome"], cell["reason"]


def check_results(run: Path, paths: list[Path], out: Path, log: Path) -> int:
    """Print the cells that are not measured; set failed groups aside and return 1 if one failed.

    A group set aside goes to `<run>/failed/`, so that the next call of the same command measures
    it again, and nothing is lost.
    """
    rows = []
    for path in paths:
        found = list(unmeasured(read_json(path)))
        rows += found
        if any(outcome in RETRIED for _, outcome, _ in found):
            _set_aside(run, path)
    failed = any(outcome == "failed" for _, outcome, _ in rows)
    lines = list(_told(rows))
    if failed:
        lines.append("error: some cells failed; the same command measures just those again")
    write_text(log, "".join(f"{line}\n" for line in lines))
    print("\n".join(lines))
    if failed:
        return 1
    write_json(out, {"groups": len(paths), "not_measured": [list(row) for row in rows]})
    return 0


def _told(rows: list[tuple[str, str, str]]) -> Iterator[str]:
    """Yield a line a reason, so that forty cells without a core do not hide the one that failed."""
    by_reason: dict[tuple[str, str], list[str]] = {}
    for name, outcome, reason in rows:
        by_reason.setdefault((outcome, reason), []).append(name)
    for (outcome, reason), names in sorted(by_reason.items(), key=_failed_last):
        more = f" and {len(names) - 2} more" if len(names) > 2 else ""
        yield f"{outcome.replace('_', ' ')}: {', '.join(names[:2])}{more}: {reason}"


def _failed_last(item: tuple[tuple[str, str], list[str]]) -> bool:
    return item[0][0] == "failed"


def _set_aside(run: Path, path: Path) -> None:
    target = run / FAILED / path.relative_to(run)
    target.parent.mkdir(parents=True, exist_ok=True)
    number = len(list(target.parent.glob(f"{target.stem}-*.json"))) + 1
    path.rename(target.with_name(f"{target.stem}-{number}.json"))

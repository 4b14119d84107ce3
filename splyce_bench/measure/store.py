"""The store of a run: finished groups under a key of what decides them; none is done twice."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from splyce_bench.files import read_json, write_json
from splyce_bench.measure.task import Task

Record = dict[str, Any]


def stored_or(path: Path, task: Task, make: Callable[[], Record]) -> Record:
    """Return the record kept at `path` under the task's names, or make it and keep it if whole."""
    if path.exists():
        message = "kept: the same objects, input, settings and machine were measured before"
        print(f"{task.group}: {message} (a new --config run=NAME measures again)")
        record = {**read_json(path), "experiment": task.experiment, "group": task.group}
        return {**record, "input": {**record["input"], **task.input_label}}
    record = make()
    if all_measured(record):
        write_json(path, record)
    return record


def all_measured(record: Record) -> bool:
    """True when every cell of a group was measured, and its control where it was wanted.

    Whether a library is installed is part of the key, so its absence is final.
    """
    control = record.get("control", {}).get("outcome", "measured")
    final = {True: ("measured",), False: ("measured", "not_available")}
    cells = all(
        cell["outcome"] in final[name in record["compiled"]]
        for name, cell in record["cells"].items()
    )
    return cells and control in ("measured", "not_available")

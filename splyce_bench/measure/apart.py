"""Measure libraries apart from the kernels: own process, own samples, never paired with theirs."""

import math
import time
from dataclasses import dataclass, field
from typing import Any

from splyce_bench.measure.session import CellError, Session
from splyce_bench.measure.task import Task
from splyce_bench.stats import estimate_median

WORKER = "splyce_bench.measure.library_worker"


@dataclass
class Apart:
    """What was measured of one library; the samples are marked `apart`."""

    state: dict[str, str]
    outcome: str = "measured"
    reason: str = ""
    check: dict[str, Any] = field(default_factory=dict)
    samples: list[dict[str, Any]] = field(default_factory=list)

    def to_json(self) -> dict[str, Any]:
        """Return what a record keeps of it beside outcome and samples."""
        return {**self.state, "check": self.check}


def measure_apart(task: Task, name: str, cpus: list[int]) -> Apart:
    """Load, check and sample a library on the group's input, on the group's processors."""
    found = Apart(task.libraries[name])
    timeout = task.settings["timeout_seconds"]
    with Session(cpus, module=WORKER) as session:
        try:
            loaded = session.ask(_load(task, found.state["library"], cpus), 600)
            if loaded["missing"]:
                found.outcome, found.reason = "not_available", loaded["missing"]
                return found
            check = {"do": "check", "oracle": str(task.scratch / "oracle")}
            found.check = session.ask(check, timeout)
            if not found.check["ok"]:
                found.outcome = "failed"
                found.reason = f"wrong result: {found.check['message']}"
                return found
            _sample(session, task.settings, name, found)
        except CellError as error:
            found.outcome, found.reason = "failed", str(error)
    return found


def _load(task: Task, library: str, cpus: list[int]) -> dict[str, Any]:
    folder = str(task.input.resolve())
    return {"do": "load", "library": library, "kernel": task.kernel, "input": folder, "cpus": cpus}


def _sample(session: Session, settings: dict[str, Any], name: str, found: Apart) -> None:
    """Sample until the interval of the median time is narrow or a cap is hit."""
    least_ns = settings["min_sample_ms"] * 1e6
    batch = max(1, math.ceil(least_ns / max(found.check["kernel_ns"], 1)))
    started = time.monotonic()
    times: list[float] = []
    while True:
        command = {"do": "sample", "batch": batch}
        answer = session.ask(command, settings["timeout_seconds"])
        sample = {"pipeline": name, "repetition": len(times), "warmup": False, "batch": batch}
        found.samples.append({**sample, **answer, "apart": True})
        times.append(answer["kernel_ns"])
        if _enough(times, time.monotonic() - started, settings):
            return


def _enough(times: list[float], seconds: float, settings: dict[str, Any]) -> bool:
    if len(times) < settings["min_repetitions"]:
        return False
    narrow = estimate_median(times, settings["confidence"]).width <= settings["interval_width"]
    capped = len(times) >= settings["max_repetitions"] or seconds >= settings["max_seconds"]
    return bool(narrow or capped)

"""Measure one group and record an outcome for each of its cells.

A pipeline that crashes, hangs or computes a wrong result costs its own cell: the others are loaded
into a fresh process and measured from the start, so that every ratio comes from one process. Where
it is the baseline, no ratio can come of the others, and the group ends there.
"""

import time
from typing import Any

from splyce_bench.measure.apart import Apart, measure_apart
from splyce_bench.measure.cells import Cells, Notify
from splyce_bench.measure.host import host_state
from splyce_bench.measure.key import group_key
from splyce_bench.measure.libraries import why_not_called
from splyce_bench.measure.others import OthersWatch
from splyce_bench.measure.sampling import Rounds, Sampler
from splyce_bench.measure.session import CellError, Session
from splyce_bench.measure.task import Task

# More than any core's caches can deliver: a kernel that seems to read its operands faster than
# this was not run (field report E5).
PLAUSIBLE_BYTES_PER_NS = 4000.0


class Group(Cells):
    """The measurement of one task."""

    def __init__(self, task: Task, notify: Notify) -> None:
        super().__init__(task, notify)
        self.samples: list[dict[str, Any]] = []
        self.apart: dict[str, Apart] = {}
        self.stopped_by = ""
        self.lanes: dict[str, Any] = {}

    def measure(self) -> dict[str, Any]:
        """Measure what can be measured here and return the record."""
        before, watch = host_state(), OthersWatch()
        names = self._available()
        ready = bool(names) and self._fits(names) and self._oracle(0, names)
        if ready:
            attempt = 0
            while names := self._left(names):
                culprit = self._attempt(names, attempt)
                attempt += 1
                if not culprit:
                    break
        for name in self.task.libraries:
            self._measure_library(name, ready)
        return self._record({"before": before, "after": host_state(), "others": watch.processors()})

    def _measure_library(self, name: str, ready: bool) -> None:
        """Measure a library apart; without an input or a result to expect it shares that fate."""
        task = self.task
        if not ready:
            self._set(name, **self.outcomes[task.baseline])
            return
        kernel, panels = task.made_kernel(), len(self.panels)
        if why := why_not_called(task.libraries[name], kernel, panels):
            self._set(name, "not_available", why)
            return
        self.notify(f"{name}: measured apart")
        self.apart[name] = measure_apart(task, name, self.cpus)
        self._set(name, self.apart[name].outcome, self.apart[name].reason)

    def _attempt(self, names: list[str], attempt: int) -> str:
        """Measure in fresh processes; return the pipeline that ended it early, or ''."""
        self.current = names[0]
        rounds = Rounds(self.task.settings, self.task.baseline, self.notify)
        first: dict[str, float] = {}
        try:
            while not rounds.are_done():
                with Session(self.cpus) as session:
                    self._load(session, list(first) or names)
                    first = first or self._first_calls(session, names)
                    if not first:
                        return ""
                    self._sample(session, rounds, first)
                    if rounds.are_done():
                        self._check_again(session, list(first))
        except CellError as error:
            self._set(self.current, "failed", str(error))
            return self.current
        self.samples = [{**sample, "attempt": attempt} for sample in rounds.samples]
        self.stopped_by = rounds.stopped_by
        for name in first:
            if name not in self.outcomes:
                self._set(name, *self._plausible(name))
        return ""

    def _first_calls(self, session: Session, names: list[str]) -> dict[str, float]:
        """Check every pipeline; return the nanoseconds of those to sample."""
        first = self._check_panels(session, names)
        left = self._without_long_control(self._left(names), first)
        return {name: first[name] for name in left}

    def _sample(self, session: Session, rounds: Rounds, first: dict[str, float]) -> None:
        sampler = Sampler(session, rounds, self.task.seed)
        try:
            sampler.run(first)
        except CellError:
            self.current = sampler.current
            raise

    def _check_again(self, session: Session, names: list[str]) -> None:
        """Check once more: a kernel that damages its operands or its neighbours shows now."""
        for self.current in names:
            self._check(session, self.current, self.expected)
        self._count_lanes(session)

    def _without_long_control(self, names: list[str], first: dict[str, float]) -> list[str]:
        """Leave the control out where its calls are longer than the configuration grants."""
        limit = self.task.settings["control_max_call_seconds"]
        if self.control not in names or limit is None or first[self.control] <= limit * 1e9:
            return names
        takes = f"a call takes {first[self.control] / 1e9:.0f} s"
        self._set(self.control, "not_available", f"{takes}, control_max_call_seconds: {limit}")
        return self._left(names)

    def _check_panels(self, session: Session, names: list[str]) -> dict[str, float]:
        """Check every pipeline on every panel; return the nanoseconds of each over all panels."""
        first = dict.fromkeys(names, 0.0)
        for panel in range(len(self.panels)):
            left = self._left(names)
            if not left or not self._oracle(panel, left):
                break
            for self.current in left:
                first[self.current] += self._check(session, self.current, panel)
        return first

    def _count_lanes(self, session: Session) -> None:
        """Count what each lane consumes; a failure here costs no measurement."""
        if not self.task.counted:
            return
        path = (self.task.counted / "kernel.so").resolve()
        try:
            command = {"do": "count_lanes", "object": str(path)}
            self.lanes = session.ask(command, self.task.settings["timeout_seconds"])
        except CellError as error:
            self.lanes = {"reason": str(error)}
            self.notify(f"lanes were not counted: {error}")

    def _plausible(self, name: str) -> tuple[str, str]:
        fastest = min(s["kernel_ns"] for s in self.samples if s["pipeline"] == name)
        least = self.loaded["operand_bytes"] / PLAUSIBLE_BYTES_PER_NS
        if fastest >= least:
            return "measured", ""
        return (
            "failed",
            f"implausibly fast: {fastest:.1f} ns, reading the operands takes {least:.1f}",
        )

    def _record(self, state: dict[str, Any]) -> dict[str, Any]:
        task = self.task
        return {
            **self._circumstances(),
            "key": group_key(task),
            "control": {"pipeline": self.control, **self._control_outcome()},
            "seconds": time.monotonic() - self.started,
            "finished": time.time(),
            "samples": [*self.samples, *(s for a in self.apart.values() for s in a.samples)],
            "apart": {name: found.to_json() for name, found in self.apart.items()},
            "stopped_by": self.stopped_by,
            "panels": len(self.panels),
            "settings": task.settings,
            "seed": task.seed,
            "lanes": self.lanes,
            "loaded": self.loaded,
            "state": state,
        }

    def _control_outcome(self) -> dict[str, Any]:
        missing = {"outcome": "absent", "reason": f"{self.task.baseline} was not measured"}
        return self.outcomes.get(self.control, missing)

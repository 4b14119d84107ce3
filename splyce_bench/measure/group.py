"""Measure one group and record an outcome for each of its cells.

A pipeline that crashes, hangs or computes a wrong result costs its own cell: the others are loaded
into a fresh process and measured from the start, so that every ratio comes from one process. Where
it is the baseline, no ratio can come of the others, and the group ends there.
"""

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from splyce_bench.errors import UserError
from splyce_bench.files import read_json
from splyce_bench.inputs.storage import open_tensor
from splyce_bench.measure.apart import Apart, measure_apart
from splyce_bench.measure.calls import index_sizes
from splyce_bench.measure.check import over_panels
from splyce_bench.measure.control import copy_object
from splyce_bench.measure.host import choose_cpus, cpu_flags, describe_host, host_state
from splyce_bench.measure.key import group_key
from splyce_bench.measure.libraries import why_not_called
from splyce_bench.measure.memory import Range, choose_panels, output_bytes
from splyce_bench.measure.provenance import software_state
from splyce_bench.measure.sampling import Rounds, Sampler
from splyce_bench.measure.session import CellError, Session
from splyce_bench.measure.task import RECORD_SCHEMA, Task
from splyce_bench.space import TooLargeError, usable_memory

# More than any core's caches can deliver: a kernel that seems to read its operands faster than
# this was not run (field report E5).
PLAUSIBLE_BYTES_PER_NS = 4000.0

Notify = Callable[[str], None]


class Group:
    """The measurement of one task."""

    def __init__(self, task: Task, notify: Notify) -> None:
        self.task, self.notify = task, notify
        self.started = time.monotonic()
        self.compiled = task.compiled()
        self.control = task.control
        self.cpus, self.placement = choose_cpus(task.cores, task.settings["cpus"])
        self.outcomes: dict[str, dict[str, Any]] = {}
        self.checks: dict[str, dict[int, Any]] = {}
        self.samples: list[dict[str, Any]] = []
        self.apart: dict[str, Apart] = {}
        self.loaded: dict[str, Any] = {}
        self.stopped_by = ""
        self.lanes: dict[str, Any] = {}
        self.panels: list[Range] = []
        self.expected = -1

    def measure(self) -> dict[str, Any]:
        """Measure what can be measured here and return the record."""
        before = host_state()
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
        return self._record(before)

    def _asked(self) -> list[str]:
        """Return what is timed: the pipelines, and the baseline once more."""
        return [*self.task.pipelines, self.control]

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

    def _left(self, names: list[str]) -> list[str]:
        """Return what has no outcome yet; nothing where the baseline was lost."""
        lost = self.outcomes.get(self.task.baseline)
        if lost and lost["outcome"] != "measured":
            reason = f"no ratio without {self.task.baseline}: {lost['reason']}"
            for name in self.task.pipelines:
                if name not in self.outcomes:
                    self._set(name, lost["outcome"], reason)
            return []
        return [name for name in names if name not in self.outcomes]

    def _set(self, name: str, outcome: str, reason: str = "") -> None:
        self.outcomes[name] = {"outcome": outcome, "reason": reason}
        if outcome != "measured":
            self.notify(f"{name}: {outcome.replace('_', ' ')}: {reason}")

    def _available(self) -> list[str]:
        task = self.task
        names = list(task.pipelines)
        made = read_json(task.input / "meta.json")
        if "outcome" in made:
            for name in names:
                self._set(name, made["outcome"], made["reason"])
            return []
        reason = ""
        if not self.cpus:
            reason = f"asked for {task.cores} cores, {self.placement}"
        elif task.threads < task.cores:
            reason = f"asked for {task.cores} cores, the scheduler gave {task.threads} (--cores)"
        for name in names:
            if why := self.compiled[name].get("unsupported"):
                told = " ".join(why.split())
                self._set(name, "failed", f"unsupported by this LLVM: {told}")
            elif why := reason or self.compiled[name].get("not_available") or self._lacking(name):
                self._set(name, "not_available", why)
        return self._left(self._asked())

    def _lacking(self, name: str) -> str:
        wanted = self.compiled[name]["pipeline"]["features"].split(",")
        # LLVM's avx512vp2intersect is Linux's avx512_vp2intersect.
        have = {flag.replace("_", "") for flag in cpu_flags()}
        missing = [f[1:] for f in wanted if f.startswith("+") and f[1:] not in have]
        return f"this processor has no {', '.join(missing)}" if missing else ""

    def _fits(self, names: list[str]) -> bool:
        """Choose the panels; what does not fit into the memory is too large."""
        kernel = self.task.made_kernel()
        try:
            operands = {a.tensor: open_tensor(self.task.input / a.tensor) for a in kernel.operands}
            sizes = index_sizes(kernel, operands)
            left = usable_memory() - sum(tensor.nbytes for tensor in operands.values())
            self.panels = choose_panels(kernel, sizes, left)
        except UserError as error:
            kind = "too_large" if isinstance(error, TooLargeError) else "failed"
            for name in names:
                self._set(name, kind, str(error))
            return False
        row = kernel.output.indices[0]
        parts = [{**sizes, row: stop - start} for start, stop in self.panels]
        self.output_bytes = max(output_bytes(kernel, part) for part in parts)
        return True

    def _oracle(self, panel: int, names: list[str]) -> bool:
        """Compute the expected result of a panel, unless it is the one at hand."""
        if self.expected == panel:
            return True
        part = f" of panel {panel + 1} of {len(self.panels)}" if len(self.panels) > 1 else ""
        self.notify(f"computing the expected result{part}")
        task = self.task
        rows = [str(row) for row in self.panels[panel]]
        command = [sys.executable, "-m", "splyce_bench.measure.oracle"]
        command += ["--kernel", json.dumps(task.kernel)]
        command += ["--input", str(task.input), "--out", str(task.scratch / "oracle")]
        command += ["--rows", *rows]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        if result.returncode:
            last = result.stderr.strip().splitlines()[-1:] or [f"exit code {result.returncode}"]
            for name in names:
                self._set(name, "failed", f"no expected result: {last[0]}")
        self.expected = panel if result.returncode == 0 else -1
        return result.returncode == 0

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

    def _load(self, session: Session, names: list[str]) -> None:
        """Load pipelines; CellError at one that would change what the others compute."""
        self.loaded = session.ask(self._load_command(names), 600)
        if changed := self.loaded["changes_float_control"]:
            self.current = changed[0]
            raise CellError(
                "loading it changes the rounding or flushes denormals in the whole process, as "
                "code linked with -ffast-math does"
            )

    def _load_command(self, names: list[str]) -> dict[str, Any]:
        task = self.task
        return {
            "do": "load",
            "cpus": self.cpus,
            "kernel": task.kernel,
            "input": str(task.input.resolve()),
            "runtime": str(task.runtime.resolve()),
            "panels": self.panels,
            "output_bytes": self.output_bytes,
            "objects": {name: str(self._object(name).resolve()) for name in names},
        }

    def _object(self, name: str) -> Path:
        if name != self.control:
            return self.task.pipelines[name] / "kernel.so"
        return copy_object(self.task.pipelines[self.task.baseline] / "kernel.so", self.task.scratch)

    def _check(self, session: Session, name: str, panel: int) -> float:
        oracle = str(self.task.scratch / "oracle")
        command = {"do": "check", "pipeline": name, "panel": panel, "oracle": oracle}
        answer = session.ask(command, self.task.settings["timeout_seconds"])
        self.checks.setdefault(name, {})[panel] = answer
        if len(answer["openmp"]) > 1:
            # They stay in the process, which is not fit for the others any more.
            raise CellError(f"two OpenMP runtimes in one process: {', '.join(answer['openmp'])}")
        if not answer["ok"]:
            self._set(name, "failed", f"wrong result: {answer['message']}")
        elif answer["threads"]["count"] < self.task.cores:
            ran = answer["threads"]["count"]
            self._set(name, "failed", f"asked for {self.task.cores} threads, {ran} ran")
        return float(answer["kernel_ns"])

    def _plausible(self, name: str) -> tuple[str, str]:
        fastest = min(s["kernel_ns"] for s in self.samples if s["pipeline"] == name)
        least = self.loaded["operand_bytes"] / PLAUSIBLE_BYTES_PER_NS
        if fastest >= least:
            return "measured", ""
        return (
            "failed",
            f"implausibly fast: {fastest:.1f} ns, reading the operands takes {least:.1f}",
        )

    def _record(self, before: dict[str, Any]) -> dict[str, Any]:
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
            "state": {"before": before, "after": host_state()},
        }

    def _circumstances(self) -> dict[str, Any]:
        """Return what every record of a group says: the question, the place, the outcomes."""
        task = self.task
        return {
            "schema": RECORD_SCHEMA,
            "experiment": task.experiment,
            "group": task.group,
            "kernel": task.kernel["name"],
            "baseline": task.baseline,
            "cores": task.cores,
            "input": {**task.input_label, "meta": read_json(task.input / "meta.json")},
            "cells": {n: self.outcomes[n] for n in [*task.pipelines, *task.libraries]},
            "checks": {name: over_panels(found) for name, found in self.checks.items()},
            "compiled": self.compiled,
            "placement": self.placement,
            "host": describe_host(),
            "toolchain": read_json(task.toolchain),
            "provenance": software_state(),
        }

    def _control_outcome(self) -> dict[str, Any]:
        missing = {"outcome": "absent", "reason": f"{self.task.baseline} was not measured"}
        return self.outcomes.get(self.control, missing)

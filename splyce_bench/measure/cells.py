"""The cells of a group before anything is timed: what can run here, fits, and is right.

Timing and counting both begin here: an outcome for each cell, the expected result, a process
that has loaded kernels and input, and the check of a result.
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
from splyce_bench.measure.calls import index_sizes
from splyce_bench.measure.check import over_panels
from splyce_bench.measure.control import copy_object
from splyce_bench.measure.host import choose_cpus, cpu_flags, describe_host, llvm_features
from splyce_bench.measure.memory import Range, choose_panels, output_bytes
from splyce_bench.measure.provenance import software_state
from splyce_bench.measure.session import CellError, Session
from splyce_bench.measure.task import RECORD_SCHEMA, Task
from splyce_bench.process import unasked_ending
from splyce_bench.space import TooLargeError, usable_memory

Notify = Callable[[str], None]


class Cells:
    """The outcomes of one task's cells, and what checks them."""

    def __init__(self, task: Task, notify: Notify) -> None:
        self.task, self.notify = task, notify
        self.started = time.monotonic()
        self.compiled = task.compiled()
        self.control = task.control
        self.cpus, self.placement = choose_cpus(task.cores, task.settings["cpus"])
        self.outcomes: dict[str, dict[str, Any]] = {}
        self.checks: dict[str, dict[int, Any]] = {}
        self.current = ""
        self.loaded: dict[str, Any] = {}
        self.panels: list[Range] = []
        self.expected = -1

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

    def _asked(self) -> list[str]:
        """Return what is timed: the pipelines, and the baseline once more."""
        return [*self.task.pipelines, self.control]

    def _lacking(self, name: str) -> str:
        wanted = self.compiled[name]["pipeline"]["features"].split(",")
        have = llvm_features(cpu_flags())
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
            last = result.stderr.strip().splitlines()[-1:] or [unasked_ending(result.returncode)]
            for name in names:
                self._set(name, "failed", f"no expected result: {last[0]}")
        self.expected = panel if result.returncode == 0 else -1
        return result.returncode == 0

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

"""The measuring process: loads one input and several kernels, obeys one JSON command a line.

It is a process of its own so that a crash or an endless call costs one cell, and so that nothing
but numpy and the kernels is loaded beside the OpenMP runtime. Commands on standard input, one
answer a line on standard output:

    {"do": "load", ...}                        -> host state, float control, clock step
    {"do": "check", "pipeline": name, ...}     -> comparison with the oracle's result
    {"do": "sample", "pipeline": name, "batch": n} -> nanoseconds a call
    {"do": "count_lanes", "object": path}      -> elements consumed by each lane, and matches
    {"do": "count", "pipeline": name, "batch": n, "control": fifo, "ack": fifo, "timeout_ms": t}
                                           -> status; perf counts the calls
    {"do": "simulate", "pipeline": name}   -> status; callgrind counts one call
"""

import hashlib
import json
import os
import sys
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np

from splyce_bench.inputs.storage import open_tensor
from splyce_bench.kernels.catalog import make_kernel
from splyce_bench.measure.calls import make_call, output_type
from splyce_bench.measure.check import compare
from splyce_bench.measure.host import openmp_runtimes, threads_that_ran
from splyce_bench.measure.panels import take_rows
from splyce_bench.measure.runtime import Runtime, lane_counters, load_kernel
from splyce_bench.process import die_with_parent

# What calculations leave in MXCSR by themselves.
SSE_FLAGS = 0x3F
PAGE = 4096


class Worker:
    """One loaded group."""

    def load(self, task: dict[str, Any]) -> dict[str, Any]:
        """Pin the process, map the operands, and load every kernel."""
        os.sched_setaffinity(0, task["cpus"])
        entry = task["kernel"]
        kernel = make_kernel(entry["name"], entry, entry["name"])
        folder = Path(task["input"])
        operands = {a.tensor: open_tensor(folder / a.tensor) for a in kernel.operands}
        dtype = output_type(kernel)
        memory = np.zeros(task["output_bytes"] // dtype.itemsize, dtype)
        self.calls = [
            make_call(kernel, take_rows(kernel, operands, tuple(rows)), memory)
            for rows in task["panels"]
        ]
        # Pages that are touched here are not mapped by the first timed call.
        for array in self.calls[0].keep:
            array.reshape(-1)[:: max(1, PAGE // array.itemsize)].max(initial=0)
        # A panel cuts one operand and repeats the others.
        self.operand_bytes = sum(int(array.nbytes) for array in self.calls[0].keep)
        self.runtime = Runtime(Path(task["runtime"]))
        self.kernels: dict[str, Callable[..., None]] = {}
        changed = [name for name, path in task["objects"].items() if self._changes(name, path)]
        self.first: dict[int, Any] = {}
        return {
            "clock_step_ns": self.runtime.number("splyce_clock_step"),
            "float_control": self.runtime.number("splyce_float_control"),
            "changes_float_control": changed,
            "operand_bytes": self.operand_bytes,
            "output_bytes": int(memory.nbytes),
            "panels": len(self.calls),
            "cpus": sorted(os.sched_getaffinity(0)),
        }

    def _changes(self, name: str, path: str) -> bool:
        """Load a kernel; True when that alone changes how this process computes (E13)."""
        before = self.runtime.number("splyce_float_control")
        self.kernels[name] = load_kernel(Path(path))
        changed = before ^ self.runtime.number("splyce_float_control")
        return bool(changed & ~SSE_FLAGS)

    def check(self, task: dict[str, Any]) -> dict[str, Any]:
        """Run a kernel on one panel of a zeroed output and compare with the expected result."""
        panel = task["panel"]
        zero_ns, kernel_ns = self._run(task["pipeline"], 1, [panel])
        found = self.calls[panel].output
        oracle = Path(task["oracle"])
        expected, bound = (
            np.load(oracle / f"{n}.npy", mmap_mode="r") for n in ("expected", "bound")
        )
        verdict = compare(found, expected, bound)
        if panel not in self.first:
            self.first = {panel: found.copy()}
        reference = self.first[panel]
        # Comparing integers compares bits: a NaN equals itself and -0.0 is not 0.0.
        bits = np.uint64 if found.dtype == np.float64 else np.uint32
        verdict["same_bits"] = bool(np.array_equal(found.view(bits), reference.view(bits)))
        verdict["checksum"] = hashlib.blake2b(found, digest_size=8).hexdigest()
        verdict["float_control"] = self.runtime.where_kernels_run(
            self.runtime.number, "splyce_float_control"
        )
        verdict["openmp"] = openmp_runtimes()
        verdict["threads"] = threads_that_ran(besides=threading.main_thread().native_id)
        return {**verdict, "zero_ns": zero_ns, "kernel_ns": kernel_ns}

    def sample(self, task: dict[str, Any]) -> dict[str, Any]:
        """Time a batch of calls; a call runs all panels."""
        zero_ns, kernel_ns = self._run(task["pipeline"], task["batch"], range(len(self.calls)))
        return {"zero_ns": zero_ns, "kernel_ns": kernel_ns}

    def count_lanes(self, task: dict[str, Any]) -> dict[str, int]:
        """Run an instrumented kernel once and read its counters."""
        path = Path(task["object"])
        kernel = load_kernel(path)
        for call in self.calls:
            self.runtime.sample(kernel, call, 1)
        return lane_counters(path)

    def count(self, task: dict[str, Any]) -> dict[str, Any]:
        """Call a kernel while perf, attached to this process, counts."""
        # Opened for reading and writing, a fifo opens at once whether perf listens or not.
        control, ack = (os.open(task[name], os.O_RDWR) for name in ("control", "ack"))
        try:
            kernel, batch = self.kernels[task["pipeline"]], task["batch"]
            fifos = (control, ack)
            limit = task["timeout_ms"]
            return {"status": self.runtime.count(kernel, self.calls[0], batch, fifos, limit)}
        finally:
            os.close(control)
            os.close(ack)

    def simulate(self, task: dict[str, Any]) -> dict[str, Any]:
        """Call a kernel once while callgrind, which runs this process, counts."""
        return {"status": self.runtime.simulate(self.kernels[task["pipeline"]], self.calls[0])}

    def _run(self, pipeline: str, batch: int, panels: Iterable[int]) -> tuple[float, float]:
        kernel = self.kernels[pipeline]
        times = [self.runtime.sample(kernel, self.calls[panel], batch) for panel in panels]
        return sum(zero for zero, _ in times), sum(time for _, time in times)


def serve(worker: Any) -> None:
    """Obey commands, each a method of the worker, until standard input ends."""
    die_with_parent()
    # A kernel that prints must not break the protocol: keep the real stdout for the answers.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin:
        task = json.loads(line)
        answer = getattr(worker, task["do"])(task)
        answers.write(json.dumps(answer) + "\n")
        answers.flush()


if __name__ == "__main__":
    serve(Worker())

"""The process of one library: holds the operands in its form, obeys one JSON command a line.

A process of its own for each, because the OpenMP runtime of a library must not stand beside that
of the kernels or of another library. Commands, as in `worker.py`:

    {"do": "load", ...}                 -> processors, or why the library does not load
    {"do": "check", "oracle": folder}   -> comparison with the oracle's result
    {"do": "sample", "batch": n}        -> nanoseconds a call
"""

import os
import time
from pathlib import Path
from typing import Any

import numpy as np

from splyce_bench.inputs.storage import open_tensor
from splyce_bench.kernels.catalog import make_kernel
from splyce_bench.measure.check import compare
from splyce_bench.measure.host import openmp_runtimes, threads_that_ran
from splyce_bench.measure.library_calls import dense_result, make_library_call
from splyce_bench.measure.worker import serve


class LibraryWorker:
    """One library on one input."""

    def load(self, task: dict[str, Any]) -> dict[str, Any]:
        """Pin the process and hand the operands to the library."""
        os.sched_setaffinity(0, task["cpus"])
        entry, folder = task["kernel"], Path(task["input"])
        kernel = make_kernel(entry["name"], entry, entry["name"])
        operands = {a.tensor: open_tensor(folder / a.tensor) for a in kernel.operands}
        self.library = task["library"]
        try:
            self.call = make_library_call(self.library, kernel.name, operands)
        except (ImportError, OSError) as error:
            return {"missing": " ".join(str(error).split())}
        return {"missing": "", "cpus": sorted(os.sched_getaffinity(0))}

    def check(self, task: dict[str, Any]) -> dict[str, Any]:
        """Compare one product with the expected result."""
        oracle = Path(task["oracle"])
        expected, bound = (np.load(oracle / f"{n}.npy") for n in ("expected", "bound"))
        start = time.perf_counter_ns()
        product = self.call()
        kernel_ns = time.perf_counter_ns() - start
        verdict = compare(dense_result(self.library, product, expected.shape), expected, bound)
        ran = {"openmp": openmp_runtimes(), "threads": threads_that_ran()}
        return {**verdict, **ran, "kernel_ns": kernel_ns}

    def sample(self, task: dict[str, Any]) -> dict[str, Any]:
        """Time a batch of products; making and dropping the result is part of a call."""
        start = time.perf_counter_ns()
        for _ in range(task["batch"]):
            self.call()
        return {"kernel_ns": (time.perf_counter_ns() - start) / task["batch"]}


if __name__ == "__main__":
    serve(LibraryWorker())

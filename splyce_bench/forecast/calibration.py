"""What this machine does in a second, measured in a few seconds before a plan is told."""

import ctypes
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from splyce_bench.compile.commands import c_compiler
from splyce_bench.errors import UserError

SOURCE = Path(__file__).with_name("merge.c")
ELEMENTS, UNIVERSE = 50_000, 1_000_000
ROUNDS = 40


@dataclass(frozen=True)
class Calibration:
    """Nanoseconds a step of a scalar two-finger loop, and seconds until a stage has started."""

    step_ns: float
    start_s: float


def calibrate() -> Calibration:
    """Measure this machine, in a few seconds; the least of several, whoever else computes."""
    return Calibration(_step_ns(), min(_start_s() for _ in range(3)))


def _start_s() -> float:
    """Return the processor's time of a start, in which other users of the machine do not show."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-c", "import splyce_bench.measure.oracle"]
    subprocess.run(command, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def _step_ns() -> float:
    import numpy as np

    source = np.random.default_rng(1)
    a, b = (np.sort(source.choice(UNIVERSE, ELEMENTS, replace=False)) for _ in range(2))
    x = np.ones(ELEMENTS)
    with tempfile.TemporaryDirectory() as folder:
        merge = _build(Path(folder) / "merge.so")
        count = ctypes.c_int64(ELEMENTS)
        arrays = [ctypes.c_void_p(array.ctypes.data) for array in (a, x, b, x)]
        arguments = (arrays[0], arrays[1], count, arrays[2], arrays[3], count)
        least = min(_seconds(lambda: merge(*arguments)) for _ in range(ROUNDS))
    return 1e9 * least / (2 * ELEMENTS)


def _seconds(call: Callable[[], object]) -> float:
    started = time.perf_counter()
    call()
    return time.perf_counter() - started


def _build(target: Path) -> Any:
    command = [c_compiler(), "-shared", "-fPIC", "-O2", str(SOURCE), "-o", str(target)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode:
        raise UserError(f"cannot compile {SOURCE}:\n{result.stderr}")
    merge = ctypes.CDLL(str(target)).merge
    merge.restype = ctypes.c_double
    return merge

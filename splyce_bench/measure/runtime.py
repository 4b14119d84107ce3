"""The C runtime of the measuring process: build it once, load it, load kernels."""

import ctypes
import subprocess
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from splyce_bench.compile.commands import c_compiler
from splyce_bench.compile.stub import CALL
from splyce_bench.errors import UserError
from splyce_bench.files import atomic_file
from splyce_bench.measure.calls import Call

SOURCE = Path(__file__).with_name("runtime.c")


def build_runtime(target: Path) -> None:
    """Compile the runtime to a shared object."""
    with atomic_file(target) as part:
        command = [c_compiler(), "-shared", "-fPIC", "-O2", "-Wall", str(SOURCE), "-o", str(part)]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        if result.returncode:
            raise UserError(f"cannot compile {SOURCE}:\n{result.stderr}")


class Runtime:
    """The loaded runtime, and the thread in which it calls kernels.

    The thread does nothing else. It has a stack and, with glibc, a heap of its own: what a kernel's
    malloc finds there is what kernels have left, not the interpreter.
    """

    def __init__(self, path: Path) -> None:
        self.library = ctypes.CDLL(str(path))
        self.thread = ThreadPoolExecutor(max_workers=1)
        for name in ("splyce_now", "splyce_clock_step", "splyce_float_control"):
            getattr(self.library, name).restype = ctypes.c_int64
        self.library.splyce_sample.restype = None

    def number(self, name: str) -> int:
        """Call a runtime function without arguments."""
        return int(getattr(self.library, name)())

    def where_kernels_run(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Return what a function returns in the thread of the kernels."""
        return self.thread.submit(function, *arguments).result()

    def sample(self, kernel: Any, call: Call, batch: int) -> tuple[float, float]:
        """Return nanoseconds a call spent in zeroing the output and in the kernel."""
        ns = (ctypes.c_int64 * 2)()
        words, output, size = _pointers(call)
        sample, count = self.library.splyce_sample, ctypes.c_int64(batch)
        self.where_kernels_run(sample, kernel, words, count, output, size, ns)
        return ns[0] / batch, ns[1] / batch

    def count(
        self, kernel: Any, call: Call, batch: int, fifos: tuple[int, int], timeout_ms: int
    ) -> int:
        """Call the kernel while perf counts; `fifos` are its control and ack descriptors.

        Returns 0, or -1 / -2 when perf did not acknowledge the start / the end in time.
        """
        words, output, size = _pointers(call)
        count, calls = self.library.splyce_count, ctypes.c_int64(batch)
        arguments = (kernel, words, calls, output, size, *fifos, timeout_ms)
        return int(self.where_kernels_run(count, *arguments))

    def simulate(self, kernel: Any, call: Call) -> int:
        """Call the kernel once while callgrind counts; -1 when valgrind does not run us."""
        simulate = self.library.splyce_simulate
        return int(self.where_kernels_run(simulate, kernel, *_pointers(call)))


def _pointers(call: Call) -> tuple[ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64]:
    output = call.output
    words = ctypes.c_void_p(call.words.ctypes.data)
    return words, ctypes.c_void_p(output.ctypes.data), ctypes.c_int64(output.nbytes)


def lane_counters(path: Path) -> dict[str, int]:
    """Return what an instrumented kernel has counted in this process."""
    library = ctypes.CDLL(str(path))
    names = {
        "fast": "splyce_fast_elements",
        "epilogue": "splyce_epilogue_elements",
        "matches": "splyce_matches",
    }
    return {key: ctypes.c_int64.in_dll(library, name).value for key, name in names.items()}


def load_kernel(path: Path) -> Callable[..., None]:
    """Load the entry point of a kernel's shared object."""
    entry: Any = getattr(ctypes.CDLL(str(path)), CALL)
    entry.restype = None
    return entry  # type: ignore[no-any-return]

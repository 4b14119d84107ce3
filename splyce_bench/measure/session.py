"""Drive a measuring process: send commands, wait with a time limit, tell how it ended."""

import json
import os
import selectors
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from typing import Any

from splyce_bench.process import unasked_ending


class CellError(Exception):
    """The process crashed, timed out or refused while working on one pipeline."""


class Session:
    """A running worker; use as a context manager so that it never outlives its group.

    `wrapper` is a command that runs the worker, such as valgrind with its options; `module` is the
    worker.
    """

    def __init__(
        self,
        cpus: list[int],
        wrapper: Sequence[str] = (),
        module: str = "splyce_bench.measure.worker",
    ) -> None:
        # A file, not a pipe: a kernel that prints much must not block on it.
        self.messages = tempfile.TemporaryFile()  # noqa: SIM115
        self.process = subprocess.Popen(
            [*wrapper, sys.executable, "-m", module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.messages,
            env=worker_environment(cpus),
        )
        self.buffer = b""

    def __enter__(self) -> "Session":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()
        self.messages.close()

    def ask(self, command: dict[str, Any], seconds: float) -> Any:
        """Send a command and return its answer; CellError when it dies or takes too long."""
        assert self.process.stdin
        try:
            self.process.stdin.write(json.dumps(command).encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            raise CellError(self._ending()) from None
        return json.loads(self._line(seconds))

    def _line(self, seconds: float) -> bytes:
        assert self.process.stdout
        deadline = time.monotonic() + seconds
        with selectors.DefaultSelector() as selector:
            selector.register(self.process.stdout, selectors.EVENT_READ)
            while b"\n" not in self.buffer:
                left = deadline - time.monotonic()
                if left <= 0 or not selector.select(left):
                    raise CellError(f"no answer within {seconds:g} s (timeout)")
                block = os.read(self.process.stdout.fileno(), 1 << 16)
                if not block:
                    raise CellError(self._ending())
                self.buffer += block
        line, _, self.buffer = self.buffer.partition(b"\n")
        return line

    def _ending(self) -> str:
        code = self.process.wait()
        self.messages.seek(0)
        lines = self.messages.read().decode(errors="replace").strip().splitlines()
        # Valgrind closes with a summary of its own.
        last = [line for line in lines if not line.startswith("==")][-1:]
        if code < 0:
            return f"crashed with {unasked_ending(code)}"
        return f"ended with exit code {code}: {' '.join(last)}"


def worker_environment(cpus: list[int]) -> dict[str, str]:
    """Return the environment of the measuring process: threads bound there and nowhere else.

    Snakemake exports OMP_NUM_THREADS for every job, so the count is always given anew. Without
    settings of its own, malloc gives a thread a heap of its own.
    """
    openmp = ("OMP_", "KMP_", "GOMP_", "OPENBLAS_NUM", "MKL_")
    unwanted = (*openmp, "LD_PRELOAD", "MALLOC_", "GLIBC_TUNABLES")
    kept = {k: v for k, v in os.environ.items() if not k.startswith(unwanted)}
    places = ",".join(f"{{{cpu}}}" for cpu in cpus)
    return kept | {
        "LC_ALL": "C",
        "OMP_NUM_THREADS": str(len(cpus)),
        "OMP_DYNAMIC": "false",
        "OMP_PLACES": places,
        "OMP_PROC_BIND": "close",
        "OPENBLAS_NUM_THREADS": "1",
    }

"""Run a tool of the toolchain; a failure shows the command, the last lines and what to look at."""

import os
import shlex
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from splyce_bench.errors import UserError

LAST_LINES = 15


@dataclass(frozen=True)
class Step:
    """One command of the compile stage: what it is for, and the file it reads."""

    purpose: str
    command: list[str]
    source: Path


def run_step(step: Step, log: Path) -> str:
    """Run a step, append command and messages to `log`, and return the messages (stderr)."""
    shown = shlex.join(step.command)
    result = subprocess.run(
        step.command, capture_output=True, text=True, errors="replace", check=False
    )
    with log.open("a", encoding="utf-8") as file:
        file.write(f"$ {shown}\n{result.stdout}{result.stderr}")
    # mlir-opt says so and exits 0 when a plugin does not load (llvm/llvm-project#135112).
    if result.returncode or "Failed to load passes" in result.stderr:
        _fail(step, shown, result.returncode, result.stdout + result.stderr)
    return result.stderr


def c_compiler() -> str:
    """Return the C compiler that links kernels: $CC, else cc, gcc or clang."""
    for name in (os.environ.get("CC"), "cc", "gcc", "clang"):
        if name and shutil.which(name):
            return name
    raise UserError("no C compiler found (looked for $CC, cc, gcc, clang); install gcc")


def _fail(step: Step, shown: str, code: int, messages: str) -> None:
    ending = f"signal {-code}" if code < 0 else f"exit code {code}"
    last = "\n    ".join(messages.strip().splitlines()[-LAST_LINES:])
    raise UserError(
        f"{step.purpose} failed ({ending})\n  command: {shown}\n  last lines:\n    {last}\n"
        f"  the input is kept in {step.source}; run the command again to reproduce it"
    )

"""Runs an instrumented kernel."""

import ctypes
from pathlib import Path
from typing import Any

from compiling import build
from fuzz_cases import Case, mlir_of
from fuzz_data import Problem
from fuzz_worker import run

COUNTERS = ("splyce_fast_elements", "splyce_epilogue_elements", "splyce_matches")


def count(
    case: Case,
    problem: Problem,
    folder: Path,
    toolchain: dict[str, Any],
    pass_dir: Path,
    options: str = "",
) -> list[int]:
    """Return the elements of the lane and of what follows it, and the matches."""
    text = folder / "kernel.mlir"
    text.write_text(mlir_of(case))
    lane = [f"splyce{{{case.options} count-lanes=true {options}}}"]
    library = ctypes.CDLL(str(build(text, "counted", lane, toolchain, pass_dir)[0]))
    run(library, case.name, case, problem, at_start=False)
    return [ctypes.c_int64.in_dll(library, name).value for name in COUNTERS]

"""lane=auto without memory for a workspace: the other version of the loop, never a crash."""

import ctypes
from pathlib import Path
from typing import Any

from compiling import build
from fuzz_cases import TEMPLATES, Case, mlir_of
from fuzz_check import same_bits
from fuzz_data import make_problem
from fuzz_worker import run

# Hidden, so that only the kernel calls it.
NO_MEMORY = """
#include <stddef.h>
int refused;
__attribute__((visibility("hidden"))) void *malloc(size_t size) {
  refused += size != 0;
  return 0;
}
"""


def _case_that_wants_a_workspace() -> Case:
    template = next(t for t in TEMPLATES if t.name == "spgemm")
    shape: tuple[Any, ...] = ("f64", (64, 64), False, 4, "auto", (), "compare", "source")
    cases = (Case("starved", template, *shape, seed=seed) for seed in range(1000))
    return next(case for case in cases if make_problem(case).operands[1].sizes[0] == 60)


def test_a_failed_allocation_is_no_workspace(
    tmp_path: Path, toolchain: dict[str, Any], pass_dir: Path
) -> None:
    case = _case_that_wants_a_workspace()
    text, malloc = tmp_path / "kernel.mlir", tmp_path / "no_memory.c"
    text.write_text(mlir_of(case))
    malloc.write_text(NO_MEMORY)
    lane = [f"splyce{{{case.options}}}"]
    baseline = build(text, "baseline", [], toolchain, pass_dir)[0]
    starved = build(text, "starved", lane, toolchain, pass_dir, sources=(malloc,))[0]
    library, problem = ctypes.CDLL(str(starved)), make_problem(case)
    expected = run(ctypes.CDLL(str(baseline)), case.name, case, problem, at_start=False)
    assert same_bits(expected, run(library, case.name, case, problem, at_start=False))
    assert ctypes.c_int.in_dll(library, "refused").value > 0, "no workspace was wanted"

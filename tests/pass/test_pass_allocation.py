"""Lanes without memory for a workspace: the other version of the loop, never a crash."""

import ctypes
from pathlib import Path
from typing import Any

import pytest
from compiling import build
from every_length import every_length
from fuzz_cases import TEMPLATES, Case, mlir_of
from fuzz_check import same_bits
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


def _case_that_wants_a_workspace(lane: str) -> Case:
    """A sum of long segments: lane auto leaves small operands to the scalar loops."""
    template = next(t for t in TEMPLATES if t.name == "spgemm")
    shape: tuple[Any, ...] = ("f64", (64, 64), False, 8, lane, (), "compare", "source", 0)
    return Case("starved", template, *shape, every_length=True, long=True)


@pytest.mark.parametrize("lane", ["auto", "workspace"])
def test_a_failed_allocation_is_no_workspace(
    lane: str, tmp_path: Path, toolchain: dict[str, Any], pass_dir: Path
) -> None:
    case = _case_that_wants_a_workspace(lane)
    text, scalar, malloc = (tmp_path / name for name in ("lane.mlir", "scalar.mlir", "no_memory.c"))
    text.write_text(mlir_of(case))
    scalar.write_text(mlir_of(case, case.reference_name))
    malloc.write_text(NO_MEMORY)
    lanes = [f"splyce{{{case.options}}}"]
    baseline = build(scalar, "baseline", [], toolchain, pass_dir)[0]
    starved = build(text, "starved", lanes, toolchain, pass_dir, sources=(malloc,))[0]
    library = ctypes.CDLL(str(starved))
    for problem in every_length(case):
        expected = run(
            ctypes.CDLL(str(baseline)), case.reference_name, case, problem, at_start=False
        )
        assert same_bits(expected, run(library, case.name, case, problem, at_start=False))
    assert ctypes.c_int.in_dll(library, "refused").value > 0, "no workspace was wanted"

"""Instrumented kernels count exactly what a two-finger walk over the operands consumes."""

import ctypes
import itertools
from pathlib import Path
from typing import Any

import pytest
from compiling import build
from fuzz_cases import TEMPLATES, Case, mlir_of
from fuzz_data import Stored, make_problem
from fuzz_worker import run

COUNTERS = ("splyce_fast_elements", "splyce_epilogue_elements", "splyce_matches")


def _case(width: int, phases: tuple[str, ...]) -> Case:
    template = next(t for t in TEMPLATES if t.name == "spgemm")
    name = f"count_{width}_{len(phases)}"
    return Case(name, template, "f64", (64, 64), False, width, "paper", phases, "tree", seed=width)


def _segments(stored: Stored) -> list[list[int]]:
    position, coordinates = stored.arrays[:2]
    return [[int(c) for c in coordinates[b:e]] for b, e in itertools.pairwise(map(int, position))]


def _walk(left: list[int], right: list[int]) -> tuple[int, int]:
    """Elements consumed and matches found by the scalar loop."""
    p = q = matches = 0
    while p < len(left) and q < len(right):
        a, b = left[p], right[q]
        p, q, matches = p + (a <= b), q + (b <= a), matches + (a == b)
    return p + q, matches


@pytest.mark.parametrize("phases", [(), ("match",), ("match", "compute", "advance")], ids=len)
def test_counters_agree_with_a_walk(
    phases: tuple[str, ...], tmp_path: Path, toolchain: dict[str, Any], pass_dir: Path
) -> None:
    case = _case(4, phases)
    text = tmp_path / "kernel.mlir"
    text.write_text(mlir_of(case))
    lane = [f"splyce{{{case.options} count-lanes=true}}"]
    library = ctypes.CDLL(str(build(text, "counted", lane, toolchain, pass_dir)[0]))
    problem = make_problem(case)
    run(library, case, problem, at_start=False)
    fast, epilogue, matches = (ctypes.c_int64.in_dll(library, name).value for name in COUNTERS)
    left, right = map(_segments, problem.operands)
    walks = [_walk(a, b) for a in left for b in right]
    assert (fast + epilogue, matches) == tuple(map(sum, zip(*walks, strict=True)))
    assert min(fast, epilogue, matches) > 0, "the operands do not exercise both loops"

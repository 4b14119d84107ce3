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


def _case(width: int, phases: tuple[str, ...] = (), lane: str = "paper") -> Case:
    template = next(t for t in TEMPLATES if t.name == "spgemm")
    name = f"count_{lane}_{width}_{len(phases)}"
    return Case(
        name, template, "f64", (64, 64), False, width, lane, phases, "auto", "tree", seed=width
    )


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


def _walk_vectors(left: list[int], right: list[int], width: int) -> tuple[int, int]:
    """Elements that whole vectors consume, and those that masked vectors do."""
    ends, cursors, consumed = (len(left), len(right)), [0, 0], [0, 0]
    while cursors[0] < ends[0] and cursors[1] < ends[1]:
        counts = [min(width, end - c) for end, c in zip(ends, cursors, strict=True)]
        last = [s[c + n - 1] for s, c, n in zip((left, right), cursors, counts, strict=True)]
        masked = min(counts) < width
        for side in (0, 1):
            if last[side] == min(last):
                cursors[side] += counts[side]
                consumed[masked] += counts[side]
    return consumed[0], consumed[1]


def _count(
    case: Case, folder: Path, toolchain: dict[str, Any], pass_dir: Path
) -> tuple[list[int], list[tuple[list[int], list[int]]]]:
    """Run an instrumented kernel; return the counters and all pairs of segments."""
    text = folder / "kernel.mlir"
    text.write_text(mlir_of(case))
    lane = [f"splyce{{{case.options} count-lanes=true}}"]
    library = ctypes.CDLL(str(build(text, "counted", lane, toolchain, pass_dir)[0]))
    problem = make_problem(case)
    run(library, case.name, case, problem, at_start=False)
    left, right = map(_segments, problem.operands)
    counted = [ctypes.c_int64.in_dll(library, name).value for name in COUNTERS]
    return counted, [(a, b) for a in left for b in right]


@pytest.mark.parametrize("phases", [(), ("match",), ("match", "compute", "advance")], ids=len)
def test_counters_agree_with_a_walk(
    phases: tuple[str, ...], tmp_path: Path, toolchain: dict[str, Any], pass_dir: Path
) -> None:
    counted, pairs = _count(_case(4, phases), tmp_path, toolchain, pass_dir)
    fast, epilogue, matches = counted
    walks = [_walk(*pair) for pair in pairs]
    assert (fast + epilogue, matches) == tuple(map(sum, zip(*walks, strict=True)))
    assert min(fast, epilogue, matches) > 0, "the operands do not exercise both loops"


def test_masked_vectors_are_counted_as_the_epilogue(
    tmp_path: Path, toolchain: dict[str, Any], pass_dir: Path
) -> None:
    counted, pairs = _count(_case(4, lane="masked"), tmp_path, toolchain, pass_dir)
    walks = [(*_walk_vectors(*pair, 4), _walk(*pair)[1]) for pair in pairs]
    assert counted == list(map(sum, zip(*walks, strict=True)))
    assert min(counted) > 0, "the operands do not exercise both loops"


def test_a_workspace_counts_the_elements_that_look_up(
    tmp_path: Path, toolchain: dict[str, Any], pass_dir: Path
) -> None:
    counted, pairs = _count(_case(4, lane="workspace"), tmp_path, toolchain, pass_dir)
    lookups = sum(len(right) for left, right in pairs if left)
    assert counted == [lookups, 0, sum(_walk(*pair)[1] for pair in pairs)]
    assert counted[0] > counted[2] > 0

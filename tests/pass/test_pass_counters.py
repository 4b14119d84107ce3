"""Instrumented kernels count exactly what a two-finger walk over the operands consumes."""

import itertools
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from counting import count
from fuzz_cases import TEMPLATES, Case
from fuzz_data import Stored, make_problem

SHORT = 8  # kShort of WorkspaceFilter.cpp


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


def _overlap(left: list[int], right: list[int]) -> bool:
    """Whether two segments have a common range of coordinates: else a lane skips them."""
    return bool(left and right) and max(left[0], right[0]) <= min(left[-1], right[-1])


def _walk_vectors(left: list[int], right: list[int], width: int) -> tuple[int, int]:
    """Elements that whole vectors consume, and those that masked vectors do."""
    ends, cursors, consumed = (len(left), len(right)), [0, 0], [0, 0]
    if not _overlap(left, right):
        return 0, 0
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
    case: Case, folder: Path, toolchain: dict[str, Any], pass_dir: Path, options: str = ""
) -> tuple[list[int], list[tuple[list[int], list[int]]]]:
    """Run an instrumented kernel; return the counters and all pairs of segments."""
    problem = make_problem(case)
    counted = count(case, problem, folder, toolchain, pass_dir, options)
    left, right = map(_segments, problem.operands)
    return counted, [(a, b) for a in left for b in right]


def _expect_masked(pairs: list[tuple[list[int], list[int]]], width: int) -> list[int]:
    walks = [(*_walk_vectors(*pair, width), _walk(*pair)[1]) for pair in pairs]
    return list(map(sum, zip(*walks, strict=True)))


def _may_match(left: list[int], right: list[int]) -> bool:
    """Whether a workspace of the left segment is asked: a short right one is looked up before."""
    return not set(left).isdisjoint(right) if len(right) <= SHORT else _overlap(left, right)


def _expect_workspace(pairs: list[tuple[list[int], list[int]]]) -> list[int]:
    lookups = sum(len(right) for left, right in pairs if left and _may_match(left, right))
    return [lookups, 0, sum(_walk(*pair)[1] for pair in pairs)]


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
    assert counted == _expect_masked(pairs, 4)
    assert min(counted) > 0, "the operands do not exercise both loops"


@pytest.mark.parametrize("order", ["tree", "free"])
def test_a_workspace_counts_the_elements_that_look_up(
    order: str, tmp_path: Path, toolchain: dict[str, Any], pass_dir: Path
) -> None:
    case = replace(_case(4, lane="workspace"), fp_order=order)
    counted, pairs = _count(case, tmp_path, toolchain, pass_dir)
    assert counted == _expect_workspace(pairs)
    assert counted[0] > counted[2] > 0


def _auto_with_columns(columns: int) -> Case:
    """A case whose loop outside has that many iterations."""
    cases = (replace(_case(4, lane="auto"), seed=seed) for seed in range(1000))
    return next(
        case
        for case in cases
        if make_problem(case).operands[1].sizes[0] == columns
        and min(make_problem(case).operands[0].arrays[0][1:]) > 0
    )


@pytest.mark.parametrize("columns", [1, 60])
def test_auto_scatters_only_for_many_iterations(
    columns: int, tmp_path: Path, toolchain: dict[str, Any], pass_dir: Path
) -> None:
    counted, pairs = _count(_auto_with_columns(columns), tmp_path, toolchain, pass_dir)
    masked, workspace = _expect_masked(pairs, 4), _expect_workspace(pairs)
    assert counted == (masked if columns == 1 else workspace)
    assert masked != workspace, "the operands do not tell the lanes apart"


def test_auto_allocates_no_more_than_it_may(
    tmp_path: Path, toolchain: dict[str, Any], pass_dir: Path
) -> None:
    case = _auto_with_columns(60)
    counted, pairs = _count(case, tmp_path, toolchain, pass_dir, "workspace-bytes=0")
    assert counted == _expect_masked(pairs, 4)

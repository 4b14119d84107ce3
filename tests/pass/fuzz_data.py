"""Random operands for a case: segments of every length around a block, with traps in them."""

from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from fuzz_cases import Case, Operand, position_bits
from numpy.typing import NDArray

Array = NDArray[Any]

# Coordinates that only the first (0) or only the second (1) sparse operand on `s` stores: an
# element there never matches, so that what is stored there must not reach the result.
LONELY = {0: 0, 1: 1}
MODULUS = 5


@dataclass
class Stored:
    """An operand: the arrays of its levels outer to inner and its values, and a dense view."""

    arrays: list[Array]
    sizes: tuple[int, ...]
    dense: NDArray[np.float64]  # outer level to inner; what never matches is 0
    present: NDArray[np.float64]


@dataclass
class Problem:
    """The operands of a case and the output's initial value."""

    operands: list[Stored]
    output: Array


def _sizes(case: Case, draw: np.random.Generator) -> dict[str, int]:
    sizes = {index: int(draw.integers(1, 5)) for index in case.template.loops}
    if case.lane == "auto":
        # Few iterations of the loop outside do not repay a workspace, and many do; small operands
        # are left to the scalar loop.
        sizes[case.template.loops[-2]] = int(draw.choice([1, 3, 20, 60]))
        sizes["s"] = int(draw.integers(1, 250) if draw.random() < 0.1 else draw.integers(60, 250))
    else:
        # 8-bit coordinates are unsigned: some sizes need the highest bit.
        sizes["s"] = int(draw.integers(1, 5 * case.width + 6 if draw.random() < 0.7 else 250))
    return sizes


def _pick(limit: int, count: int, draw: np.random.Generator) -> NDArray[np.int64]:
    return np.sort(draw.choice(limit, min(count, limit), replace=False)).astype(np.int64)


def _segment(
    limit: int, side: int, pattern: str, width: int, draw: np.random.Generator
) -> NDArray[np.int64]:
    """Coordinates of one segment: empty, sparse, every other, or the same on both sides."""
    if pattern == "same":
        chosen = np.arange(limit, dtype=np.int64)
    elif pattern == "apart":
        chosen = np.arange(side, limit, 2, dtype=np.int64)
    else:
        chosen = _pick(limit, int(draw.integers(0, 2 * width + 2)), draw)
    kept: NDArray[np.int64] = chosen[chosen % MODULUS != LONELY[1 - side]]
    return kept


def _store(
    case: Case,
    number: int,
    operand: Operand,
    sizes: dict[str, int],
    side: int,
    draw: np.random.Generator,
) -> Stored:
    """Fill the levels of a sparse operand, outer to inner."""
    shape = tuple(sizes[index] for index in operand.level_indices)
    bits = case.coordinate_bits[number] or 64
    kind = np.dtype(f"u{bits // 8}")
    position_kind = np.dtype(f"u{(position_bits(case.coordinate_bits[number]) or 64) // 8}")
    pattern = str(np.random.default_rng(case.seed).choice(["any", "any", "same", "apart"]))
    fibers: list[tuple[int, ...]] = [()]
    arrays: list[Array] = []
    for level, (letter, size) in enumerate(zip(operand.levels, shape, strict=True)):
        if letter == "d":
            fibers = [(*fiber, c) for fiber, c in product(fibers, range(size))]
            continue
        inner = level + 1 == len(shape) and operand.level_indices[level] == "s"
        segments = [
            _segment(size, side, pattern, max(case.width, 8), draw)
            if inner and case.lane == "auto"
            else _segment(size, side, pattern, case.width, draw)
            if inner
            else _pick(size, int(draw.integers(0, size + 1)), draw)
            for _ in fibers
        ]
        position = np.cumsum([0, *map(len, segments)])
        arrays += [
            position.astype(position_kind),
            np.concatenate([np.empty(0, np.int64), *segments]).astype(kind),
        ]
        fibers = [
            (*f, int(c)) for f, segment in zip(fibers, segments, strict=True) for c in segment
        ]
    values = draw_values(len(fibers), case, draw)
    dense, present = np.zeros(shape), np.zeros(shape)
    lonely = [operand.level_indices[-1] == "s" and f[-1] % MODULUS == LONELY[side] for f in fibers]
    for fiber, value, alone in zip(fibers, values, lonely, strict=True):
        dense[fiber], present[fiber] = (0.0, 0.0) if alone else (float(value), 1.0)
    traps = np.array([np.inf, -np.inf, np.nan, -0.0], values.dtype)
    mask = np.array(lonely, bool)
    values[mask] = draw.choice(traps, int(mask.sum()))
    return Stored([*arrays, values], shape, dense, present)


def draw_values(count: int, case: Case, draw: np.random.Generator) -> Array:
    """Numbers of very different size, with zeros of both signs."""
    numbers = draw.standard_normal(count) * 10.0 ** draw.integers(-3, 4, count)
    zeros = draw.random(count) < 0.1
    numbers[zeros] = draw.choice([0.0, -0.0], int(zeros.sum()))
    return numbers.astype("f4" if case.value_type == "f32" else "f8")


def make_problem(case: Case) -> Problem:
    """Draw the operands of a case from its seed."""
    draw = np.random.default_rng(case.seed)
    sizes = _sizes(case, draw)
    stored, side = [], 0
    for number, operand in enumerate(case.template.operands):
        shape = tuple(sizes[index] for index in operand.level_indices)
        if operand.is_sparse:
            ends_in_s = operand.level_indices[-1] == "s"
            stored.append(_store(case, number, operand, sizes, min(side, 1), draw))
            side += ends_in_s
        else:
            values = draw_values(int(np.prod(shape)), case, draw).reshape(shape)
            stored.append(Stored([values], shape, values.astype(float), np.ones(shape)))
    shape = tuple(sizes[index] for index in case.template.output)
    output = (
        np.full(int(np.prod(shape)), -0.0)
        if draw.random() < 0.5
        else draw.standard_normal(int(np.prod(shape)))
    )
    return Problem(stored, output.reshape(shape).astype("f4" if case.value_type == "f32" else "f8"))

"""Operands whose segments have every length from 0 to 2n + 2, or are long, each meeting each.

The kernel intersects every row of one operand on `s` with every row of the other. What matches no
row is an Inf, a NaN or a negative zero.
"""

import numpy as np
from fuzz_cases import Case, position_bits
from fuzz_data import LONELY, MODULUS, Array, Problem, Stored, draw_values
from numpy.typing import NDArray

PATTERNS = ("all match", "none match", "the ends match", "some match")
SIZE = 250  # 8-bit coordinates are unsigned: some need the highest bit
# More matches than wait in a buffer, and rows that repay a workspace.
LONG = 3 * (0, 3, 700, 2000)
LONG_SIZE = 6000
TRAPS = (np.inf, -np.inf, np.nan, -0.0)

Segment = tuple[NDArray[np.int64], NDArray[np.bool_]]  # coordinates, and which never match


def _lengths(case: Case) -> tuple[int, ...]:
    """How many elements each row stores; lane auto leaves shorter ones to the scalar loops.

    Rows of every length are an odd number: of jammed iterations one is left.
    """
    if case.long:
        return LONG
    width = max(case.width, 8) if case.lane == "auto" else case.width
    return tuple(range(2 * width + 3))


def _size(case: Case) -> int:
    return LONG_SIZE if case.long else SIZE


def every_length(case: Case) -> list[Problem]:
    """Return a problem for each pattern of matches."""
    return [_make_problem(case, pattern) for pattern in PATTERNS]


def _make_problem(case: Case, pattern: str) -> Problem:
    draw = np.random.default_rng([case.seed, PATTERNS.index(pattern)])
    count = len(_lengths(case))
    stored, side = [], 0
    for number, operand in enumerate(case.template.operands):
        if operand.is_sparse:
            bits = case.coordinate_bits[number]
            stored.append(_store(case, pattern, side, bits, draw))
            side += 1
        else:
            values = draw_values(count * count, case, draw).reshape(count, count)
            stored.append(
                Stored([values], values.shape, values.astype(float), np.ones(values.shape))
            )
    shape = [_size(case) if index == "s" else count for index in case.template.output]
    output = np.full(shape, -0.0) if PATTERNS.index(pattern) % 2 else draw.standard_normal(shape)
    return Problem(stored, output.astype("f4" if case.value_type == "f32" else "f8"))


def _store(case: Case, pattern: str, side: int, bits: int, draw: np.random.Generator) -> Stored:
    lengths, size = _lengths(case), _size(case)
    count, places = len(lengths), size if case.long else 3 * len(lengths)
    segments = [_segment(pattern, side, length, places, draw) for length in lengths]
    coordinates = np.concatenate([size // places * chosen for chosen, _ in segments])
    never = np.concatenate([lonely for _, lonely in segments])
    rows = np.repeat(np.arange(count), lengths)
    values = draw_values(rows.size, case, draw)
    dense, present = np.zeros((count, size)), np.zeros((count, size))
    dense[rows, coordinates] = np.where(never, 0.0, values)
    present[rows, coordinates] = ~never
    values[never] = draw.choice(np.array(TRAPS, values.dtype), int(never.sum()))
    positions = np.cumsum([0, *lengths])
    arrays: list[Array] = [
        positions.astype(f"u{(position_bits(bits) or 64) // 8}"),
        coordinates.astype(f"u{(bits or 64) // 8}"),
        values,
    ]
    return Stored(arrays, (count, size), dense, present)


def _segment(
    pattern: str, side: int, length: int, places: int, draw: np.random.Generator
) -> Segment:
    """Some of the first `places` coordinates, increasing."""
    if pattern == "all match":
        return np.arange(length), np.zeros(length, bool)
    if pattern == "none match":
        return 2 * np.arange(length) + side, np.ones(length, bool)
    if pattern == "the ends match":
        inner = 1 + 2 * np.arange(max(length - 2, 0)) + side
        first, last = [0][: length - side], [places - 1][: length - 1 + side]
        never = [*[False] * len(first), *[True] * len(inner), *[False] * len(last)]
        return np.array([*first, *inner, *last], np.int64), np.array(never, bool)
    allowed = np.arange(places)
    allowed = allowed[allowed % MODULUS != LONELY[1 - side]]
    chosen = np.sort(draw.choice(allowed, length, replace=False))
    return chosen, chosen % MODULUS == LONELY[side]

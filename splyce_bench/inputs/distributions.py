"""Where the stored cells of a synthetic tensor lie: uniform, or skewed as real matrices are.

Each cell is stored independently with a probability that depends on its row (all levels but the
innermost, flattened) and, for some, on its place in the row. Cells are found by the arrivals of a
Poisson process in cumulated hazard: a cell of probability p spans -log(1 - p) of it and is stored
if anything arrives there, which is exact and takes time for the stored cells only.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from splyce_bench.errors import UserError

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

# Row lengths fall as rank^-0.7: of 1000 rows the longest has 126 times the elements of the
# shortest, in the range of the web and social graphs of the collection.
EXPONENT = 0.7
# No row is denser than this.
FULLEST = 0.95
BLOCK = 16


@dataclass(frozen=True)
class Rows:
    """For each row the number of cells that may be stored and the probability of each.

    `column` maps a row and the number of such a cell to its column, ascending within a row.
    """

    candidates: Ints
    probability: Floats
    column: Callable[[Ints, Ints], Ints]


def skewed_cells(
    distribution: str, rows: int, columns: int, density: float, seed: np.random.SeedSequence
) -> Iterator[Ints]:
    """Yield the linear indices of the stored cells, ascending, a chunk at a time."""
    layout, arrivals = (np.random.Generator(np.random.PCG64(s)) for s in seed.spawn(2))
    made = DISTRIBUTIONS[distribution](rows, columns, min(density, FULLEST), layout)
    if density > FULLEST or made.probability.max() > FULLEST:
        raise UserError(
            f"a {distribution} input of {columns} columns cannot be as dense as {density:.0%}; "
            "ask for a lower density, or for a uniform one"
        )
    hazard = -np.log1p(-made.probability)
    ends = np.cumsum(hazard * made.candidates)
    reached, chunk = 0.0, 1 << 20
    last = -1
    while reached < ends[-1]:
        points = reached + np.cumsum(arrivals.exponential(1.0, chunk))
        reached = float(points[-1])
        points = points[points < ends[-1]]
        row = np.searchsorted(ends, points, side="right")
        before = ends[row] - hazard[row] * made.candidates[row]
        number = ((points - before) / hazard[row]).astype(np.int64)
        # Rounding may put the last point of a row just behind its last cell.
        number = np.clip(number, 0, made.candidates[row] - 1)
        cells = np.unique(row * columns + made.column(row, number))
        cells = cells[cells > last]
        if cells.size:
            last = int(cells[-1])
            yield cells


def _power_law(rows: int, columns: int, density: float, layout: np.random.Generator) -> Rows:
    """Row lengths follow a power law; which row is long is shuffled."""
    weights = layout.permutation(np.arange(1, rows + 1, dtype=np.float64) ** -EXPONENT)
    probability = _scaled(weights, density)
    return Rows(np.full(rows, columns), probability, lambda row, number: number)


def _scaled(weights: Floats, density: float) -> Floats:
    """Scale to the wanted mean; what would exceed FULLEST goes to the other rows."""
    low, high = 0.0, FULLEST / float(weights.min())
    for _ in range(100):
        middle = (low + high) / 2
        mean = float(np.minimum(weights * middle, FULLEST).mean())
        low, high = (middle, high) if mean < density else (low, middle)
    return np.minimum(weights * high, FULLEST)


def _banded(rows: int, columns: int, density: float, layout: np.random.Generator) -> Rows:
    """Cells lie within a band around the diagonal, half of them stored."""
    width = min(columns, max(1, math.ceil(2 * density * columns)))
    at = np.arange(rows, dtype=np.float64) / rows * columns
    start = np.clip(at.astype(np.int64) - width // 2, 0, columns - width)
    share = np.full(rows, density * columns / width)
    return Rows(np.full(rows, width), share, lambda row, number: start[row] + number)


def _blocks(rows: int, columns: int, density: float, layout: np.random.Generator) -> Rows:
    """Cells cluster in blocks of 16 x 16, half of whose cells are stored."""
    block = min(BLOCK, columns)
    across, down = columns // block, math.ceil(rows / block)
    chosen = min(across, max(1, round(2 * density * columns / block)))
    starts = np.sort(layout.random((down, across)).argpartition(chosen - 1, axis=1)[:, :chosen])
    width = chosen * block

    def column(row: Ints, number: Ints) -> Ints:
        place: Ints = starts[row // block, number // block] * block + number % block
        return place

    share = np.full(rows, density * columns / width)
    return Rows(np.full(rows, width), share, column)


DISTRIBUTIONS: dict[str, Callable[[int, int, float, np.random.Generator], Rows]] = {
    "power_law": _power_law,
    "banded": _banded,
    "blocks": _blocks,
}

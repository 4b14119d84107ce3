"""Symmetric and skew-symmetric files: the other half is made, each pair of places once.

Both formats store one triangle. A file that says "symmetric" and holds both is refused: mirroring
would double its values, and whether its author meant one half or the sum cannot be told from it.
"""

from collections.abc import Callable

import numpy as np

from splyce_bench.errors import UserError
from splyce_bench.inputs.tensor_file import Floats, Ints

Where = Callable[[int], str]


def expand(symmetry: str, coordinates: Ints, values: Floats, where: Where) -> tuple[Ints, Floats]:
    """Add the mirrored elements; `where` gives file:line of the n-th entry, from 0."""
    check_symmetry(symmetry, coordinates, values, where)
    if symmetry == "general":
        return coordinates, values
    mirrored = np.flatnonzero(coordinates[0] != coordinates[1])
    sign = -1.0 if symmetry == "skew-symmetric" else 1.0
    return (
        np.concatenate([coordinates, coordinates[::-1, mirrored]], axis=1),
        np.concatenate([values, sign * values[mirrored]]),
    )


def check_symmetry(symmetry: str, coordinates: Ints, values: Floats, where: Where) -> None:
    """Refuse a diagonal in a skew-symmetric matrix, and a pair of places given twice."""
    if symmetry == "general":
        return
    rows, columns = coordinates
    if symmetry == "skew-symmetric":
        wrong = np.flatnonzero((rows == columns) & (values != 0))
        if wrong.size:
            raise UserError(
                f"{where(int(wrong[0]))}: a skew-symmetric matrix has zeros on its diagonal, "
                f"found {values[wrong[0]]:g} at row and column {rows[wrong[0]] + 1}"
            )
    entry = _in_both_halves(rows, columns)
    if entry is not None:
        row, column = rows[entry] + 1, columns[entry] + 1
        raise UserError(
            f"{where(entry)}: a {symmetry} file holds one triangle, but both ({row}, {column}) and "
            f"({column}, {row}) are given; say general in the header, or delete one triangle"
        )


def _in_both_halves(rows: Ints, columns: Ints) -> int | None:
    """Return the first entry above the diagonal whose mirror image is an entry too."""
    upper = rows < columns
    if not upper.any() or not (rows > columns).any():
        return None
    low, high = np.minimum(rows, columns), np.maximum(rows, columns)
    order = np.lexsort((upper, low, high))
    low, high, upper = low[order], high[order], upper[order]
    same = (low[1:] == low[:-1]) & (high[1:] == high[:-1]) & (upper[1:] != upper[:-1])
    return int(order[1:][same].min()) if same.any() else None

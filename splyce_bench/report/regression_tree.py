"""A small regression tree: the decision rule that a reader can keep in mind."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]

DEPTH = 2
# A leaf of fewer rows, or of a smaller share, is an anecdote.
LEAF_ROWS = 5
LEAF_SHARE = 0.05


@dataclass(frozen=True)
class Leaf:
    """The mean of the rows that end here."""

    mean: float
    rows: int


@dataclass(frozen=True)
class Split:
    """Rows whose `column` is at most `threshold` go to the left."""

    column: int
    threshold: float
    left: "Node"
    right: "Node"


Node = Leaf | Split


def grow(x: Array, y: Array, depth: int = DEPTH) -> Node:
    """Return the tree of least squares, split greedily; x has a row a sample."""
    return _grow(x, y, depth, max(LEAF_ROWS, int(LEAF_SHARE * len(y))))


def _grow(x: Array, y: Array, depth: int, least: int) -> Node:
    leaf = Leaf(float(y.mean()), len(y))
    if depth == 0 or len(y) < 2 * least:
        return leaf
    candidates = [_best_split(x[:, column], y, least) for column in range(x.shape[1])]
    column = min(range(len(candidates)), key=lambda n: candidates[n][0])
    left_over, threshold = candidates[column]
    if left_over >= float(((y - y.mean()) ** 2).sum()):
        return leaf
    left = x[:, column] <= threshold
    sides = (_grow(x[side], y[side], depth - 1, least) for side in (left, ~left))
    return Split(column, threshold, *sides)


def _best_split(x: Array, y: Array, least: int) -> tuple[float, float]:
    """Return the squares that the best threshold leaves, and the threshold; infinity for none."""
    order = np.argsort(x, kind="stable")
    x, y = x[order], y[order]
    count = np.arange(1, len(y))
    sums, squares = np.cumsum(y)[:-1], float((y**2).sum())
    left_over = squares - sums**2 / count - (y.sum() - sums) ** 2 / (len(y) - count)
    allowed = (x[:-1] < x[1:]) & (count >= least) & (len(y) - count >= least)
    if not allowed.any():
        return np.inf, np.nan
    at = int(np.argmin(np.where(allowed, left_over, np.inf)))
    return float(left_over[at]), float((x[at] + x[at + 1]) / 2)


def predict(node: Node, x: Array) -> Array:
    """Return the mean of the leaf that each row of x ends in."""
    if isinstance(node, Leaf):
        return np.full(len(x), node.mean)
    left = x[:, node.column] <= node.threshold
    return np.where(left, predict(node.left, x), predict(node.right, x))


def leaves(node: Node) -> Iterator[tuple[Sequence[tuple[int, bool, float]], Leaf]]:
    """Yield each leaf with the way to it, as (column, whether at most, threshold)."""
    if isinstance(node, Leaf):
        yield (), node
        return
    for side, at_most in ((node.left, True), (node.right, False)):
        for way, leaf in leaves(side):
            yield ((node.column, at_most, node.threshold), *way), leaf

"""Elements in storage order, duplicates summed.

Where the number of cells fits 63 bits, the level coordinates of an element become one integer, its
place in the dense tensor; sorting integers is several times as fast as sorting rows of them.
"""

import math
from typing import Any

import numpy as np
import numpy.typing as npt

Ints = npt.NDArray[np.int64]
Levels = list[Ints]


def sorted_unique(
    levels: Levels, sizes: tuple[int, ...], values: npt.NDArray[Any]
) -> tuple[Levels, npt.NDArray[Any], int]:
    """Return levels and values sorted, and how many duplicates were summed, in file order."""
    if not values.size:
        return levels, values, 0
    if math.prod(sizes) >= 1 << 63:
        return _sort_levels(levels, values)
    places = _fuse(levels, sizes)
    if not np.all(places[1:] > places[:-1]):
        places, values, duplicates = _sort_places(places, values)
        return _split(places, sizes), values, duplicates
    return levels, values, 0


def _fuse(levels: Levels, sizes: tuple[int, ...]) -> Ints:
    places = levels[0].copy()
    for level, size in zip(levels[1:], sizes[1:], strict=True):
        places *= size
        places += level
    return places


def _split(places: Ints, sizes: tuple[int, ...]) -> Levels:
    """Undo `_fuse`; `places` becomes the innermost level."""
    levels = []
    for outer in range(len(sizes) - 1):
        inner = math.prod(sizes[outer + 1 :])
        level = (places.view(np.uint64) // np.uint64(inner)).view(np.int64)
        places -= level * inner
        levels.append(level)
    return [*levels, places]


def _sort_places(places: Ints, values: npt.NDArray[Any]) -> tuple[Ints, npt.NDArray[Any], int]:
    order = np.argsort(places)
    ordered = places[order]
    first = _marks(ordered[1:] != ordered[:-1])
    if first.all():
        return ordered, values[order], 0
    _restore_file_order(order, ordered, first)
    return ordered[first], *_sum(values[order], first)


def _restore_file_order(order: Ints, ordered: Ints, first: npt.NDArray[np.bool_]) -> None:
    """Put duplicates back in file order, in place: the fast sort is not stable.

    The order in which they are added decides the last bits of their sum.
    """
    repeated = ~first
    repeated[:-1] |= repeated[1:]
    at = np.flatnonzero(repeated)
    order[at] = order[at[np.lexsort((order[at], ordered[at]))]]


def _sort_levels(levels: Levels, values: npt.NDArray[Any]) -> tuple[Levels, npt.NDArray[Any], int]:
    order = np.lexsort(levels[::-1])
    levels = [level[order] for level in levels]
    first = _marks(np.any([level[1:] != level[:-1] for level in levels], axis=0))
    return [level[first] for level in levels], *_sum(values[order], first)


def _marks(changes: npt.NDArray[np.bool_]) -> npt.NDArray[np.bool_]:
    return np.concatenate([[True], changes])


def _sum(values: npt.NDArray[Any], first: npt.NDArray[np.bool_]) -> tuple[npt.NDArray[Any], int]:
    if first.all():
        return values, 0
    starts = np.flatnonzero(first)
    return np.add.reduceat(values, starts), int(values.size - starts.size)

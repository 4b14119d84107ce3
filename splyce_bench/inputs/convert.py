"""Coordinates and values in any order to a storage format: sorted, duplicates summed, counted."""

from typing import Any

import numpy as np
import numpy.typing as npt

from splyce_bench.formats import TensorFormat
from splyce_bench.inputs.storage import StoredTensor, check_width, integer_type, value_type

Ints = npt.NDArray[np.int64]


def from_coo(
    coordinates: Ints,
    values: npt.NDArray[Any],
    shape: tuple[int, ...],
    format: TensorFormat,
    explicit_zeros: str = "drop",
    where: str = "tensor",
) -> StoredTensor:
    """Build a stored tensor; meta counts what was summed, dropped and not finite.

    Duplicates are summed before zeros are looked at, so that +1 and -1 at one place are dropped.
    """
    levels = coordinates[list(format.order)] if format.rank else coordinates
    levels, values, duplicates = _sorted_unique(levels, values)
    values = values.astype(value_type(format))
    zero = values == 0
    meta = {
        "duplicates_summed": duplicates,
        "explicit_zeros": int(np.count_nonzero(zero)),
        "explicit_zeros_kept": explicit_zeros == "keep",
        "nan": int(np.count_nonzero(np.isnan(values))),
        "infinite": int(np.count_nonzero(np.isinf(values))),
        "denormal": int(
            np.count_nonzero((values != 0) & (np.abs(values) < np.finfo(values.dtype).tiny))
        ),
    }
    if explicit_zeros == "drop" and zero.any():
        levels, values = levels[:, ~zero], values[~zero]
    check_width(format, shape, values.size, where)
    if format.is_dense:
        full = np.zeros(format.level_shape(shape), value_type(format))
        full[tuple(levels)] = values
        return StoredTensor(shape, format, {}, {}, full, meta)
    positions, stored = _compress(levels, format, shape)
    return StoredTensor(shape, format, positions, stored, values, meta)


def _sorted_unique(levels: Ints, values: npt.NDArray[Any]) -> tuple[Ints, npt.NDArray[Any], int]:
    order = np.lexsort(levels[::-1])
    levels, values = levels[:, order], values[order]
    if not values.size:
        return levels, values, 0
    first = np.empty(values.size, bool)
    first[0] = True
    np.any(levels[:, 1:] != levels[:, :-1], axis=0, out=first[1:])
    if first.all():
        return levels, values, 0
    starts = np.flatnonzero(first)
    return levels[:, first], np.add.reduceat(values, starts), int(values.size - starts.size)


def _compress(
    levels: Ints, format: TensorFormat, shape: tuple[int, ...]
) -> tuple[dict[int, npt.NDArray[Any]], dict[int, npt.NDArray[Any]]]:
    """Walk the levels outside in; `node` is each element's position at the level above."""
    positions: dict[int, npt.NDArray[Any]] = {}
    coordinates: dict[int, npt.NDArray[Any]] = {}
    node = np.zeros(levels.shape[1], np.int64)
    parents = 1
    for level, size in enumerate(format.level_shape(shape)):
        here = levels[level]
        if format.levels[level] == "dense":
            node, parents = node * size + here, parents * size
            continue
        new = np.ones(here.size, bool)
        new[1:] = (node[1:] != node[:-1]) | (here[1:] != here[:-1])
        counts = np.bincount(node[new], minlength=parents)
        ends = np.concatenate([[0], np.cumsum(counts)])
        positions[level] = ends.astype(integer_type(format.position_bits))
        coordinates[level] = here[new].astype(integer_type(format.coordinate_bits))
        node, parents = np.cumsum(new) - 1, int(np.count_nonzero(new))
    return positions, coordinates

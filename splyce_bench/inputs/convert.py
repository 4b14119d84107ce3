"""Coordinates and values in any order to a storage format: sorted, duplicates summed, counted."""

from typing import Any

import numpy as np
import numpy.typing as npt

from splyce_bench.formats import TensorFormat
from splyce_bench.inputs.ordering import Ints, Levels, sorted_unique
from splyce_bench.inputs.storage import (
    StoredTensor,
    check_innermost,
    check_positions,
    check_width,
    integer_type,
    value_type,
)


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
    sizes = format.level_shape(shape)
    check_innermost(format, where)
    check_positions(format, shape, where)
    levels = [coordinates[dimension] for dimension in format.order]
    levels, values, duplicates = sorted_unique(levels, sizes, values)
    values = values.astype(value_type(format), copy=False)
    zero = values == 0
    meta = {
        "duplicates_summed": duplicates,
        "explicit_zeros": int(np.count_nonzero(zero)),
        "explicit_zeros_kept": explicit_zeros == "keep",
        **_special_values(values, zero),
    }
    if explicit_zeros == "drop" and zero.any():
        levels, values = [level[~zero] for level in levels], values[~zero]
    check_width(format, shape, values.size, where)
    if format.is_dense:
        full = np.zeros(sizes, value_type(format))
        full[tuple(levels)] = values
        return StoredTensor(shape, format, {}, {}, full, meta)
    positions, stored = _compress(levels, format, sizes)
    return StoredTensor(shape, format, positions, stored, values, meta)


def _special_values(values: npt.NDArray[Any], zero: npt.NDArray[np.bool_]) -> dict[str, int]:
    small = np.count_nonzero(np.abs(values) < np.finfo(values.dtype).tiny)
    return {
        "nan": int(np.count_nonzero(np.isnan(values))),
        "infinite": int(np.count_nonzero(np.isinf(values))),
        "denormal": int(small - np.count_nonzero(zero)),
    }


def _compress(
    levels: Levels, format: TensorFormat, sizes: tuple[int, ...]
) -> tuple[dict[int, npt.NDArray[Any]], dict[int, npt.NDArray[Any]]]:
    """Walk the levels outside in; `node` is each element's position at the level above."""
    positions: dict[int, npt.NDArray[Any]] = {}
    coordinates: dict[int, npt.NDArray[Any]] = {}
    node: Ints | None = None
    parents = 1
    for level, (size, here) in enumerate(zip(sizes, levels, strict=True)):
        if format.levels[level] == "dense":
            node, parents = here if node is None else node * size + here, parents * size
            continue
        if node is None:
            node = np.zeros(here.size, np.int64)
        parent = node
        # The elements are unique, so each is a node of its own at the innermost level.
        if level < len(sizes) - 1:
            new = _changes(node, here)
            parent, here, node = node[new], here[new], np.cumsum(new) - 1
        ends = np.concatenate([[0], np.cumsum(np.bincount(parent, minlength=parents))])
        positions[level] = ends.astype(integer_type(format.position_bits), copy=False)
        coordinates[level] = here.astype(integer_type(format.coordinate_bits), copy=False)
        parents = here.size
    return positions, coordinates


def _changes(node: Ints, here: Ints) -> npt.NDArray[np.bool_]:
    """Mark the elements that begin a new node of a level."""
    new = np.ones(here.size, bool)
    new[1:] = (node[1:] != node[:-1]) | (here[1:] != here[:-1])
    return new

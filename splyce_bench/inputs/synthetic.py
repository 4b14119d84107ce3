"""Synthetic tensors, streamed to disk in chunks: memory does not grow with the tensor.

Uniform ones store each cell with the same probability: the distances between stored cells, counted
in storage order, are geometric. Values are uniform in 0.5 to 2.5. Distances and values come from
two streams of the seed, drawn one after the other, so the bytes do not depend on the chunk size.
"""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from splyce_bench.errors import UserError
from splyce_bench.formats import TensorFormat
from splyce_bench.inputs.distributions import skewed_cells
from splyce_bench.inputs.npy_stream import NpyStream
from splyce_bench.inputs.storage import (
    check_innermost,
    check_width,
    integer_type,
    value_type,
    write_meta,
)

LARGEST_CHUNK = 1 << 21
VERSION = 1

Ints = npt.NDArray[np.int64]


def write_synthetic(
    folder: Path,
    shape: tuple[int, ...],
    format: TensorFormat,
    density_pct: float,
    seed: int,
    distribution: str = "uniform",
    largest_chunk: int = LARGEST_CHUNK,
) -> None:
    """Write a synthetic tensor into an existing folder."""
    places, drawn = np.random.SeedSequence(seed).spawn(2)
    values = np.random.Generator(np.random.PCG64(drawn))
    cells = math.prod(shape)
    if cells >= 1 << 63:
        raise UserError(f"a tensor of shape {shape} has {cells} cells; at most 2^63 can be made")
    if not 0 <= density_pct <= 100:
        raise UserError(f"density_pct must be at least 0 and at most 100, found {density_pct}")
    probability = 1.0 if format.is_dense else density_pct / 100
    check_width(format, shape, int(cells * probability), f"synthetic {shape}")
    if distribution == "uniform":
        chunk = _chunk_size(cells * probability, largest_chunk)
        source = np.random.Generator(np.random.PCG64(places))
        chunks = _stored_cells(source, cells, probability, chunk)
    else:
        columns = format.level_shape(shape)[-1]
        chunks = skewed_cells(distribution, cells // columns, columns, probability, places)
    levels = _level_writers(folder, shape, format)
    with NpyStream(folder / "values.npy", value_type(format)) as stream:
        for cells_chunk in chunks:
            for writer in levels:
                writer.add(cells_chunk)
            stream.append(values.random(cells_chunk.size) * 2.0 + 0.5)
        stored = stream.count
        if format.is_dense:
            stream.reshape(format.level_shape(shape))
    for writer in levels:
        writer.close()
    meta = {
        "generator": f"{distribution} {VERSION}",
        "seed": seed,
        "asked_density_pct": density_pct,
    }
    write_meta(folder, shape, format, stored, meta)


def _chunk_size(expected: float, largest: int) -> int:
    """Fit the chunk to the tensor: a small one should be made in one go, without a long tail."""
    return int(min(largest, max(1024, expected + 4 * math.sqrt(expected) + 16)))


def _stored_cells(
    source: np.random.Generator, cells: int, probability: float, chunk: int
) -> Iterator[Ints]:
    """Yield the linear indices of the stored cells, ascending, a chunk at a time."""
    if probability == 0:
        # The partner of a matrix without a stored element.
        return
    last = -1
    while last < cells - 1:
        if probability >= 1:
            found = np.arange(last + 1, min(last + 1 + chunk, cells), dtype=np.int64)
        else:
            found = source.geometric(probability, chunk)
            found[0] += last
            np.cumsum(found, out=found)
            # A sum past 2^63 wraps to a negative number.
            found = found[: _count_inside(found, cells)]
            if found.size < chunk:
                if found.size:
                    yield found
                return
        yield found
        last = int(found[-1])


def _count_inside(ascending: Ints, cells: int) -> int:
    inside = (ascending >= 0) & (ascending < cells)
    return int(inside.size if inside.all() else np.argmin(inside))


class _LevelWriter:
    """Writes positions and coordinates of one compressed level from ascending cell indices.

    A node of the level is a distinct prefix of the coordinates down to it. Below dense levels the
    parents are all prefixes, so their children are counted; below a compressed level the parents
    are the nodes seen, so the position of each is written when it is first seen.
    """

    def __init__(
        self, folder: Path, level: int, sizes: tuple[int, ...], format: TensorFormat
    ) -> None:
        self.size = sizes[level]
        self.inner = math.prod(sizes[level + 1 :])
        self.counted = all(kind == "dense" for kind in format.levels[:level])
        parents = math.prod(sizes[:level]) if self.counted else 0
        self.counts = np.zeros(parents, np.int64)
        self.last_node = self.last_parent = -1
        coordinates = integer_type(format.coordinate_bits)
        self.coordinates = NpyStream(folder / f"coordinates_{level}.npy", coordinates)
        positions = integer_type(format.position_bits)
        self.positions = NpyStream(folder / f"positions_{level}.npy", positions)

    def add(self, cells: Ints) -> None:
        """Add a chunk of stored cells."""
        nodes = cells
        if self.inner > 1:
            nodes = cells // self.inner
            nodes = nodes[_changes(nodes, self.last_node)]
            if not nodes.size:
                return
        parents = nodes // self.size
        self._add_parents(parents)
        self.coordinates.append(nodes - parents * self.size)
        self.last_node = int(nodes[-1])

    def _add_parents(self, parents: Ints) -> None:
        if self.counted:
            first = int(parents[0])
            found = np.bincount(parents - first)
            self.counts[first : first + found.size] += found
            return
        new = np.flatnonzero(_changes(parents, self.last_parent))
        self.positions.append(self.coordinates.count + new)
        self.last_parent = int(parents[-1])

    def close(self) -> None:
        """Finish both arrays; the number of elements is known only now."""
        largest = int(np.iinfo(self.positions.dtype).max)
        if self.coordinates.count > largest:
            bits = self.positions.dtype.itemsize * 8
            raise UserError(
                f"{bits}-bit positions cannot hold {self.coordinates.count}; "
                "set position_bits of the format to a larger width"
            )
        if self.counted:
            self.positions.append(np.concatenate([[0], np.cumsum(self.counts)]))
        else:
            self.positions.append(np.array([self.coordinates.count]))
        self.positions.close()
        self.coordinates.close()


def _changes(ascending: Ints, before: int) -> npt.NDArray[np.bool_]:
    """Mark the elements that differ from their predecessor."""
    marks = np.empty(ascending.size, bool)
    if ascending.size:
        marks[0] = ascending[0] != before
        np.not_equal(ascending[1:], ascending[:-1], out=marks[1:])
    return marks


def _level_writers(
    folder: Path, shape: tuple[int, ...], format: TensorFormat
) -> list[_LevelWriter]:
    check_innermost(format, "synthetic input")
    sizes = format.level_shape(shape)
    kinds: list[Any] = list(enumerate(format.levels))
    return [_LevelWriter(folder, n, sizes, format) for n, kind in kinds if kind == "compressed"]

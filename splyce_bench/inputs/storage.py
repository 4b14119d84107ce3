"""Stored tensors: a folder with meta.json and one .npy an array, memory-mapped when opened."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from splyce_bench.errors import UserError
from splyce_bench.files import atomic_folder, read_json, sha256_of, write_json
from splyce_bench.formats import TensorFormat
from splyce_bench.space import TooLargeError, usable_memory

Array = npt.NDArray[Any]


@dataclass
class StoredTensor:
    """A tensor as MLIR stores it: positions and coordinates by level, and the values."""

    shape: tuple[int, ...]
    format: TensorFormat
    positions: dict[int, Array]
    coordinates: dict[int, Array]
    values: Array
    meta: dict[str, Any] = field(default_factory=dict)

    @property
    def nbytes(self) -> int:
        """Size of all arrays."""
        arrays = [self.values, *self.positions.values(), *self.coordinates.values()]
        return sum(int(array.nbytes) for array in arrays)


def integer_type(bits: int) -> np.dtype[Any]:
    """Return the array type of positions or coordinates; MLIR reads narrow ones as unsigned."""
    return np.dtype(np.int64 if bits == 64 else f"uint{bits}")


def value_type(format: TensorFormat) -> np.dtype[Any]:
    """Return the array type of the values."""
    return np.dtype(np.float64 if format.value_type == "f64" else np.float32)


def open_tensor(folder: Path) -> StoredTensor:
    """Map a stored tensor into memory, read-only, and check that its arrays fit together."""
    meta = read_json(folder / "meta.json")
    format = TensorFormat.from_json(meta["format"])
    compressed = [n for n, level in enumerate(format.levels) if level == "compressed"]
    tensor = StoredTensor(
        tuple(meta["shape"]),
        format,
        {n: _map(folder / f"positions_{n}.npy") for n in compressed},
        {n: _map(folder / f"coordinates_{n}.npy") for n in compressed},
        _map(folder / "values.npy"),
        meta,
    )
    _check_lengths(tensor, folder)
    return tensor


def _check_lengths(tensor: StoredTensor, folder: Path) -> None:
    """Refuse arrays that do not fit together: a kernel would read past their ends."""
    nodes = 1
    sizes = tensor.format.level_shape(tensor.shape)
    for level, kind in enumerate(tensor.format.levels):
        if kind == "dense":
            nodes *= sizes[level]
            continue
        positions, coordinates = tensor.positions[level], tensor.coordinates[level]
        fits = positions.size == nodes + 1 and int(positions[0]) == 0
        if not fits or int(positions[-1]) != coordinates.size:
            raise UserError(f"{folder}: positions of level {level} do not fit; make it again")
        nodes = coordinates.size
    if tensor.values.size != nodes:
        raise UserError(
            f"{folder}: {tensor.values.size} values for {nodes} elements; make it again"
        )


def _map(path: Path) -> Array:
    # An empty file cannot be mapped.
    return np.load(path, mmap_mode="r" if path.stat().st_size > 128 else None)  # type: ignore[no-any-return]


def write_tensor(tensor: StoredTensor, folder: Path) -> None:
    """Write a tensor held in memory; `folder` appears whole or not at all."""
    with atomic_folder(folder) as part:
        write_arrays(tensor, part)
        write_meta(part, tensor.shape, tensor.format, int(tensor.values.size), tensor.meta)


def write_arrays(tensor: StoredTensor, folder: Path) -> None:
    """Write the arrays into an existing folder."""
    for level, array in tensor.positions.items():
        np.save(folder / f"positions_{level}.npy", array)
    for level, array in tensor.coordinates.items():
        np.save(folder / f"coordinates_{level}.npy", array)
    np.save(folder / "values.npy", tensor.values)


def write_meta(
    folder: Path, shape: tuple[int, ...], format: TensorFormat, stored: int, extra: dict[str, Any]
) -> None:
    """Write meta.json beside the arrays, with the checksum of each."""
    cells = float(np.prod([float(n) for n in shape]))
    meta = {
        "shape": list(shape),
        "format": format.to_json(),
        "stored": stored,
        "density_pct": 100.0 * stored / cells if cells else 0.0,
        **extra,
        "sha256": {path.name: sha256_of(path) for path in sorted(folder.glob("*.npy"))},
    }
    write_json(folder / "meta.json", meta)


def check_width(format: TensorFormat, shape: tuple[int, ...], stored: int, where: str) -> None:
    """Refuse coordinates or positions too narrow for the data, before anything is written."""
    for kind, bits, largest in (
        ("coordinate", format.coordinate_bits, max((n - 1 for n in shape), default=0)),
        ("position", format.position_bits, stored),
    ):
        if largest > np.iinfo(integer_type(bits)).max:
            raise UserError(
                f"{where}: {bits}-bit {kind}s cannot hold {largest}; "
                f"set {kind}_bits of the format to a larger width"
            )


def check_innermost(format: TensorFormat, where: str) -> None:
    """Refuse a dense level below a compressed one: its zeros would have to be stored."""
    if not format.is_dense and format.levels[-1] != "compressed":
        raise UserError(
            f"{where}: inputs need a compressed innermost level, found {list(format.levels)}"
        )


def check_positions(format: TensorFormat, shape: tuple[int, ...], where: str) -> None:
    """Refuse dense levels whose positions alone exceed the memory, before they are allocated."""
    nodes = 1
    for level, size in zip(format.levels, format.level_shape(shape), strict=True):
        if level == "compressed":
            break
        nodes *= size
    memory = usable_memory()
    if nodes * 8 > memory:
        raise TooLargeError(
            f"{where}: {nodes} positions of the dense levels take {nodes * 8 / 2**30:.1f} GiB, the "
            f"machine has {memory / 2**30:.1f} GiB; use a format that begins with a compressed "
            "level, such as dcsr or csf"
        )


def stored_count(tensor: StoredTensor) -> int:
    """Return the number of stored elements; all of a dense tensor."""
    return int(tensor.values.size)


def to_coo(tensor: StoredTensor) -> tuple[npt.NDArray[np.int64], Array]:
    """Return coordinates (rank x stored, in dimension order) and values, as new arrays."""
    return _elements(tensor, 0, stored_count(tensor))


def stored_chunks(
    tensor: StoredTensor, chunk: int
) -> Iterator[tuple[npt.NDArray[np.int64], Array]]:
    """Yield coordinates and values of `chunk` stored elements at a time, in storage order.

    An empty tensor has one chunk, which is empty.
    """
    count = stored_count(tensor)
    for start in range(0, max(count, 1), chunk):
        yield _elements(tensor, start, min(start + chunk, count))


def _elements(tensor: StoredTensor, start: int, stop: int) -> tuple[npt.NDArray[np.int64], Array]:
    """Walk the levels inside out; `nodes` is where each element is stored in a level."""
    format = tensor.format
    coordinates = np.empty((format.rank, stop - start), np.int64)
    sizes = format.level_shape(tensor.shape)
    nodes = np.arange(start, stop)
    for level in reversed(range(format.rank)):
        row = coordinates[format.order[level]]
        if format.levels[level] == "dense":
            nodes, row[:] = np.divmod(nodes, sizes[level])
        elif nodes.size:
            first, last = int(nodes[0]), int(nodes[-1]) + 1
            row[:] = tensor.coordinates[level][first:last][nodes - first]
            nodes = _parents(tensor.positions[level], first, last)[nodes - first]
    return coordinates, np.array(tensor.values.reshape(-1)[start:stop])


def _parents(positions: Array, first: int, last: int) -> npt.NDArray[np.int64]:
    """Return the segment that each of the elements first to last belongs to."""
    low = int(np.searchsorted(positions, first, "right")) - 1
    high = int(np.searchsorted(positions, last, "left"))
    ends = np.clip(positions[low : high + 1].astype(np.int64), first, last)
    return np.repeat(np.arange(low, high), np.diff(ends))

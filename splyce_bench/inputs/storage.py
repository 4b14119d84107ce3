"""Stored tensors: a folder with meta.json and one .npy an array, memory-mapped when opened."""

import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from splyce_bench.errors import UserError
from splyce_bench.files import atomic_folder, read_json, sha256_of, write_json
from splyce_bench.formats import TensorFormat

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
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    if nodes * 8 > memory:
        raise UserError(
            f"{where}: {nodes} positions of the dense levels take {nodes * 8 / 2**30:.1f} GiB, the "
            f"machine has {memory / 2**30:.1f} GiB; use a format that begins with a compressed "
            "level, such as dcsr or csf"
        )


def to_coo(tensor: StoredTensor) -> tuple[npt.NDArray[np.int64], Array]:
    """Return coordinates (rank x stored, in dimension order) and values, as new arrays."""
    if tensor.format.is_dense:
        grid = np.indices(tensor.values.shape).reshape(tensor.format.rank, -1)
        levels, values = list(grid), np.asarray(tensor.values).reshape(-1)
    else:
        levels, values = _levels(tensor), np.asarray(tensor.values)
    coordinates = np.empty((len(levels), values.size), np.int64)
    for level, dimension in enumerate(tensor.format.order):
        coordinates[dimension] = levels[level]
    return coordinates, values


def _levels(tensor: StoredTensor) -> list[Array]:
    expanded: list[Array] = []
    for level, (kind, size) in enumerate(
        zip(tensor.format.levels, tensor.format.level_shape(tensor.shape), strict=True)
    ):
        parents = expanded[-1].size if expanded else 1
        if kind == "dense":
            expanded = [np.repeat(array, size) for array in expanded]
            expanded.append(np.tile(np.arange(size, dtype=np.int64), parents))
        else:
            counts: Array = np.diff(tensor.positions[level].astype(np.int64))
            expanded = [np.repeat(array, counts) for array in expanded]
            expanded.append(tensor.coordinates[level].astype(np.int64))
    return expanded

"""Recipes: how an operand is made, as JSON, and making it.

{"source": "synthetic", "shape": [5000, 5000], "density_pct": 5.0, "seed": 1}
{"source": "builtin", "name": "JGD_Trefethen/Trefethen_300"}
{"source": "collection", "group": "Bai", "name": "cdde1", "record": "results/.../cdde1.json"}
{"source": "file", "path": "matrix.mtx", "explicit_zeros": "keep"}   (.mtx .rb .tns, or with .gz)

A spec is {"operands": {NAME: {"recipe": ..., "format": ...}}}. Where only files tell the sizes, it
has also "indices" of each operand, by which they are compared, and "matrix", the operand whose size
and density its synthetic partners take.
"""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from splyce_bench.collection.outcome import UnobtainableError
from splyce_bench.errors import UserError
from splyce_bench.files import atomic_folder, read_json, write_json
from splyce_bench.formats import TensorFormat
from splyce_bench.inputs.builtin import BUILTIN
from splyce_bench.inputs.convert import from_coo
from splyce_bench.inputs.needs import input_bytes
from splyce_bench.inputs.pairing import MATRIX_SIZES, agreed_sizes, resolve
from splyce_bench.inputs.readers import read_tensor
from splyce_bench.inputs.storage import write_arrays, write_meta
from splyce_bench.inputs.synthetic import write_synthetic
from splyce_bench.inputs.tensor_file import TensorFile
from splyce_bench.space import TooLargeError, check_space

Recipe = dict[str, Any]


def build_input(spec: dict[str, Any], folder: Path) -> None:
    """Make all operands of a kernel below `folder`, which appears whole or not at all.

    What cannot be had is no error: meta.json then holds its outcome and reason.
    """
    if reason := spec.get("too_large"):
        _write_outcome(folder, UnobtainableError("too_large", reason))
        return
    try:
        with atomic_folder(folder) as part:
            made = _build(spec, part)
            write_json(part / "meta.json", {"operands": made})
    except UnobtainableError as outcome:
        _write_outcome(folder, outcome)
    except TooLargeError as error:
        _write_outcome(folder, UnobtainableError("too_large", str(error)))


def _write_outcome(folder: Path, outcome: UnobtainableError) -> None:
    with atomic_folder(folder) as part:
        found = {"outcome": outcome.outcome, "reason": outcome.reason}
        write_json(part / "meta.json", {**found, "operands": {}})


def _build(spec: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Make the matrices first, since their partners may depend on them."""
    operands = spec["operands"]
    matrices = {n: o for n, o in operands.items() if o["recipe"]["source"] != "synthetic"}
    made = {name: _make(operand, folder / name) for name, operand in matrices.items()}
    if matrices:
        matrix = made[spec.get("matrix", next(iter(made)))]
        sizes = _sizes_of_files(spec["indices"], made) if "indices" in spec else {}
        sizes |= dict(zip(MATRIX_SIZES, matrix["shape"], strict=False))
        operands = resolve(operands, sizes, matrix["density_pct"])
    partners = {n: o for n, o in operands.items() if n not in matrices}
    advice = "make `sizes` in config/default.yaml smaller"
    check_space(folder, input_bytes(partners), str(folder), advice)
    made |= {name: _make(operand, folder / name) for name, operand in partners.items()}
    return {name: made[name] for name in operands}


def _sizes_of_files(indices: dict[str, list[str]], made: dict[str, Any]) -> dict[str, int]:
    places = []
    for name, meta in made.items():
        origin = meta["recipe"].get("path") or meta["recipe"]["name"]
        places.append(
            (f"{name}[{','.join(indices[name])}] of {origin}", indices[name], meta["shape"])
        )
    advice = "give another file, or make that operand by a percentage in the pairing"
    return agreed_sizes(places, "sizes do not agree", advice)


def _make(operand: dict[str, Any], folder: Path) -> dict[str, Any]:
    recipe, format = operand["recipe"], TensorFormat.from_json(operand["format"])
    folder.mkdir()
    SOURCES[recipe["source"]](recipe, format, folder)
    meta = {"recipe": recipe, **read_json(folder / "meta.json")}
    if format.levels == ("dense", "compressed"):
        meta["rows" if format.order == (0, 1) else "columns"] = _lengths(folder)
    return meta


def _lengths(folder: Path) -> dict[str, float]:
    """Return how many elements the rows (or columns) hold: mean, largest, spread, empty ones."""
    counts = np.diff(np.load(folder / "positions_1.npy", mmap_mode="r"))
    mean = float(counts.mean()) if counts.size else 0.0
    return {
        "mean": mean,
        "max": int(counts.max(initial=0)),
        "cv": float(counts.std() / mean) if mean else 0.0,
        "empty": int(np.count_nonzero(counts == 0)),
    }


def _synthetic(recipe: Recipe, format: TensorFormat, folder: Path) -> None:
    shape, skew = tuple(recipe["shape"]), recipe.get("distribution", "uniform")
    write_synthetic(folder, shape, format, recipe["density_pct"], recipe["seed"], skew)


def _builtin(recipe: Recipe, format: TensorFormat, folder: Path) -> None:
    coordinates, values, shape = BUILTIN[recipe["name"]]()
    tensor = from_coo(coordinates, values, shape, format, where=recipe["name"])
    write_arrays(tensor, folder)
    write_meta(folder, tensor.shape, format, int(tensor.values.size), tensor.meta)


def _collection(recipe: Recipe, format: TensorFormat, folder: Path) -> None:
    record = read_json(Path(recipe["record"]))
    if record["outcome"] != "available":
        raise UnobtainableError(record["outcome"], record["reason"])
    try:
        _convert(record["path"], recipe, format, folder, {"mtx_sha256": record["sha256"]})
    except TooLargeError:
        raise
    except UserError as error:
        # One odd member of a long list must not stop the others.
        raise UnobtainableError("failed", str(error)) from None


def _file(recipe: Recipe, format: TensorFormat, folder: Path) -> None:
    _convert(recipe["path"], recipe, format, folder, {})


# Operands often are the same matrix in two formats; it is parsed once.
@cache
def _read(path: str) -> TensorFile:
    return read_tensor(Path(path))


def _convert(
    where: str, recipe: Recipe, format: TensorFormat, folder: Path, extra: dict[str, Any]
) -> None:
    read = _read(where)
    if len(read.shape) != format.rank:
        raise UserError(
            f"{where}: it has {len(read.shape)} dimensions, and operand {folder.name} of the "
            f"kernel has {format.rank}; give it to another one in the pairing, or name another file"
        )
    zeros = recipe.get("explicit_zeros", "drop")
    tensor = from_coo(read.coordinates, read.values, read.shape, format, zeros, where)
    write_arrays(tensor, folder)
    meta = {**read.counts, **tensor.meta, **extra}
    write_meta(folder, tensor.shape, format, int(tensor.values.size), meta)


SOURCES: dict[str, Callable[[Recipe, TensorFormat, Path], None]] = {
    "synthetic": _synthetic,
    "builtin": _builtin,
    "collection": _collection,
    "file": _file,
}

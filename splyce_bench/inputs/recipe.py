"""Recipes: how an operand is made, as JSON, and making it.

{"source": "synthetic", "shape": [5000, 5000], "density_pct": 5.0, "seed": 1}
{"source": "builtin", "name": "JGD_Trefethen/Trefethen_300"}
{"source": "file", "path": "matrix.mtx", "explicit_zeros": "keep"}   (.mtx .rb .tns, or with .gz)
"""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

from splyce_bench.errors import UserError
from splyce_bench.files import atomic_folder, read_json, write_json
from splyce_bench.formats import TensorFormat
from splyce_bench.inputs.builtin import BUILTIN
from splyce_bench.inputs.convert import from_coo
from splyce_bench.inputs.readers import read_tensor
from splyce_bench.inputs.storage import integer_type, value_type, write_arrays, write_meta
from splyce_bench.inputs.synthetic import write_synthetic
from splyce_bench.space import check_space

Recipe = dict[str, Any]


def build_input(spec: dict[str, Any], folder: Path) -> None:
    """Make all operands of a kernel below `folder`, which appears whole or not at all."""
    operands = {
        name: (entry["recipe"], TensorFormat.from_json(entry["format"]))
        for name, entry in spec["operands"].items()
    }
    needed = sum(recipe_bytes(recipe, format) for recipe, format in operands.values())
    check_space(folder, needed, str(folder), "make `sizes` in config/default.yaml smaller")
    with atomic_folder(folder) as part:
        for name, (recipe, format) in operands.items():
            (part / name).mkdir()
            SOURCES[recipe["source"]](recipe, format, part / name)
        write_json(part / "meta.json", {"operands": _summary(part, operands)})


def _summary(folder: Path, operands: dict[str, tuple[Recipe, TensorFormat]]) -> dict[str, Any]:
    return {
        name: {"recipe": recipe, **read_json(folder / name / "meta.json")}
        for name, (recipe, _) in operands.items()
    }


def recipe_bytes(recipe: Recipe, format: TensorFormat) -> int:
    """Estimate what an operand takes on disk before it is made; 0 when only making it tells."""
    if recipe["source"] != "synthetic":
        return 0
    cells = math.prod(recipe["shape"])
    if format.is_dense:
        return cells * value_type(format).itemsize
    stored = cells * recipe["density_pct"] / 100
    width = integer_type(format.coordinate_bits).itemsize
    outer = math.prod(format.level_shape(tuple(recipe["shape"]))[:-1])
    positions = (outer + 1) * integer_type(format.position_bits).itemsize
    return int(stored * (width + value_type(format).itemsize) + positions)


def _synthetic(recipe: Recipe, format: TensorFormat, folder: Path) -> None:
    shape = tuple(recipe["shape"])
    write_synthetic(folder, shape, format, recipe["density_pct"], recipe["seed"])


def _builtin(recipe: Recipe, format: TensorFormat, folder: Path) -> None:
    coordinates, values, shape = BUILTIN[recipe["name"]]()
    tensor = from_coo(coordinates, values, shape, format, where=recipe["name"])
    write_arrays(tensor, folder)
    write_meta(folder, tensor.shape, format, int(tensor.values.size), tensor.meta)


def _file(recipe: Recipe, format: TensorFormat, folder: Path) -> None:
    where = recipe["path"]
    read = read_tensor(Path(where))
    if len(read.shape) != format.rank:
        raise UserError(
            f"{where}: a tensor of {len(read.shape)} dimensions cannot be given to an operand of "
            f"{format.rank}"
        )
    zeros = recipe.get("explicit_zeros", "drop")
    tensor = from_coo(read.coordinates, read.values, read.shape, format, zeros, where)
    write_arrays(tensor, folder)
    meta = {**read.counts, **tensor.meta}
    write_meta(folder, tensor.shape, format, int(tensor.values.size), meta)


SOURCES: dict[str, Callable[[Recipe, TensorFormat, Path], None]] = {
    "synthetic": _synthetic,
    "builtin": _builtin,
    "file": _file,
}

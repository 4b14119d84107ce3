"""The inputs that experiments ask for: an id, a label for readers, and a recipe an operand."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from splyce_bench.collection.matrix_list import Member, load_matrix_list
from splyce_bench.errors import UserError, known
from splyce_bench.files import key_of
from splyce_bench.inputs.names import BUILTIN_NAMES, file_suffix
from splyce_bench.inputs.needs import Needs, needs_of_input, why_too_large
from splyce_bench.inputs.pairing import MATRIX, Pairing, pair
from splyce_bench.kernels.catalog import Kernel
from splyce_bench.space import USABLE_SHARE, usable_memory


@dataclass(frozen=True)
class InputSpec:
    """One input of a kernel; `member` is the line of the list that its matrix stands in.

    `needs` is None when only reading a file tells.
    """

    id: str
    label: dict[str, Any]
    recipe: dict[str, Any]
    member: Member | None = field(default=None, compare=False)
    needs: Needs | None = field(default=None, compare=False)

    @property
    def matrix(self) -> str | None:
        """The name of the matrix it is made from; None where all operands are synthetic."""
        name: str | None = self.label["matrix"]
        return name


def make_inputs(
    group: dict[str, Any], kernel: Kernel, config: dict[str, Any], where: str
) -> Iterator[InputSpec]:
    """Expand the `inputs` of a group of an experiment; those that will not fit say so."""
    for spec in _asked(group, kernel, config, where):
        yield _judged(spec, kernel, config)


def _asked(
    group: dict[str, Any], kernel: Kernel, config: dict[str, Any], where: str
) -> Iterator[InputSpec]:
    inputs = group["inputs"]
    for density in inputs.get("density_pct", []):
        for distribution in inputs.get("distributions", ["uniform"]):
            yield _synthetic(density, distribution, kernel, config)
    given = group.get("pairing")
    at = f"{where}.pairing" if given else f"{where}.inputs"
    pairing = Pairing.parse(given, at) if given else None
    for name in inputs.get("matrices", []):
        yield _named(name, kernel, pairing, config["seed"], f"{where}.inputs.matrices")
    if chosen := inputs.get("list"):
        yield from _listed(_list_path(chosen, kernel, config), kernel, pairing, config["seed"])


def small_input(input: InputSpec, kernel: Kernel, config: dict[str, Any]) -> InputSpec:
    """Return the same synthetic input at the sizes of `config`, under an id of its own."""
    made = _synthetic(input.label["density_pct"], input.label["distribution"], kernel, config)
    return _judged(replace(made, id=f"{made.id}-small"), kernel, config)


def _judged(spec: InputSpec, kernel: Kernel, config: dict[str, Any]) -> InputSpec:
    """Say in the recipe when the input will not fit into a measuring machine."""
    gib = config["slurm"]["memory_gib"]
    memory = int(USABLE_SHARE * gib * 2**30) if gib else usable_memory()
    reason = why_too_large(kernel, spec.needs, memory) if spec.needs else ""
    return replace(spec, recipe={**spec.recipe, "too_large": reason}) if reason else spec


def _list_path(chosen: str, kernel: Kernel, config: dict[str, Any]) -> Path:
    value = config["matrices"][chosen]
    if value == "sweep":
        return _list_path("sweep", kernel, config)
    own = {"real_world": "table4"}.get(chosen, f"sweep_{kernel.name}")
    return Path("config", "matrices", f"{own}.tsv") if value == "paper" else Path(value)


def _synthetic(
    density: float, distribution: str, kernel: Kernel, config: dict[str, Any]
) -> InputSpec:
    sizes = config["sizes"].get(kernel.name, {})
    if missing := [i for i in kernel.assignment.indices if i not in sizes]:
        raise UserError(
            f"config: sizes.{kernel.name}: no size for index '{missing[0]}' of "
            f"'{kernel.expression}'; give one for each of {', '.join(kernel.assignment.indices)}"
        )
    operands = {}
    for position, access in enumerate(kernel.operands):
        format = kernel.formats[access.tensor]
        recipe = {
            "source": "synthetic",
            "shape": list(kernel.shape_of(access, sizes)),
            "density_pct": 100.0 if format.is_dense else float(density),
            "seed": config["seed"] * 100 + position,
        }
        if distribution != "uniform" and not format.is_dense and format.rank > 1:
            recipe["distribution"] = distribution
        operands[access.tensor] = {"recipe": recipe, "format": format.to_json()}
    shown, skewed = f"{density:g}", "" if distribution == "uniform" else distribution
    id = f"d{shown}-{skewed}" if skewed else f"d{shown}"
    text = f"{shown} %, {skewed.replace('_', ' ')} rows" if skewed else f"{shown} %"
    label = {"id": id, "label": text, "density_pct": density, "matrix": None}
    return _spec(id, {**label, "distribution": distribution}, operands, kernel, id)


def _named(name: str, kernel: Kernel, pairing: Pairing | None, seed: int, where: str) -> InputSpec:
    if file_suffix(name):
        recipe = {"source": "file", "path": name}
    else:
        recipe = {"source": "builtin", "name": known(name, BUILTIN_NAMES, where, "matrix")}
    return _paired(name, recipe, kernel, pairing or Pairing.for_squares(kernel, where), seed, where)


def _listed(path: Path, kernel: Kernel, pairing: Pairing | None, seed: int) -> Iterator[InputSpec]:
    for member in load_matrix_list(path):
        where = f"{path}: {member.id}"
        if member.kernel not in ("", kernel.name):
            continue
        mine = Pairing.parse(member.pairing, where) if member.pairing else pairing
        mine = mine or Pairing.for_squares(kernel, where)
        if member.id in BUILTIN_NAMES:
            recipe = {"source": "builtin", "name": member.id}
            yield _paired(member.id, recipe, kernel, mine, seed, where, member)
            continue
        recipe = {"source": "collection", "group": member.group, "name": member.name}
        yield _paired(member.id, recipe, kernel, mine, seed, where, member)


def _paired(
    name: str,
    matrix: dict[str, Any],
    kernel: Kernel,
    pairing: Pairing,
    seed: int,
    where: str,
    member: Member | None = None,
) -> InputSpec:
    operands = pair(kernel, pairing, matrix, seed, where)
    # The same matrix may be paired otherwise in another experiment.
    id = f"{Path(name).name.split('.')[0]}-{key_of(operands)[:6]}"
    label = {"id": id, "label": name, "density_pct": None, "matrix": name}
    made = _spec(id, label, operands, kernel, where, member)
    if made.needs:
        return made
    # Whether the sizes of files agree shows when they are read.
    indices = {access.tensor: list(access.indices) for access in kernel.operands}
    first = next(tensor for tensor in indices if pairing.roles.get(tensor) == MATRIX)
    return replace(made, recipe={**made.recipe, "indices": indices, "matrix": first})


def _spec(
    id: str,
    label: dict[str, Any],
    operands: dict[str, Any],
    kernel: Kernel,
    where: str,
    member: Member | None = None,
) -> InputSpec:
    needs = needs_of_input(kernel, operands, member, where)
    return InputSpec(id, label, {"operands": operands}, member, needs)

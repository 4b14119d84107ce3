"""The experiments: which groups of cells each table or figure asks for."""

import difflib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from splyce_bench.compile.pipelines import Pipeline
from splyce_bench.configuration import load_yaml, validate
from splyce_bench.errors import UserError
from splyce_bench.files import key_of
from splyce_bench.inputs.names import BUILTIN_NAMES, file_suffix
from splyce_bench.kernels.catalog import Kernel


@dataclass(frozen=True)
class InputSpec:
    """One input of a kernel: an id for file names, a label for readers, a recipe an operand."""

    id: str
    label: dict[str, Any]
    recipe: dict[str, Any]


@dataclass(frozen=True)
class GroupSpec:
    """The cells that are measured together in one process."""

    experiment: str
    kernel: str
    pipelines: tuple[str, ...]
    baseline: str
    input: InputSpec
    cores: int

    @property
    def name(self) -> str:
        """Path-like name, unique within the experiment."""
        return f"{self.kernel}/{self.input.id}/c{self.cores}"


@dataclass(frozen=True)
class Experiment:
    """One YAML file of `experiments/`."""

    name: str
    title: str
    baseline: str
    beyond: bool
    groups: tuple[GroupSpec, ...]


def load_experiment(
    path: Path,
    kernels: dict[str, Kernel],
    pipelines: dict[str, Pipeline],
    config: dict[str, Any],
) -> Experiment:
    """Read an experiment and expand its groups; unknown names end in one message."""
    entry = load_yaml(path)
    validate(entry, "experiment", path)
    where = str(path)
    known(entry["baseline"], pipelines, f"{where}: baseline", "pipeline")
    groups = []
    for number, group in enumerate(entry["groups"]):
        at = f"{where}: groups.{number}"
        kernel = kernels[known(group["kernel"], kernels, f"{at}.kernel", "kernel")]
        for name in group["pipelines"]:
            known(name, pipelines, f"{at}.pipelines", "pipeline")
        if entry["baseline"] not in group["pipelines"]:
            raise UserError(f"{at}.pipelines: the baseline '{entry['baseline']}' must be in it")
        groups += [
            GroupSpec(
                path.stem, kernel.name, tuple(group["pipelines"]), entry["baseline"], input, cores
            )
            for input in _inputs(group["inputs"], kernel, config, f"{at}.inputs")
            for cores in group.get("cores", [1])
        ]
    return Experiment(
        path.stem, entry["title"], entry["baseline"], entry.get("beyond", False), tuple(groups)
    )


def known(name: str, table: Iterable[str], where: str, kind: str) -> str:
    """Return the name if the table has it; otherwise UserError with the nearest spelling."""
    names = list(table)
    if name in names:
        return name
    near = difflib.get_close_matches(name, names, 1)
    hint = f"did you mean '{near[0]}'? " if near else ""
    raise UserError(f"{where}: unknown {kind} '{name}'; {hint}known: {', '.join(names)}")


def _inputs(
    inputs: dict[str, list[Any]], kernel: Kernel, config: dict[str, Any], where: str
) -> Iterator[InputSpec]:
    for density in inputs.get("density_pct", []):
        yield _synthetic(density, kernel, config)
    for matrix in inputs.get("matrices", []):
        yield _matrix(matrix, kernel, where)


def _synthetic(density: float, kernel: Kernel, config: dict[str, Any]) -> InputSpec:
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
        operands[access.tensor] = {"recipe": recipe, "format": format.to_json()}
    shown = f"{density:g}"
    label = {"id": f"d{shown}", "label": f"{shown} %", "density_pct": density, "matrix": None}
    return InputSpec(f"d{shown}", label, {"operands": operands})


def _matrix(matrix: str, kernel: Kernel, where: str) -> InputSpec:
    operands = {}
    for access in kernel.operands:
        format = kernel.formats[access.tensor]
        if format.is_dense or format.rank != 2:
            raise UserError(
                f"{where}.matrices: kernel {kernel.name} has the operand {access}, which a matrix "
                "cannot be given to; use density_pct for this kernel"
            )
        is_file = file_suffix(matrix) is not None
        recipe = {"source": "file", "path": matrix} if is_file else _builtin(matrix, where)
        operands[access.tensor] = {"recipe": recipe, "format": format.to_json()}
    id = f"{Path(matrix).name.split('.')[0]}-{key_of(matrix)[:6]}" if is_file else matrix
    id = id.replace("/", "--")
    label = {"id": id, "label": matrix, "density_pct": None, "matrix": matrix}
    return InputSpec(id, label, {"operands": operands})


def _builtin(matrix: str, where: str) -> dict[str, Any]:
    return {
        "source": "builtin",
        "name": known(matrix, BUILTIN_NAMES, f"{where}.matrices", "matrix"),
    }

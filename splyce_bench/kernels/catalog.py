"""The kernels of `config/kernels.yaml`: expression, storage formats and loop order."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from splyce_bench.configuration import load_yaml, validate
from splyce_bench.errors import UserError
from splyce_bench.formats import TensorFormat, parse_format
from splyce_bench.kernels.notation import Access, Assignment, parse


@dataclass(frozen=True)
class Kernel:
    """A tensor expression with a storage format for each operand.

    `loops` lists the indices outermost first. `rewrites` is how many two-finger loops the
    sparsifier makes of it, which a vectorizing pipeline has to rewrite.
    """

    name: str
    expression: str
    assignment: Assignment
    formats: dict[str, TensorFormat]
    loops: tuple[str, ...]
    description: str

    @property
    def operands(self) -> list[Access]:
        """Input accesses in argument order."""
        return self.assignment.operands

    @property
    def output(self) -> Access:
        """The output access; it is the last argument."""
        return self.assignment.output

    def shape_of(self, access: Access, sizes: dict[str, int]) -> tuple[int, ...]:
        """Return the dimension sizes of one tensor, from the sizes of the indices."""
        return tuple(sizes[index] for index in access.indices)

    def to_json(self) -> dict[str, Any]:
        """Return what decides the generated code, as a JSON value."""
        return {
            "name": self.name,
            "expression": self.expression,
            "formats": {name: format.to_json() for name, format in self.formats.items()},
            "loops": list(self.loops),
        }


def load_kernels(path: Path) -> dict[str, Kernel]:
    """Read and check all kernels of a file."""
    table = load_yaml(path)
    validate(table, "kernels", path)
    return {name: make_kernel(name, entry, f"{path}: {name}") for name, entry in table.items()}


def make_kernel(name: str, entry: dict[str, Any], where: str) -> Kernel:
    """Make a kernel of one configuration entry."""
    assignment = parse(entry["expression"], f"{where}.expression")
    given = dict(entry["formats"])
    formats = {}
    for access in [*assignment.operands, assignment.output]:
        spec = given.pop(access.tensor, "dense")
        formats[access.tensor] = parse_format(
            spec, len(access.indices), f"{where}.formats.{access.tensor}"
        )
    if given:
        known = ", ".join(formats)
        raise UserError(f"{where}.formats: no tensor '{min(given)}'; the expression has: {known}")
    if not formats[assignment.output.tensor].is_dense:
        raise UserError(f"{where}.formats.{assignment.output.tensor}: the output must be dense")
    loops = tuple(entry.get("loops") or assignment.indices)
    if sorted(loops) != sorted(assignment.indices):
        raise UserError(
            f"{where}.loops: {list(loops)} must name each of {assignment.indices} exactly once"
        )
    return Kernel(name, entry["expression"], assignment, formats, loops, entry["description"])

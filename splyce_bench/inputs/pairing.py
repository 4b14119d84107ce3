"""Pairings: which operands a matrix is given to, and how the synthetic partners are made.

    {C: matrix, D: matrix, B: density>=0.001, i: rows}

gives the matrix to C and D, makes B of the matrix's density but at least 0.001 %, and sets the size
of index i, which the matrix does not fix, to its number of rows.
"""

import re
from dataclasses import dataclass
from typing import Any

from splyce_bench.errors import UserError
from splyce_bench.kernels.catalog import Kernel

MATRIX = "matrix"
_DENSITY = re.compile(r"density(?:>=(?P<least>[0-9.eE+-]+))?")
Recipe = dict[str, Any]


@dataclass(frozen=True)
class Pairing:
    """The roles of operands and the sizes of indices, as they are written."""

    roles: dict[str, str]

    @staticmethod
    def for_squares(kernel: Kernel, where: str) -> "Pairing":
        """Give the matrix to every operand; UserError when one cannot take it."""
        for access in kernel.operands:
            format = kernel.formats[access.tensor]
            if format.is_dense or format.rank != 2:
                raise UserError(
                    f"{where}: kernel {kernel.name} has the operand {access}, which a matrix "
                    f"cannot be given to; add a pairing, such as {{{access.tensor}: density}}"
                )
        return Pairing({access.tensor: MATRIX for access in kernel.operands})

    @staticmethod
    def parse(value: dict[str, Any] | str, where: str) -> "Pairing":
        """Read a mapping, or the same as `D=matrix B=10.97 i=1000`."""
        if isinstance(value, dict):
            return Pairing({name: str(role) for name, role in value.items()})
        words = [word.partition("=") for word in value.split()]
        if bad := [name for name, mark, role in words if not (name and mark and role)]:
            raise UserError(f"{where}: '{bad[0]}' is not NAME=ROLE, as in 'D=matrix B=10.97 i=5'")
        names = [name for name, _, _ in words]
        if twice := [name for name in names if names.count(name) > 1]:
            raise UserError(f"{where}: '{twice[0]}' has two roles; give it one")
        return Pairing({name: role for name, _, role in words})


def pair(kernel: Kernel, pairing: Pairing, matrix: Recipe, seed: int, where: str) -> dict[str, Any]:
    """Return a recipe and a format for each operand.

    Sizes and densities that depend on the matrix stay symbols ("rows", "cols", {"matrix": ...})
    until it has been read.
    """
    if MATRIX not in pairing.roles.values():
        raise UserError(f"{where}: pairing: no operand is the matrix; add e.g. 'B: matrix'")
    sizes = _sizes(kernel, pairing, where)
    operands = {}
    for position, access in enumerate(kernel.operands):
        format = kernel.formats[access.tensor]
        role = pairing.roles.get(access.tensor, "100" if format.is_dense else "")
        if not role:
            raise UserError(
                f"{where}: pairing: operand {access} has no role; add '{access.tensor}: matrix', "
                "density, density>=PERCENT or PERCENT"
            )
        recipe = matrix
        if role != MATRIX:
            recipe = {
                "source": "synthetic",
                "shape": [sizes[index] for index in access.indices],
                "density_pct": _density(role, f"{where}: pairing of {access.tensor}"),
                "seed": seed * 100 + position,
            }
        operands[access.tensor] = {"recipe": recipe, "format": format.to_json()}
    return operands


def resolve(operands: dict[str, Any], rows: int, cols: int, density_pct: float) -> dict[str, Any]:
    """Replace what depends on the matrix by numbers."""
    sizes = {"rows": rows, "cols": cols}
    resolved = {}
    for name, operand in operands.items():
        recipe = dict(operand["recipe"])
        if recipe["source"] == "synthetic":
            recipe["shape"] = [sizes.get(size, size) for size in recipe["shape"]]
            if isinstance(recipe["density_pct"], dict):
                recipe["density_pct"] = max(density_pct, recipe["density_pct"]["at_least"])
        resolved[name] = {**operand, "recipe": recipe}
    return resolved


def resolved_sizes(
    kernel: Kernel, operands: dict[str, Any], rows: int, cols: int, where: str
) -> dict[str, int]:
    """Return the size of each index of resolved operands; UserError if two operands disagree."""
    sizes: dict[str, tuple[int, str]] = {}
    for access in kernel.operands:
        shape = operands[access.tensor]["recipe"].get("shape", (rows, cols))
        for index, size in zip(access.indices, shape, strict=True):
            first, at = sizes.setdefault(index, (size, str(access)))
            if first != size:
                raise UserError(
                    f"{where}: {kernel.name}: index '{index}' has size {first} in {at} but {size} "
                    f"in {access}; a matrix of {rows} x {cols} needs another pairing"
                )
    return {index: size for index, (size, _) in sizes.items()}


def _sizes(kernel: Kernel, pairing: Pairing, where: str) -> dict[str, int | str]:
    sizes: dict[str, int | str] = {}
    known = {a.tensor: a for a in kernel.operands}
    for name, access in known.items():
        if pairing.roles.get(name) == MATRIX:
            if len(access.indices) != 2:
                raise UserError(
                    f"{where}: {access} has {len(access.indices)} indices, a matrix two"
                )
            for index, size in zip(access.indices, ("rows", "cols"), strict=True):
                sizes.setdefault(index, size)
    for name, role in pairing.roles.items():
        if name in sizes:
            raise UserError(f"{where}: pairing: the matrix fixes index '{name}'; leave it out")
        if name in kernel.assignment.indices:
            sizes[name] = role if role in ("rows", "cols") else _whole(role, f"{where}: {name}")
        elif name not in known:
            names = ", ".join([*known, *kernel.assignment.indices])
            raise UserError(f"{where}: pairing: no '{name}' in {kernel.expression}; it has {names}")
    if missing := [i for i in kernel.assignment.indices if i not in sizes]:
        raise UserError(
            f"{where}: pairing: no size for index '{missing[0]}' of '{kernel.expression}'; "
            f"add '{missing[0]}: rows', cols or a number"
        )
    return sizes


def _whole(text: str, where: str) -> int:
    if not re.fullmatch("[1-9][0-9]*", text):
        raise UserError(f"{where}: '{text}' is no size; expected rows, cols or a whole number")
    return int(text)


def _density(role: str, where: str) -> float | dict[str, float]:
    if found := _DENSITY.fullmatch(role):
        return {"at_least": _percent(found["least"], where) if found["least"] else 0.0}
    return _percent(role, where)


def _percent(text: str, where: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = -1.0
    if not 0 < value <= 100:
        raise UserError(
            f"{where}: '{text}' is no role; expected matrix, density, density>=PERCENT or a "
            "PERCENT above 0 and at most 100"
        )
    return value

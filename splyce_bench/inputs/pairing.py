"""Pairings: which operands a matrix is given to, and how the synthetic partners are made.

    {C: matrix, D: matrix, B: density>=0.001, i: rows}

gives the matrix to C and D, makes B of the matrix's density but at least 0.001 %, and sets the size
of index i, which the matrix does not fix, to its number of rows.

    {B: matrix, C: 5, D: factors.mtx, j: k}

gives it to B, a tensor where B has three indices, reads D from a file of its own, and makes index j
as large as k.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from splyce_bench.errors import UserError
from splyce_bench.inputs.names import file_rank, file_suffix
from splyce_bench.kernels.catalog import Kernel
from splyce_bench.kernels.notation import Access

MATRIX = "matrix"
# The sizes of a matrix have names; those of other tensors are named after the operand's indices.
MATRIX_SIZES = ("rows", "cols")
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

    Sizes and densities that depend on a file stay symbols ("rows", "cols", an index,
    {"at_least": ...}) until it has been read.
    """
    if MATRIX not in pairing.roles.values():
        raise UserError(f"{where}: pairing: no operand is the matrix; add e.g. 'B: matrix'")
    given = _given(kernel, pairing, matrix, where)
    sizes = _sizes(kernel, pairing, given, where)
    operands = {}
    for position, access in enumerate(kernel.operands):
        format = kernel.formats[access.tensor]
        role = pairing.roles.get(access.tensor, "100" if format.is_dense else "")
        if not role:
            raise UserError(
                f"{where}: pairing: operand {access} has no role; add '{access.tensor}: matrix', "
                "density, density>=PERCENT, PERCENT or a file"
            )
        recipe = given.get(access.tensor) or {
            "source": "synthetic",
            "shape": [sizes[index] for index in access.indices],
            "density_pct": _density(role, f"{where}: pairing of {access.tensor}"),
            "seed": seed * 100 + position,
        }
        operands[access.tensor] = {"recipe": recipe, "format": format.to_json()}
    return operands


def resolve(operands: dict[str, Any], sizes: dict[str, int], density_pct: float) -> dict[str, Any]:
    """Replace what depends on a file by numbers; `sizes` has a number for each symbol."""
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
    places = [
        (str(a), a.indices, operands[a.tensor]["recipe"].get("shape", (rows, cols)))
        for a in kernel.operands
    ]
    advice = f"a matrix of {rows} x {cols} needs another pairing"
    return agreed_sizes(places, f"{where}: {kernel.name}", advice)


def agreed_sizes(
    places: Iterable[tuple[str, Sequence[str], Sequence[int]]], where: str, advice: str
) -> dict[str, int]:
    """Return the size of each index; a place is an operand for readers, its indices and shape."""
    sizes: dict[str, tuple[int, str]] = {}
    for place, indices, shape in places:
        for index, size in zip(indices, shape, strict=True):
            first, at = sizes.setdefault(index, (size, place))
            if first != size:
                raise UserError(
                    f"{where}: index '{index}' has size {first} in {at} but {size} in {place}; "
                    f"{advice}"
                )
    return {index: size for index, (size, _) in sizes.items()}


def _given(kernel: Kernel, pairing: Pairing, matrix: Recipe, where: str) -> dict[str, Recipe]:
    """Return the recipe of each operand that is not synthetic."""
    given = {}
    for access in kernel.operands:
        role = pairing.roles.get(access.tensor, "")
        if role == MATRIX:
            given[access.tensor] = matrix
        elif file_suffix(role):
            given[access.tensor] = {"source": "file", "path": role}
        if access.tensor in given:
            _check_rank(access, given[access.tensor], where)
    return given


def _check_rank(access: Access, recipe: Recipe, where: str) -> None:
    """Refuse a matrix for what is no matrix; the rank of a .tns file shows when it is read."""
    name = recipe.get("path") or recipe["name"]
    rank = file_rank(name) if recipe["source"] == "file" else 2
    if rank not in (None, len(access.indices)):
        raise UserError(
            f"{where}: {name} is a matrix, with two indices, and operand {access} has "
            f"{len(access.indices)}; give it to an operand with two, or a .tns file to this one"
        )


def _sizes(
    kernel: Kernel, pairing: Pairing, given: dict[str, Recipe], where: str
) -> dict[str, int | str]:
    """Return a number or a symbol for each index."""
    fixed = _fixed(kernel, pairing, given)
    sizes: dict[str, int | str] = dict(fixed)
    known = [access.tensor for access in kernel.operands]
    for name, role in pairing.roles.items():
        if name in fixed:
            raise UserError(f"{where}: pairing: the matrix fixes index '{name}'; leave it out")
        if name in kernel.assignment.indices:
            sizes[name] = _size(role, fixed, f"{where}: {name}")
        elif name not in known:
            names = ", ".join([*known, *kernel.assignment.indices])
            raise UserError(f"{where}: pairing: no '{name}' in {kernel.expression}; it has {names}")
    if missing := [i for i in kernel.assignment.indices if i not in sizes]:
        has_names = MATRIX_SIZES[0] in fixed.values()
        examples = "rows', cols" if has_names else f"{next(iter(fixed))}' (as large as that index)"
        raise UserError(
            f"{where}: pairing: no size for index '{missing[0]}' of '{kernel.expression}'; "
            f"add '{missing[0]}: {examples} or a number"
        )
    return sizes


def _fixed(kernel: Kernel, pairing: Pairing, given: dict[str, Recipe]) -> dict[str, str]:
    """Return the symbol of each index that a file fixes."""
    fixed: dict[str, str] = {}
    for access in kernel.operands:
        if access.tensor not in given:
            continue
        plain = pairing.roles[access.tensor] == MATRIX and len(access.indices) == 2
        symbols = MATRIX_SIZES if plain else access.indices
        for index, symbol in zip(access.indices, symbols, strict=True):
            fixed.setdefault(index, symbol)
    return fixed


def _size(text: str, fixed: dict[str, str], where: str) -> int | str:
    if text in fixed:
        return fixed[text]
    if text in fixed.values():
        return text
    if not re.fullmatch("[1-9][0-9]*", text):
        sizes = "rows, cols or " if MATRIX_SIZES[0] in fixed.values() else ""
        raise UserError(
            f"{where}: '{text}' is no size; expected {sizes}a whole number, or an index that the "
            f"matrix fixes ({', '.join(fixed)})"
        )
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
            f"{where}: '{text}' is no role; expected matrix, density, density>=PERCENT, a "
            "PERCENT above 0 and at most 100, or a file (.mtx, .rb, .tns)"
        )
    return value

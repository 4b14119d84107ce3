"""Banner and size line of a Matrix Market file."""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from splyce_bench.errors import UserError
from splyce_bench.inputs.number_words import LARGEST_SIZE

_PLAIN_BANNER = re.compile(r"%%MatrixMarket matrix coordinate [a-z]+ [a-z-]+$")
FIELDS = ("real", "double", "integer", "pattern", "unsigned-integer")
SYMMETRIES = ("general", "symmetric", "skew-symmetric")


@dataclass(frozen=True)
class Header:
    """`lines` is the number of lines before the entries; `plain`: scipy knows this banner."""

    layout: str
    field: str
    symmetry: str
    rows: int
    columns: int
    entries: int
    lines: int
    plain: bool

    @property
    def width(self) -> int:
        """How many numbers an entry has."""
        return 1 if self.layout == "array" else 2 + (self.field != "pattern")

    @property
    def words(self) -> int:
        """How many numbers follow the size line."""
        return self.entries * self.width


def read_header(file: IO[bytes], path: Path) -> Header:
    """Read up to the size line; UserError names the line that is wrong."""
    banner = file.readline()
    if not banner.strip():
        raise UserError(f"{path}:1: the file is empty; expected '%%MatrixMarket matrix ...'")
    layout, field, symmetry = _read_banner(banner, path)
    number, size = 1, b""
    while not size.strip() or size.lstrip().startswith(b"%"):
        size = file.readline()
        number += 1
        if not size:
            raise UserError(f"{path}:{number}: the file ends before the size line")
    rows, columns, entries = _read_sizes(size, layout, symmetry, path, number)
    plain = bool(_PLAIN_BANNER.match(banner.decode("latin-1").rstrip("\r\n")))
    return Header(layout, field, symmetry, rows, columns, entries, number, plain)


def _read_banner(banner: bytes, path: Path) -> list[str]:
    words = banner.decode("latin-1").lower().split()
    if words[:2] != ["%%matrixmarket", "matrix"] or len(words) < 5:
        coordinates = len(words) > 1 and words[0].isdigit()
        hint = " (it looks like a list of coordinates)" if coordinates else ""
        shown = banner[:60].decode("latin-1").strip()
        raise UserError(
            f"{path}:1: not a Matrix Market file{hint}; expected "
            f"'%%MatrixMarket matrix coordinate real general', found '{shown}'"
        )
    _check_kind(path, *words[2:5])
    return words[2:5]


def _check_kind(path: Path, layout: str, field: str, symmetry: str) -> None:
    if field == "complex" or symmetry == "hermitian":
        raise UserError(
            f"{path}:1: {field} {symmetry} matrices are not supported; "
            f"allowed: {', '.join(FIELDS)} with {', '.join(SYMMETRIES)}"
        )
    if (layout, field) == ("array", "pattern"):
        raise UserError(f"{path}:1: an array has values, so its field cannot be pattern")
    for what, found, allowed in (
        ("layout", layout, ("coordinate", "array")),
        ("field", field, FIELDS),
        ("symmetry", symmetry, SYMMETRIES),
    ):
        if found not in allowed:
            raise UserError(f"{path}:1: unknown {what} '{found}'; allowed: {', '.join(allowed)}")


def _read_sizes(
    line: bytes, layout: str, symmetry: str, path: Path, number: int
) -> tuple[int, int, int]:
    words = line.split()
    wanted = 3 if layout == "coordinate" else 2
    if len(words) != wanted or not all(word.isdigit() for word in words):
        names = "rows, columns and entries" if wanted == 3 else "rows and columns"
        found = line.decode("latin-1").strip()
        raise UserError(f"{path}:{number}: expected {names}, found '{found}'")
    rows, columns, *rest = map(int, words)
    if max(rows, columns) > LARGEST_SIZE:
        raise UserError(f"{path}:{number}: sizes of 2^63 and more are not supported")
    if symmetry != "general" and rows != columns:
        raise UserError(f"{path}:{number}: a {symmetry} matrix must be square")
    return rows, columns, rest[0] if rest else _array_entries(symmetry, rows, columns)


def _array_entries(symmetry: str, rows: int, columns: int) -> int:
    """Return how many values an array has: the lower triangle of a symmetric one."""
    if symmetry == "general":
        return rows * columns
    return rows * (rows + 1) // 2 if symmetry == "symmetric" else rows * (rows - 1) // 2

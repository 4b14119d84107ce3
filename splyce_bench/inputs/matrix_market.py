"""Matrix Market files: scipy reads them; what it would misread or only complain of is found here.

A cheap scan of the bytes counts tokens and looks for characters that plain numbers do not have.
Where all is plain, scipy's reader is fast and right. Otherwise the file is read line by line, which
either understands it (Fortran exponents, `+3`, comments between entries) or names the line.
"""

import gzip
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt
import scipy.io

from splyce_bench.errors import UserError

_BLOCK = 1 << 22
# What scipy's reader misreads: inside a word such as `1.5D+01` or `1.2.3` it stops and goes on.
_UNUSUAL = re.compile(
    rb"[^0-9eE.+\-\s]|\+[0-9.]|[0-9.][+\-]|\.[0-9]*\.|[eE][+\-]?(?![0-9+\-])"
    rb"|[eE][+\-]?[0-9]*[.eE]|[+\-]{2}|(?<![0-9.])[eE]"
)
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?|[+-]?(inf|infinity|nan)")
_PLAIN_BANNER = re.compile(r"%%MatrixMarket matrix (coordinate|array) [a-z]+ [a-z-]+$")
FIELDS = ("real", "double", "integer", "pattern", "unsigned-integer")
SYMMETRIES = ("general", "symmetric", "skew-symmetric")


@dataclass
class MatrixFile:
    """What a file holds: every stored element after expansion, 0-based, and what was counted."""

    coordinates: tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]
    values: npt.NDArray[np.float64]
    shape: tuple[int, int]
    counts: dict[str, Any]


@dataclass
class Header:
    """Banner and size line; `lines` is the number of lines before the entries."""

    layout: str
    field: str
    symmetry: str
    rows: int
    columns: int
    entries: int
    lines: int
    plain: bool

    @property
    def tokens(self) -> int:
        """How many numbers follow the size line."""
        per_entry = 1 if self.layout == "array" else 2 + (self.field != "pattern")
        return self.entries * per_entry


def read_matrix(path: Path) -> MatrixFile:
    """Read a .mtx or .mtx.gz file; UserError names file and line of what is wrong."""
    try:
        with _open(path) as file:
            header = _read_header(file, path)
            usual = header.plain and _scan(file, header)
        found = _fast(path, header) if usual else None
        if found is None:
            found = _slow(path, header)
    except (EOFError, gzip.BadGzipFile) as error:
        raise UserError(f"{path}: damaged gzip file ({error}); fetch it again") from None
    except FileNotFoundError:
        raise UserError(f"{path}: no such file") from None
    rows, columns, values = found
    if header.symmetry == "skew-symmetric" and np.any(values[rows == columns]):
        raise UserError(f"{path}: a skew-symmetric matrix has an entry on its diagonal")
    counts = {
        "field": header.field,
        "symmetry": header.symmetry,
        "entries_in_file": header.entries,
        "expanded": int(values.size),
    }
    return MatrixFile((rows, columns), values, (header.rows, header.columns), counts)


def read_header(path: Path) -> Header:
    """Read banner and size line of a .mtx or .mtx.gz file."""
    with _open(path) as file:
        return _read_header(file, path)


def _open(path: Path) -> IO[bytes]:
    return gzip.open(path, "rb") if path.suffix == ".gz" else path.open("rb")  # type: ignore[return-value]


def _read_header(file: IO[bytes], path: Path) -> Header:
    banner = file.readline()
    if not banner.strip():
        raise UserError(f"{path}:1: the file is empty; expected '%%MatrixMarket matrix ...'")
    words = banner.decode("latin-1").lower().split()
    if words[:2] != ["%%matrixmarket", "matrix"] or len(words) < 5:
        hint = _other_format(words)
        shown = banner[:60].decode("latin-1").strip()
        raise UserError(
            f"{path}:1: not a Matrix Market file{hint}; expected "
            f"'%%MatrixMarket matrix coordinate real general', found '{shown}'"
        )
    layout, field, symmetry = words[2:5]
    _check_kind(path, layout, field, symmetry)
    number, size = 1, b""
    while not size.strip() or size.lstrip().startswith(b"%"):
        size = file.readline()
        number += 1
        if not size:
            raise UserError(f"{path}:{number}: the file ends before the size line")
    numbers = _sizes(size, layout, path, number)
    if symmetry != "general" and numbers[0] != numbers[1]:
        raise UserError(f"{path}:{number}: a {symmetry} matrix must be square")
    plain = bool(_PLAIN_BANNER.match(banner.decode("latin-1").rstrip("\r\n")))
    return Header(layout, field, symmetry, *numbers, lines=number, plain=plain)


def _other_format(words: list[str]) -> str:
    if len(words) > 1 and re.fullmatch(r"[0-9]+", words[0]):
        return " (it looks like a list of coordinates)"
    return ""


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


def _sizes(line: bytes, layout: str, path: Path, number: int) -> tuple[int, int, int]:
    words = line.split()
    wanted = 3 if layout == "coordinate" else 2
    if len(words) != wanted or not all(word.isdigit() for word in words):
        names = "rows, columns and entries" if wanted == 3 else "rows and columns"
        found = line.decode("latin-1").strip()
        raise UserError(f"{path}:{number}: expected {names}, found '{found}'")
    rows, columns, *rest = map(int, words)
    if max(rows, columns) >= 1 << 63:
        raise UserError(f"{path}:{number}: sizes past 2^63 are not supported")
    return rows, columns, rest[0] if rest else rows * columns


def _scan(file: IO[bytes], header: Header) -> bool:
    """True when the entries are as many plain numbers as the header promises."""
    if header.layout == "array":
        return False
    tokens, before_is_space, word = 0, True, b""
    while block := file.read(_BLOCK):
        # A word cut in two by the block's end is looked at again with the next block.
        whole = word + block
        if _UNUSUAL.search(whole) or (header.field == "integer" and b"." in block):
            return False
        word = re.split(rb"\s", whole[-64:])[-1]
        space = np.frombuffer(block, np.uint8) <= 32
        starts = np.count_nonzero(space[:-1] & ~space[1:])
        tokens += int(starts) + int(before_is_space and not space[0])
        before_is_space = bool(space[-1])
    return tokens == header.tokens


Entries = tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.float64]]


def _fast(path: Path, header: Header) -> Entries | None:
    """Let scipy read; None when it refuses, so that the line can be named."""
    try:
        found = scipy.io.mmread(path, spmatrix=False)
    except (ValueError, OverflowError):
        return None
    rows, columns = (np.asarray(c, np.int64) for c in found.coords)
    return rows, columns, np.asarray(found.data, np.float64)


def _slow(path: Path, header: Header) -> Entries:
    """Read line by line, naming the first line that is wrong."""
    with _open(path) as file:
        lines = _content(file, header.lines)
        read = _array_entries if header.layout == "array" else _coordinate_entries
        rows, columns, values = read(path, header, lines)
    return _expand(header, rows, columns, values)


def _content(file: IO[bytes], skip: int) -> Iterator[tuple[int, list[str]]]:
    for number, line in enumerate(file, 1):
        if number > skip and line.strip() and not line.lstrip().startswith(b"%"):
            yield number, line.decode("latin-1").split()


def _coordinate_entries(
    path: Path, header: Header, lines: Iterator[tuple[int, list[str]]]
) -> Entries:
    width = 2 + (header.field != "pattern")
    rows = np.empty(header.entries, np.int64)
    columns = np.empty(header.entries, np.int64)
    values = np.ones(header.entries)
    count, number = 0, header.lines
    for number, words in lines:
        if count == header.entries:
            raise UserError(f"{path}:{number}: more entries than the {header.entries} declared")
        if len(words) != width:
            raise UserError(f"{path}:{number}: expected {width} numbers, found {len(words)}")
        rows[count] = _index(words[0], header.rows, "row", path, number)
        columns[count] = _index(words[1], header.columns, "column", path, number)
        if width == 3:
            if header.field == "integer" and not re.fullmatch(r"[+-]?[0-9]+", words[2]):
                raise UserError(f"{path}:{number}: '{words[2]}' is not an integer")
            values[count] = _value(words[2], path, number)
        count += 1
    if count < header.entries:
        raise UserError(
            f"{path}: {header.entries} entries declared and {count} found "
            f"(end of file after line {number}); the copy may be cut off, fetch it again"
        )
    return rows, columns, values


def _index(word: str, size: int, what: str, path: Path, number: int) -> int:
    if not re.fullmatch(r"[+-]?[0-9]+", word):
        raise UserError(f"{path}:{number}: '{word}' is not a {what} number")
    value = int(word)
    if value == 0:
        raise UserError(f"{path}:{number}: {what} 0; indices start at 1")
    if not 0 < value <= size:
        raise UserError(f"{path}:{number}: {what} {value} is outside 1..{size}")
    return value - 1


def _value(word: str, path: Path, number: int) -> float:
    plain = word.lower().replace("d", "e") if word[-1:].isdigit() else word.lower()
    if not _NUMBER.fullmatch(plain):
        raise UserError(f"{path}:{number}: '{word}' is not a number")
    return float(plain)


def _array_entries(path: Path, header: Header, lines: Iterator[tuple[int, list[str]]]) -> Entries:
    """Read the dense layout: one value a line, column after column; the lower part if symmetric."""
    low = {"general": None, "symmetric": 0, "skew-symmetric": 1}[header.symmetry]
    columns, rows = (
        np.indices((header.columns, header.rows)).reshape(2, -1)
        if low is None
        else _lower_by_columns(header.rows, low)
    )
    values, number = [], header.lines
    for number, words in lines:
        if len(words) != 1:
            raise UserError(f"{path}:{number}: expected one value, found {len(words)}")
        values.append(_value(words[0], path, number))
    if len(values) != rows.size:
        raise UserError(
            f"{path}: {rows.size} values declared and {len(values)} found "
            f"(end of file after line {number})"
        )
    return rows, columns, np.array(values)


def _lower_by_columns(size: int, low: int) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    columns, rows = np.triu_indices(size, low)
    return columns, rows


def _expand(
    header: Header,
    rows: npt.NDArray[np.int64],
    columns: npt.NDArray[np.int64],
    values: npt.NDArray[np.float64],
) -> Entries:
    if header.symmetry == "general":
        return rows, columns, values
    mirrored = rows != columns
    sign = -1.0 if header.symmetry == "skew-symmetric" else 1.0
    return (
        np.concatenate([rows, columns[mirrored]]),
        np.concatenate([columns, rows[mirrored]]),
        np.concatenate([values, sign * values[mirrored]]),
    )

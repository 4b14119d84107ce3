"""The four header lines of a Rutherford-Boeing file (Duff, Grimes and Lewis, 1997)."""

from dataclasses import dataclass
from pathlib import Path

from splyce_bench.errors import UserError
from splyce_bench.inputs.fortran_fields import FieldFormat, parse_format
from splyce_bench.inputs.number_words import LARGEST_SIZE

HEADER_LINES = 4
_FIELDS = {"r": "real", "i": "integer", "p": "pattern"}
_SYMMETRIES = {"s": "symmetric", "u": "general", "z": "skew-symmetric", "r": "general"}


@dataclass(frozen=True)
class Header:
    """Sizes and formats; `values` is None for a pattern."""

    field: str
    symmetry: str
    rows: int
    columns: int
    entries: int
    pointers: FieldFormat
    indices: FieldFormat
    values: FieldFormat | None


def parse_header(lines: list[str], path: Path) -> Header:
    """Read the header; UserError names the line that is wrong."""
    if len(lines) < HEADER_LINES:
        raise UserError(
            f"{path}:{len(lines) + 1}: the file ends in its header; a Rutherford-Boeing file "
            "begins with four lines: title, line counts, type and sizes, formats"
        )
    type = lines[2][:3].lower()
    field, symmetry = _check_type(type, path)
    rows, columns, entries = _sizes(lines[2], path)
    if symmetry != "general" and rows != columns:
        raise UserError(f"{path}:3: a {symmetry} matrix must be square")
    pointers, indices, values = _formats(lines[3], field, path)
    header = Header(field, symmetry, rows, columns, entries, pointers, indices, values)
    _check_counts(lines[1], header, path)
    return header


def _check_type(type: str, path: Path) -> tuple[str, str]:
    if len(type) != 3 or type[0] not in "ripcq" or type[1] not in "suzrh" or type[2] not in "ae":
        raise UserError(
            f"{path}:3: not a Rutherford-Boeing matrix: expected a type such as rua or psa, "
            f"found '{type}'"
        )
    if type[0] == "c" or type[1] == "h":
        what = "complex" if type[0] == "c" else "Hermitian"
        raise UserError(f"{path}:3: type {type}: {what} matrices are not supported")
    if type[2] == "e":
        raise UserError(
            f"{path}:3: type {type}: elemental (unassembled) matrices are not supported; "
            "assemble the matrix first"
        )
    if type[0] == "q":
        raise UserError(f"{path}:3: type {type}: values in an auxiliary file are not supported")
    return _FIELDS[type[0]], _SYMMETRIES[type[1]]


def _sizes(line: str, path: Path) -> tuple[int, int, int]:
    words = line[3:].split()
    if len(words) not in (3, 4) or not all(word.isdigit() for word in words):
        raise UserError(
            f"{path}:3: expected the type, rows, columns, entries and 0, found '{line.strip()}'"
        )
    rows, columns, entries = map(int, words[:3])
    if max(rows, columns) > LARGEST_SIZE:
        raise UserError(f"{path}:3: sizes of 2^63 and more are not supported")
    return rows, columns, entries


def _formats(
    line: str, field: str, path: Path
) -> tuple[FieldFormat, FieldFormat, FieldFormat | None]:
    texts = [line[:16], line[16:32], line[32:52]][: 2 if field == "pattern" else 3]
    found = [parse_format(text) for text in texts]
    for text, format in zip(texts, found, strict=True):
        if format is None:
            raise UserError(
                f"{path}:4: cannot read the format '{text.strip()}'; expected one such as (8I10) "
                "or (4E20.12)"
            )
    pointers, indices, *values = found
    if not pointers or not indices or not (pointers.integer and indices.integer):
        raise UserError(f"{path}:4: pointers and row indices need an I format")
    return pointers, indices, values[0] if values else None


def _check_counts(line: str, header: Header, path: Path) -> None:
    """The line counts must be those that sizes and formats give: else the file is read askew."""
    words = line.split()
    if len(words) < 4 or not all(word.isdigit() for word in words):
        raise UserError(
            f"{path}:2: expected the number of lines: in all, of pointers, of row indices, of "
            f"values; found '{line.strip()}'"
        )
    if len(words) > 4 and int(words[4]):
        raise UserError(f"{path}:2: right-hand sides (Harwell-Boeing) are not supported")
    expected = (
        ("pointers", header.pointers.lines(header.columns + 1)),
        ("row indices", header.indices.lines(header.entries)),
        ("values", header.values.lines(header.entries) if header.values else 0),
    )
    for (what, lines), word in zip(expected, words[1:], strict=False):
        if int(word) != lines:
            raise UserError(
                f"{path}:2: {word} lines of {what} declared, but sizes and format give {lines}"
            )

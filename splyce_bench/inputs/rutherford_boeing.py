"""Rutherford-Boeing .rb files: compressed columns in fixed-width fields.

scipy.io.hb_read refuses symmetric and pattern files, drops what follows a D exponent or stands
without a blank beside its neighbour, and checks no pointer; so the fields are read here.
"""

from array import array
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path

import numpy as np

from splyce_bench.errors import UserError
from splyce_bench.inputs.fortran_fields import FieldFormat
from splyce_bench.inputs.number_words import parse_index, parse_integer_value, parse_value
from splyce_bench.inputs.rutherford_boeing_header import HEADER_LINES, Header, parse_header
from splyce_bench.inputs.symmetry import expand
from splyce_bench.inputs.tensor_file import Ints, TensorFile, open_input


def read_rutherford_boeing(path: Path) -> TensorFile:
    """Read an .rb or .rb.gz file; UserError names file and line of what is wrong."""
    with open_input(path) as file:
        lines = _Lines(path, iter(file))
        header = parse_header(lines.take(HEADER_LINES), path)
        pointers = _pointers(lines, header)
        first = lines.number + 1
        rows = np.array(_indices(lines, header), np.int64)
        values = np.array(_values(lines, header), np.float64)
        lines.expect_end()
    columns = np.repeat(np.arange(header.columns, dtype=np.int64), np.diff(pointers))
    coordinates, values = expand(
        header.symmetry,
        np.array([rows, columns]),
        values,
        lambda n: f"{path}:{first + n // header.indices.repeat}",
    )
    counts = {
        "field": header.field,
        "symmetry": header.symmetry,
        "entries_in_file": header.entries,
        "expanded": int(values.size),
    }
    return TensorFile(coordinates, values, (header.rows, header.columns), counts)


class _Lines:
    """The lines of a file with their number, and numbers read from them field by field."""

    def __init__(self, path: Path, lines: Iterator[bytes]) -> None:
        self.path, self.lines, self.number = path, lines, 0

    def take(self, count: int) -> list[str]:
        """Return the next lines, fewer at the end of the file."""
        found = [line.decode("latin-1").rstrip("\r\n") for line in islice(self.lines, count)]
        self.number += len(found)
        return found

    def numbers(
        self, what: str, count: int, format: FieldFormat, kind: str, parse: Callable[[str], float]
    ) -> "array[float]":
        """Read `count` numbers; `parse` is given each field and may refuse it."""
        found: array[float] = array(kind)
        while len(found) < count:
            line = self.take(1)
            if not line:
                raise UserError(
                    f"{self.path}: {count} {what} declared and {len(found)} found (end of file "
                    f"after line {self.number}); the copy may be cut off, fetch it again"
                )
            fields = format.split(line[0], min(format.repeat, count - len(found)))
            found.extend(map(parse, fields))
        return found

    def expect_end(self) -> None:
        """Refuse what follows the last number."""
        while line := self.take(1):
            if line[0].strip():
                raise UserError(
                    f"{self.path}:{self.number}: more lines than the header declares; "
                    f"found '{line[0].strip()[:40]}'"
                )


def _pointers(lines: _Lines, header: Header) -> Ints:
    """Column pointers, 0-based; they must begin at 1, never fall and end after the last entry."""
    least = 0

    def parse(word: str) -> int:
        nonlocal least
        pointer = parse_index(word, header.entries + 1, "pointer", lines.path, lines.number)
        if pointer < least:
            raise UserError(f"{lines.path}:{lines.number}: pointer {word} is below the one before")
        least = pointer
        return pointer

    count = header.columns + 1
    found = np.array(lines.numbers("pointers", count, header.pointers, "q", parse), np.int64)
    if found[0] != 0 or found[-1] != header.entries:
        raise UserError(
            f"{lines.path}:{lines.number}: pointers must run from 1 to {header.entries + 1}, "
            f"found {found[0] + 1} to {found[-1] + 1}"
        )
    return found


def _indices(lines: _Lines, header: Header) -> "array[float]":
    def parse(word: str) -> int:
        return parse_index(word, header.rows, "row", lines.path, lines.number)

    return lines.numbers("row indices", header.entries, header.indices, "q", parse)


def _values(lines: _Lines, header: Header) -> "array[float]":
    if header.values is None:
        return array("d", [1.0]) * header.entries
    checked = parse_integer_value if header.field == "integer" else parse_value

    def parse(word: str) -> float:
        return checked(word, lines.path, lines.number)

    return lines.numbers("values", header.entries, header.values, "d", parse)

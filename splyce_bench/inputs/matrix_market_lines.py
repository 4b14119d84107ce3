"""Matrix Market entries read line by line: slow, understands every number form, names the line."""

from array import array
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import numpy as np

from splyce_bench.errors import UserError
from splyce_bench.inputs.matrix_market_header import Header
from splyce_bench.inputs.number_words import parse_index, parse_integer_value, parse_value
from splyce_bench.inputs.tensor_file import Floats, Ints, open_input

Lines = Iterator[tuple[int, list[str]]]


def read_by_lines(path: Path, header: Header) -> tuple[Ints, Floats]:
    """Return coordinates and values as the file has them, not yet expanded.

    Memory grows with what is found, not with what is declared, which may be damaged.
    """
    coordinates, values = array("q"), array("d")
    number = header.lines
    indices = header.layout == "coordinate"
    parse = parse_value if header.field in ("real", "double") else parse_integer_value
    for number, words in _content(path, header):
        if len(values) == header.entries:
            raise UserError(f"{path}:{number}: more entries than the {header.entries} declared")
        if len(words) != header.width:
            raise UserError(f"{path}:{number}: expected {header.width} numbers, found {len(words)}")
        if indices:
            coordinates.append(parse_index(words[0], header.rows, "row", path, number))
            coordinates.append(parse_index(words[1], header.columns, "column", path, number))
        values.append(1.0 if header.field == "pattern" else parse(words[-1], path, number))
    if len(values) < header.entries:
        raise UserError(
            f"{path}: {header.entries} entries declared and {len(values)} found "
            f"(end of file after line {number}); the copy may be cut off, fetch it again"
        )
    found = np.array(coordinates, np.int64).reshape(-1, 2).T if indices else _places(header)
    return found, np.array(values, np.float64)


def line_of_entry(path: Path, header: Header, entry: int) -> str:
    """Return file:line of the n-th entry, from 0."""
    number, _ = next(islice(_content(path, header), entry, None))
    return f"{path}:{number}"


def _content(path: Path, header: Header) -> Lines:
    with open_input(path) as file:
        for number, line in enumerate(file, 1):
            if number > header.lines and line.strip() and not line.lstrip().startswith(b"%"):
                yield number, line.decode("latin-1").split()


def _places(header: Header) -> Ints:
    """Coordinates of an array's values, column after column; of the lower part if symmetric."""
    if header.symmetry == "general":
        columns, rows = np.indices((header.columns, header.rows)).reshape(2, -1)
    else:
        columns, rows = np.triu_indices(header.rows, int(header.symmetry == "skew-symmetric"))
    return np.array([rows, columns], np.int64)

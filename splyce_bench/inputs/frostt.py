"""FROSTT .tns files of any rank: 1-based coordinates and a value a line.

Two dialects. A plain file has entries only; its sizes are the largest coordinates. An extended one
(MLIR's) first gives `rank entries` and then the sizes. They are told apart by the first lines.
"""

import warnings
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

import numpy as np

from splyce_bench.errors import UserError
from splyce_bench.inputs.number_words import LARGEST_SIZE, parse_index, parse_value
from splyce_bench.inputs.tensor_file import Floats, Ints, TensorFile, open_input


@dataclass(frozen=True)
class _Header:
    """`sizes` and `entries` are None for a plain file; `lines` come before the entries."""

    rank: int
    sizes: tuple[int, ...] | None
    entries: int | None
    lines: int


def read_frostt(path: Path) -> TensorFile:
    """Read a .tns or .tns.gz file; UserError names file and line of what is wrong."""
    header = _read_header(path)
    coordinates, values = _read_fast(path, header) or _read_by_lines(path, header)
    shape = header.sizes or tuple(int(c.max()) + 1 for c in coordinates)
    counts = {
        "dialect": "plain FROSTT" if header.sizes is None else "extended FROSTT",
        "symmetry": "general",
        "entries_in_file": int(values.size),
        "expanded": int(values.size),
    }
    return TensorFile(coordinates, values, shape, counts)


def _content(path: Path, skip: int = 0) -> Iterator[tuple[int, list[str]]]:
    with open_input(path) as file:
        for number, line in enumerate(file, 1):
            words = line.split(b"#", 1)[0].decode("latin-1").split()
            if number > skip and words:
                yield number, words


def _read_header(path: Path) -> _Header:
    first = list(islice(_content(path), 3))
    if not first:
        raise UserError(f"{path}:1: no entries; expected 'i j k value' lines (1-based)")
    if _is_extended(path, first):
        return _extended(path, first)
    rank = len(first[0][1]) - 1
    if rank < 1:
        raise UserError(
            f"{path}:{first[0][0]}: expected coordinates and a value, found '{first[0][1][0]}'"
        )
    return _Header(rank, None, None, 0)


def _is_extended(path: Path, first: list[tuple[int, list[str]]]) -> bool:
    """A line of two integers, then as many sizes as the first one says, then longer entries."""
    words = [line for _, line in first]
    if not all(word.isdigit() for line in words[:2] for word in line) or len(words[0]) != 2:
        return False
    rank = int(words[0][0])
    if len(words) < 2 or len(words[1]) != rank:
        return False
    if len(words) == 3:
        return len(words[2]) != 2 or rank == 1
    # "2 0" and "5 5" alone may be two entries of a vector: the first comment line decides.
    with open_input(path) as file:
        return rank != 2 or b"extended" in file.readline().lower()


def _extended(path: Path, first: list[tuple[int, list[str]]]) -> _Header:
    (_, (rank, entries)), (number, words) = first[:2]
    sizes = tuple(map(int, words))
    if max(sizes, default=0) > LARGEST_SIZE:
        raise UserError(f"{path}:{number}: sizes of 2^63 and more are not supported")
    return _Header(int(rank), sizes, int(entries), number)


def _read_fast(path: Path, header: _Header) -> tuple[Ints, Floats] | None:
    """Let numpy read; None when it refuses or finds what must be refused with a line."""
    fields = np.dtype([("at", np.int64, (header.rank,)), ("value", np.float64)])
    with open_input(path) as file, warnings.catch_warnings():
        # A fraction for a coordinate is only warned of; no entries are right here.
        warnings.simplefilter("error", DeprecationWarning)
        warnings.filterwarnings("ignore", "loadtxt: input contained no data")
        try:
            found = np.loadtxt(file, fields, skiprows=header.lines, ndmin=1, encoding="latin-1")
        except (ValueError, OverflowError, DeprecationWarning):
            return None
    at, values = found["at"].reshape(-1, header.rank), found["value"]
    sizes = header.sizes or (LARGEST_SIZE,) * header.rank
    inside = bool(np.all(at >= 1) and np.all(at <= np.array(sizes, np.int64)))
    if not inside or header.entries not in (None, values.size) or np.isinf(values).any():
        return None
    return np.ascontiguousarray(at.T) - 1, np.ascontiguousarray(values)


def _read_by_lines(path: Path, header: _Header) -> tuple[Ints, Floats]:
    coordinates, values, number = array("q"), array("d"), header.lines
    sizes = header.sizes or (LARGEST_SIZE,) * header.rank
    for number, words in _content(path, header.lines):
        if len(words) != header.rank + 1:
            raise UserError(
                f"{path}:{number}: expected {header.rank} coordinates and a value, found "
                f"{len(words)} numbers"
            )
        if len(values) == header.entries:
            raise UserError(f"{path}:{number}: more entries than the {header.entries} declared")
        for word, size in zip(words, sizes, strict=False):
            coordinates.append(parse_index(word, size, "coordinate", path, number))
        values.append(parse_value(words[-1], path, number))
    if header.entries is not None and len(values) < header.entries:
        raise UserError(
            f"{path}: {header.entries} entries declared and {len(values)} found "
            f"(end of file after line {number}); the copy may be cut off, fetch it again"
        )
    return np.array(coordinates, np.int64).reshape(-1, header.rank).T, np.array(values)

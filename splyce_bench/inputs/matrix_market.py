"""Matrix Market files: scipy reads them; what it would misread or only complain of is found here.

Where the body is plain numbers, scipy's reader is fast and right. Otherwise the file is read line
by line, which either understands it (Fortran exponents, `+3`, comments between entries) or names
the line.
"""

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.io

from splyce_bench.inputs.matrix_market_header import Header, read_header
from splyce_bench.inputs.matrix_market_lines import line_of_entry, read_by_lines
from splyce_bench.inputs.number_words import LARGEST_EXACT
from splyce_bench.inputs.plain_text import has_plain_words
from splyce_bench.inputs.symmetry import check_symmetry, expand
from splyce_bench.inputs.tensor_file import Floats, Ints, TensorFile, open_input


def read_matrix_market(path: Path) -> TensorFile:
    """Read a .mtx or .mtx.gz file; UserError names file and line of what is wrong."""
    with open_input(path) as file:
        header = read_header(file, path)
        integers = header.field in ("pattern", "integer", "unsigned-integer")
        plain = header.plain and has_plain_words(file, header.words, integers)
    found = _read_plain(path, header) if plain else None
    if found is None:
        entries = read_by_lines(path, header)
        found = expand(header.symmetry, *entries, lambda n: line_of_entry(path, header, n))
    coordinates, values = found
    counts = {
        "field": header.field,
        "symmetry": header.symmetry,
        "entries_in_file": header.entries,
        "expanded": int(values.size),
    }
    return TensorFile(coordinates, values, (header.rows, header.columns), counts)


def _read_plain(path: Path, header: Header) -> tuple[Ints, Floats] | None:
    """Let scipy read; None when it refuses, so that the line can be named."""
    try:
        found = scipy.io.mmread(path, spmatrix=False)
    except (ValueError, OverflowError):
        return None
    coordinates = np.array(found.coords, np.int64)
    values = np.asarray(found.data, np.float64)
    if np.isinf(values).any() or _may_be_rounded(found.data):
        return None  # Plain numbers spell no infinity: one was too large for f64.
    # scipy appends what it mirrors to the entries of the file.
    own = slice(header.entries)
    check_symmetry(
        header.symmetry,
        coordinates[:, own],
        values[own],
        lambda n: line_of_entry(path, header, n),
    )
    return coordinates, values


def _may_be_rounded(values: npt.NDArray[Any]) -> bool:
    return bool(values.dtype.kind in "iu" and np.any(np.abs(values) > LARGEST_EXACT))

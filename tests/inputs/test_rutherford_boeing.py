"""Rutherford-Boeing files: every type that is read, and what is refused with file and line."""

import gzip
from pathlib import Path

import numpy as np
import pytest

from splyce_bench.errors import UserError
from splyce_bench.inputs.readers import read_tensor

DATA = Path(__file__).parent / "data"
GENERAL = [[2, 0, 0], [0, 4.25, 0], [-1.5, 0, 0]]


def dense(path):
    read = read_tensor(path)
    full = np.zeros(read.shape)
    np.add.at(full, tuple(read.coordinates), read.values)
    return full


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("real", GENERAL),
        ("crlf", GENERAL),
        ("fortran_exponent", GENERAL),
        ("rectangular", [[2, 0], [0, 0], [-1.5, 0], [0, 4.25]]),
        ("pattern", [[1, 0, 0], [0, 1, 0], [1, 0, 0]]),
        ("integer", [[7, 0, 0], [0, 1, 0], [-2, 0, 0]]),
        ("symmetric", [[2, 0, -1.5], [0, 4.25, 0], [-1.5, 0, 0]]),
        ("skew", [[0, -2, 1.5], [2, 0, -4.25], [-1.5, 4.25, 0]]),
        ("no_entries", np.zeros((2, 2))),
    ],
)
def test_read(name, expected):
    np.testing.assert_array_equal(dense(DATA / f"{name}.rb"), expected)


def test_gzip_and_counts(tmp_path):
    path = tmp_path / "m.rb.gz"
    path.write_bytes(gzip.compress((DATA / "symmetric.rb").read_bytes()))
    counts = read_tensor(path).counts
    assert (counts["symmetry"], counts["entries_in_file"], counts["expanded"]) == (
        "symmetric",
        3,
        4,
    )


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("header", ":2: the file ends in its header"),
        ("complex", ":3: type cua: complex matrices are not supported"),
        ("hermitian", ":3: type rha: Hermitian matrices are not supported"),
        ("elemental", ":3: type rue: elemental .* not supported; assemble"),
        ("auxiliary", ":3: type qua: values in an auxiliary file"),
        ("type", ":3: not a Rutherford-Boeing matrix: .* found 'xyz'"),
        ("not_square", ":3: a symmetric matrix must be square"),
        ("format", ":4: cannot read the format '[(]list[)]'"),
        ("line_counts", ":2: 5 lines of values declared, but sizes and format give 2"),
        ("falling_pointer", ":5: pointer 2 is below the one before"),
        ("last_pointer", ":5: pointers must run from 1 to 4, found 1 to 3"),
        ("row_range", ":6: row 4 is outside 1..3"),
        ("row_zero", ":6: row 0; indices start at 1"),
        ("value", ":7: 'x.500E[+]0' is not a number"),
        ("missing_value", ":7: '' is not a number"),
        ("truncated", "3 values declared and 2 found .end of file after line 7"),
        ("too_long", ":9: more lines than the header declares"),
        ("skew_diagonal", ":6: a skew-symmetric matrix has zeros on its diagonal"),
        ("both_triangles", r":6: a symmetric file holds one triangle, but both \(1, 2\)"),
    ],
)
def test_refusals_name_file_and_line(name, expected):
    with pytest.raises(UserError, match=f"bad_{name}.rb.*{expected}"):
        read_tensor(DATA / f"bad_{name}.rb")

"""Matrix Market files: what is read, what is refused with file and line, what is counted."""

import gzip
from pathlib import Path

import numpy as np
import pytest

from splyce_bench.errors import UserError
from splyce_bench.files import read_json
from splyce_bench.formats import NAMED_FORMATS
from splyce_bench.inputs.readers import read_tensor
from splyce_bench.inputs.recipe import build_input
from splyce_bench.inputs.storage import open_tensor, to_coo

DATA = Path(__file__).parent / "data"


def dense(path):
    read = read_tensor(path)
    full = np.zeros(read.shape)
    np.add.at(full, tuple(read.coordinates), read.values)
    return full


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("skew", [[0, -1.5, 0], [1.5, 0, 2.25], [0, -2.25, 0]]),
        ("pattern", [[0, 0, 0, 0, 1], [1, 0, 0, 0, 0], [0, 0, 1, 0, 0]]),
        ("symmetric", [[2, 0, -1], [0, 0, 0], [-1, 0, 5]]),
        ("integer", [[3, 0], [0, -4]]),
        ("blank_lines", [[1.5, 0], [0, 3]]),
        ("crlf", [[0, 0], [4.5, 0]]),
        ("number_forms", [[12, 0, 0.5], [0, -280, 3]]),
        ("fortran_exponent", [[15, 0], [0, 2]]),
        ("comment_between", [[1, 0], [0, 2]]),
        ("not_finite", [[np.inf, np.nan], [0, -np.inf]]),
        ("denormal", [[5e-324, 1]]),
        ("duplicates_and_zero", [[3.5, 0, 0], [0, 0, 0], [-1, 0, 0]]),
        ("unsorted", [[0, 2, 0, 0, 5, 0, 0, 0, 9]]),
        ("array", [[10, 30, 50], [20, 40, 0]]),
        ("array_symmetric", [[1, 2], [2, 3]]),
        ("array_skew", [[0, -1, -2], [1, 0, -3], [2, 3, 0]]),
        ("upper_triangle", [[0, 5, 7], [5, 1, 0], [7, 0, 0]]),
        ("mixed_triangles", [[0, 5, 7], [5, 1, 0], [7, 0, 0]]),
        ("symmetric_duplicates", [[4, 6], [6, 0]]),
        ("plus_exponent", [[15, 0], [0, -0.02]]),
        ("unsigned_integer", [[0, 7]]),
        ("no_entries", np.zeros((3, 4))),
    ],
)
def test_read(name, expected):
    np.testing.assert_array_equal(dense(DATA / f"{name}.mtx"), expected)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("empty", ":1: the file is empty"),
        ("banner", ":1: not a Matrix Market file"),
        ("zero_based", ":3: row 0; indices start at 1"),
        ("truncated", "4 entries declared and 2 found .end of file after line 4"),
        ("too_many", ":4: more entries than the 1 declared"),
        ("row_range", ":4: row 4 is outside 1..3"),
        ("trailing_junk", ":3: expected 3 numbers, found 4"),
        ("no_value", ":3: expected 3 numbers, found 2"),
        ("word", ":3: 'x1' is not a number"),
        ("complex", ":1: complex general matrices are not supported"),
        ("hermitian", ":1: complex hermitian matrices are not supported"),
        ("size_line", ":2: expected rows, columns and entries, found '3 3'"),
        ("no_size", ":3: the file ends before the size line"),
        ("minus_inside", ":3: '1.5-3' is not a number"),
        ("two_points", ":3: '1.2.3' is not a number"),
        ("open_exponent", ":3: '1e' is not a number"),
        ("underscore", ":3: '1_0' is not a number"),
        ("fraction_in_integer", ":3: '1.5' is not an integer"),
        ("symmetric_not_square", ":2: a symmetric matrix must be square"),
        ("skew_diagonal", ":3: a skew-symmetric matrix has zeros on its diagonal, found"),
        ("array_pattern", ":1: an array has values"),
        ("array_short", "4 entries declared and 3 found"),
        ("array_too_long", ":5: more entries than the 2 declared"),
        ("huge_array", "9000000000000000000 entries declared and 1 found"),
        ("huge_count", "1000000000000000 entries declared and 1 found"),
        ("size_past_63_bits", ":2: sizes of 2.63 and more are not supported"),
        ("negative_row", ":3: row -1 is outside 1..3"),
        ("junk_word", ":4: more entries than the 1 declared"),
        ("fraction_column", ":3: '2.5' is not a column number"),
        ("fraction_column_pattern", ":3: '2.5' is not a column number"),
        ("exponent_in_integer", ":3: '1e5' is not an integer"),
        ("inexact_integer", ":3: the integer 9007199254740993 has no exact"),
        ("point_in_exponent", ":3: '1e[+].5' is not a number"),
        ("open_exponent_at_end", ":3: '1e' is not a number"),
        ("too_large", ":3: '1e999' is too large for a 64-bit number"),
        ("both_triangles", r":6: a symmetric file holds one triangle, but both \(1, 2\)"),
        ("both_triangles_skew", r":6: a skew-symmetric file .* both \(1, 2\) and \(2, 1\)"),
    ],
)
def test_refusals_name_file_and_line(name, expected):
    with pytest.raises(UserError, match=f"bad_{name}.mtx.*{expected}"):
        read_tensor(DATA / f"bad_{name}.mtx")


def test_gzip_and_a_cut_off_gzip(tmp_path):
    path = tmp_path / "m.mtx.gz"
    path.write_bytes(gzip.compress((DATA / "symmetric.mtx").read_bytes()))
    assert dense(path)[2, 0] == -1
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(UserError, match="damaged gzip file"):
        read_tensor(path)


def test_no_such_file(tmp_path):
    with pytest.raises(UserError, match="no such file"):
        read_tensor(tmp_path / "absent.mtx")


def build(name, tmp_path, **recipe):
    entry = {
        "recipe": {"source": "file", "path": str(DATA / f"{name}.mtx"), **recipe},
        "format": NAMED_FORMATS["csr"].to_json(),
    }
    build_input({"operands": {"B": entry}}, tmp_path / "input")
    return open_tensor(tmp_path / "input" / "B")


def test_counts_of_what_was_done(tmp_path):
    meta = build("duplicates_and_zero", tmp_path).meta
    assert meta["entries_in_file"] == 4
    assert (meta["duplicates_summed"], meta["explicit_zeros"], meta["stored"]) == (1, 1, 2)
    meta = build("symmetric", tmp_path).meta
    assert (meta["entries_in_file"], meta["expanded"], meta["stored"]) == (3, 4, 4)
    meta = build("not_finite", tmp_path).meta
    assert (meta["nan"], meta["infinite"]) == (1, 2)
    assert build("denormal", tmp_path).meta["denormal"] == 1


def test_zeros_can_be_kept(tmp_path):
    tensor = build("duplicates_and_zero", tmp_path, explicit_zeros="keep")
    assert tensor.meta["stored"] == 3
    assert list(tensor.values) == [3.5, 0.0, -1.0]


def test_rows_are_sorted_before_they_are_stored(tmp_path):
    tensor = build("unsorted", tmp_path)
    assert list(tensor.coordinates[1]) == [1, 4, 8]
    assert list(tensor.values) == [2, 5, 9]


def test_places_past_31_bits():
    read = read_tensor(DATA / "past_31_bits.mtx")
    assert read.shape == (4294967297, 3000000000)
    assert read.coordinates.tolist() == [[4294967296, 0], [0, 2999999999]]


def test_scipy_appends_the_mirrored_elements():
    """`entries_in_file` first: the check for both triangles looks at those alone."""
    rows, columns = read_tensor(DATA / "symmetric.mtx").coordinates
    assert np.all(rows[:3] >= columns[:3])
    assert np.all(rows[3:] < columns[3:])


def test_a_negative_zero_keeps_its_sign(tmp_path):
    path = tmp_path / "z.mtx"
    path.write_text("%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 -0.0\n")
    assert np.signbit(read_tensor(path).values[0])


def test_the_file_of_a_collection_matrix(shared, tmp_path):
    """The leading block of Trefethen_2000 is the built-in Trefethen_300."""
    import tarfile

    archive = shared / "suitesparse" / "MM" / "JGD_Trefethen" / "Trefethen_2000.tar.gz"
    with tarfile.open(archive) as tar:
        tar.extractall(tmp_path, filter="data")
    read = read_tensor(tmp_path / "Trefethen_2000" / "Trefethen_2000.mtx")
    rows, columns = read.coordinates
    inside = (rows < 300) & (columns < 300)
    entry = {
        "recipe": {"source": "builtin", "name": "JGD_Trefethen/Trefethen_300"},
        "format": NAMED_FORMATS["csr"].to_json(),
    }
    build_input({"operands": {"B": entry}}, tmp_path / "t300")
    found, values = to_coo(open_tensor(tmp_path / "t300" / "B"))
    full = np.zeros((300, 300))
    full[tuple(found)] = values
    expected = np.zeros((300, 300))
    expected[rows[inside], columns[inside]] = read.values[inside]
    np.testing.assert_array_equal(full, expected)
    assert read_json(tmp_path / "t300" / "meta.json")["operands"]["B"]["stored"] == 4678

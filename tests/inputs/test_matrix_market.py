"""Matrix Market files: what is read, what is refused with file and line, what is counted."""

import gzip
import re
from pathlib import Path

import numpy as np
import pytest

from splyce_bench.errors import UserError
from splyce_bench.files import read_json
from splyce_bench.formats import NAMED_FORMATS
from splyce_bench.inputs.matrix_market import read_matrix
from splyce_bench.inputs.recipe import build_input
from splyce_bench.inputs.storage import open_tensor, to_coo

DATA = Path(__file__).parent / "data"


def dense(path):
    read = read_matrix(path)
    full = np.zeros(read.shape)
    np.add.at(full, read.coordinates, read.values)
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
        ("skew_diagonal", "entry on its diagonal"),
        ("array_pattern", ":1: an array has values"),
        ("array_short", "4 values declared and 3 found"),
    ],
)
def test_refusals_name_file_and_line(name, expected):
    with pytest.raises(UserError, match=f"bad_{name}.mtx.*{expected}"):
        read_matrix(DATA / f"bad_{name}.mtx")


def test_gzip_and_a_cut_off_gzip(tmp_path):
    path = tmp_path / "m.mtx.gz"
    path.write_bytes(gzip.compress((DATA / "symmetric.mtx").read_bytes()))
    assert dense(path)[2, 0] == -1
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(UserError, match="damaged gzip file"):
        read_matrix(path)


def test_no_such_file(tmp_path):
    with pytest.raises(UserError, match="no such file"):
        read_matrix(tmp_path / "absent.mtx")


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


def test_the_field_reports(shared):
    """Files that went wrong for others: each `.expect.md` says ACCEPT with figures, or REFUSE."""
    inputs = shared / "field" / "inputs"
    files = sorted(inputs.glob("*.mtx"))
    assert files
    for path in files:
        expected = path.with_name(f"{path.name}.expect.md").read_text(encoding="utf-8")
        if expected.startswith("REFUSE"):
            with pytest.raises(UserError, match=path.name):
                read_matrix(path)
            continue
        read = read_matrix(path)
        total = re.search(r"\bsum (-?[\d.]+\d)", expected)
        if total and path.name.startswith("b"):
            assert read.values.sum() == pytest.approx(float(total.group(1))), path.name


def test_a_negative_zero_keeps_its_sign(tmp_path):
    path = tmp_path / "z.mtx"
    path.write_text("%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 -0.0\n")
    assert np.signbit(read_matrix(path).values[0])


def test_the_file_of_a_collection_matrix(shared, tmp_path):
    """The leading block of Trefethen_2000 is the built-in Trefethen_300."""
    import tarfile

    archive = shared / "suitesparse" / "MM" / "JGD_Trefethen" / "Trefethen_2000.tar.gz"
    with tarfile.open(archive) as tar:
        tar.extractall(tmp_path, filter="data")
    read = read_matrix(tmp_path / "Trefethen_2000" / "Trefethen_2000.mtx")
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

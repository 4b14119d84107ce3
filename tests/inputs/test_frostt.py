"""FROSTT files: both dialects, every rank, what is refused with file and line."""

import gzip
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from splyce_bench.errors import UserError
from splyce_bench.files import read_json
from splyce_bench.formats import NAMED_FORMATS, TensorFormat
from splyce_bench.inputs.frostt import _read_by_lines, _read_fast, _read_header
from splyce_bench.inputs.readers import read_tensor
from splyce_bench.inputs.recipe import build_input
from splyce_bench.inputs.storage import open_tensor

DATA = Path(__file__).parent / "data"
NAN, INF = float("nan"), float("inf")


@pytest.mark.parametrize(
    ("name", "shape", "entries"),
    [
        ("plain", (2, 9, 4), [(0, 1, 0, 0.5), (1, 8, 3, 1.5), (1, 2, 3, -7), (0, 8, 1, 9)]),
        ("extended", (4, 9, 5), [(0, 1, 0, 0.5), (1, 2, 3, 1.5)]),
        ("extended_no_comment", (4, 5), [(2, 1, 1.5)]),
        ("extended_empty", (5, 6), []),
        ("extended_rank_1", (7,), [(2, 1.5), (3, 2)]),
        ("rank_1", (5,), [(2, 2), (4, 5)]),
        ("rank_4", (2, 1, 3, 1), [(0, 0, 0, 0, 2), (1, 0, 2, 0, 4)]),
        ("past_31_bits", (3000000000, 4294967297), [(2999999999, 0, 2.5), (0, 4294967296, 0.5)]),
        ("forms", (2, 2), [(0, 1, 15), (1, 0, 3)]),
        ("not_finite", (2, 2), [(0, 0, INF), (0, 1, NAN), (1, 0, -INF)]),
    ],
)
def test_read(name, shape, entries):
    read = read_tensor(DATA / f"{name}.tns")
    assert read.shape == shape
    expected = np.array(entries, float).reshape(-1, len(shape) + 1)
    np.testing.assert_array_equal(read.coordinates.T, expected[:, :-1])
    np.testing.assert_array_equal(read.values, expected[:, -1])
    assert read.counts["entries_in_file"] == len(entries)
    assert read.counts["dialect"].split()[0] == ("extended" if "extended" in name else "plain")


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("empty", ":1: no entries"),
        ("one_number", ":1: expected coordinates and a value, found '5'"),
        ("zero_based", ":2: coordinate 0; indices start at 1"),
        ("width", ":2: expected 2 coordinates and a value, found 4 numbers"),
        ("fraction", ":2: '1.5' is not a coordinate number"),
        ("word", ":2: 'x' is not a number"),
        ("too_large", ":1: '1e999' is too large"),
        ("past_63_bits", ":1: coordinate 9223372036854775808 is outside"),
        ("out_of_range", ":4: coordinate 6 is outside 1..5"),
        ("too_many", ":4: more entries than the 1 declared"),
        ("truncated", "3 entries declared and 1 found .end of file after line 3"),
    ],
)
def test_refusals_name_file_and_line(name, expected):
    with pytest.raises(UserError, match=f"bad_{name}.tns.*{expected}"):
        read_tensor(DATA / f"bad_{name}.tns")


def test_the_dialect_does_not_depend_on_the_folder(tmp_path):
    """The end of the file's name decides, not a part of its path."""
    path = tmp_path / "x.mtx.d" / "t.tns.gz"
    path.parent.mkdir()
    path.write_bytes(gzip.compress((DATA / "extended.tns").read_bytes()))
    assert read_tensor(path).shape == (4, 9, 5)


WORDS = st.one_of(
    st.sampled_from(["1", "2", "3", "+2", "1.5", "1e1", "-2e3", "4.5D-01", "inf", "nan", "#"]),
    st.text("0123.eE+-_", min_size=1, max_size=5),
)


@settings(max_examples=500, deadline=None)
@given(st.lists(st.tuples(WORDS, WORDS, WORDS), min_size=1, max_size=4))
def test_the_fast_route_reads_what_the_careful_one_reads(tmp_path_factory, lines):
    path = tmp_path_factory.getbasetemp() / "fuzz.tns"
    path.write_text("1 1 1\n" + "".join(" ".join(words) + "\n" for words in lines))
    header = _read_header(path)
    found = _read_fast(path, header)
    if found is not None:
        coordinates, values = _read_by_lines(path, header)
        np.testing.assert_array_equal(found[0], coordinates)
        np.testing.assert_array_equal(found[1], values)


def build(name, format, tmp_path):
    recipe = {"source": "file", "path": str(DATA / f"{name}.tns")}
    spec = {"operands": {"B": {"recipe": recipe, "format": format.to_json()}}}
    build_input(spec, tmp_path / "input")
    return open_tensor(tmp_path / "input" / "B")


def test_a_file_becomes_a_sorted_tensor(tmp_path):
    tensor = build("plain", NAMED_FORMATS["csf"], tmp_path)
    assert tensor.shape == (2, 9, 4)
    assert [list(tensor.coordinates[n]) for n in range(3)] == [[0, 1], [1, 8, 2, 8], [0, 1, 3, 3]]
    assert [list(tensor.positions[n]) for n in range(3)] == [[0, 2], [0, 2, 4], [0, 1, 2, 3, 4]]
    assert list(tensor.values) == [0.5, 9, -7, 1.5]


def test_counts_of_what_was_done(tmp_path):
    meta = build("duplicates_and_zero", NAMED_FORMATS["csf"], tmp_path).meta
    assert meta["entries_in_file"] == 4
    assert (meta["duplicates_summed"], meta["explicit_zeros"], meta["stored"]) == (1, 1, 2)


def test_coordinates_past_31_bits_are_stored_whole(tmp_path):
    """3e9 x 4.3e9 cells exceed 63 bits, so the levels are sorted one by one."""
    tensor = build("past_31_bits", NAMED_FORMATS["dcsr"], tmp_path)
    assert list(tensor.coordinates[0]) == [0, 2999999999]
    assert list(tensor.coordinates[1]) == [4294967296, 0]


def test_a_dense_level_too_large_for_the_memory_is_too_large(tmp_path):
    format = TensorFormat(("dense", "dense", "compressed"), (0, 1, 2))
    path = tmp_path / "wide.tns"
    path.write_text("100000000 100000000 2 1.5\n")
    spec = {"source": "file", "path": str(path)}
    operand = {"recipe": spec, "format": format.to_json()}
    build_input({"operands": {"B": operand}}, tmp_path / "in")
    found = read_json(tmp_path / "in" / "meta.json")
    assert found["outcome"] == "too_large"
    assert "positions of the dense levels take" in found["reason"]


def test_another_rank_than_the_operand_has(tmp_path):
    with pytest.raises(UserError, match="has 3 dimensions, and operand B of the kernel has 2"):
        build("plain", NAMED_FORMATS["csr"], tmp_path)

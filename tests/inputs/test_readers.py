"""Which reader a file gets, and that the two routes of the Matrix Market reader agree."""

import gzip
import io
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from splyce_bench.errors import UserError
from splyce_bench.inputs.__main__ import _notes
from splyce_bench.inputs.matrix_market import _read_plain
from splyce_bench.inputs.matrix_market_header import read_header
from splyce_bench.inputs.matrix_market_lines import read_by_lines
from splyce_bench.inputs.names import FILE_SUFFIXES, file_suffix
from splyce_bench.inputs.plain_text import has_plain_words
from splyce_bench.inputs.readers import READERS, read_tensor
from splyce_bench.inputs.spec import make_inputs
from splyce_bench.kernels.catalog import load_kernels

DATA = Path(__file__).parent / "data"
BANNER = "%%MatrixMarket matrix coordinate real general\n30 30 {}\n"


def test_every_suffix_has_a_reader():
    assert tuple(READERS) == FILE_SUFFIXES


@pytest.mark.parametrize(
    ("name", "suffix"),
    [
        ("a.mtx", ".mtx"),
        ("a.MTX.GZ", ".mtx"),
        ("x.mtx.d/b.tns", ".tns"),
        ("b.rb.gz", ".rb"),
        ("JGD_Trefethen/Trefethen_300", None),
        ("a.mtx.d/b", None),
        ("a.mtx.bz2", None),
    ],
)
def test_the_end_of_the_name_decides(name, suffix):
    assert file_suffix(name) == suffix


def test_another_suffix_is_refused_with_those_there_are(tmp_path):
    with pytest.raises(UserError, match=r"a.mat: the name must end in one of .mtx, .rb, .tns"):
        read_tensor(tmp_path / "a.mat")


@pytest.mark.parametrize("suffix", FILE_SUFFIXES)
def test_damaged_files_and_absent_ones(tmp_path, suffix):
    path = tmp_path / f"m{suffix}.gz"
    with pytest.raises(UserError, match="no such file"):
        read_tensor(path)
    path.write_bytes(b"not gzip")
    with pytest.raises(UserError, match="damaged gzip file"):
        read_tensor(path)
    good = next(DATA.glob(f"[!b]*{suffix}")).read_bytes()
    path.write_bytes(gzip.compress(good)[:-9])
    with pytest.raises(UserError, match="damaged gzip file"):
        read_tensor(path)
    folder = tmp_path / f"folder{suffix}"
    folder.mkdir()
    with pytest.raises(UserError, match="cannot be read"):
        read_tensor(folder)


@pytest.mark.parametrize("name", ["mine.rb", "mine.tns.gz", "mine.mtx.gz"])
def test_an_experiment_may_name_a_file_of_each_kind(root, name):
    kernel = load_kernels(root / "config" / "kernels.yaml")["spgemm"]
    group = {"inputs": {"matrices": [f"folder/{name}"]}}
    [input] = make_inputs(group, kernel, {"seed": 1, "slurm": {"memory_gib": None}}, "here")
    recipes = [operand["recipe"] for operand in input.recipe["operands"].values()]
    assert recipes == [{"source": "file", "path": f"folder/{name}"}] * 2
    assert input.id.startswith("mine-")


def test_the_command_tells_what_was_changed():
    meta = {"duplicates_summed": 1, "explicit_zeros": 2, "explicit_zeros_kept": False, "nan": 0}
    assert _notes(meta) == "; 1 duplicates summed; 2 explicit zeros dropped"


WORDS = st.one_of(
    st.sampled_from(["1", "2", "3", "29", "1.5", "-2e3", "4.5E-01", "1e+05", ".5", "7."]),
    st.text("0123.eE+-", min_size=1, max_size=5),
    st.text("12.eEdD+-_%x", min_size=1, max_size=4),
)
BLANKS = st.sampled_from([" ", " ", " ", "  ", "\t", "\n"])
LINES = st.lists(
    st.tuples(WORDS, BLANKS, WORDS, BLANKS, WORDS, st.sampled_from(["\n", "\r\n", " \n", "\n\n"])),
    min_size=1,
    max_size=4,
)


@settings(max_examples=1500, deadline=None)
@given(LINES)
def test_the_fast_route_reads_what_the_careful_one_reads(tmp_path_factory, lines):
    path = tmp_path_factory.getbasetemp() / "fuzz.mtx"
    body = "".join("".join(line) for line in lines)
    path.write_text(BANNER.format(len(lines)) + body, newline="")
    with path.open("rb") as file:
        header = read_header(file, path)
        plain = has_plain_words(file, header.words, integers=False)
    found = _read_plain(path, header) if plain else None
    if found is None:
        return
    coordinates, values = read_by_lines(path, header)
    np.testing.assert_array_equal(found[0], coordinates)
    np.testing.assert_array_equal(found[1], values)


@pytest.mark.parametrize(
    ("body", "plain"),
    [
        (b"1 2 1.5e+05\n3 4 -.5\r\n", True),
        (b"1 2 1.5 \n3 4 1e5\t\n", True),
        (b"\n1 2 3\n   \n3 4 12.", True),
        (b"1 2 3\n3 4\n", False),
        (b"1 2 1.5D1\n3 4 1\n", False),
        (b"1 2.5 3\n3 4 1\n", False),
        (b"1 2 1.2.3\n3 4 1\n", False),
        (b"1 2 3\n3 4 1e", False),
    ],
)
def test_plain_bodies_take_the_fast_route(body, plain):
    assert has_plain_words(io.BytesIO(body), 6, integers=False) is plain

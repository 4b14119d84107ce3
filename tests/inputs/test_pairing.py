"""Pairings: which operand is the matrix, how its partners are made, what is a mistake."""

import pytest

from splyce_bench.errors import UserError
from splyce_bench.inputs.pairing import Pairing, pair, resolve, resolved_sizes
from splyce_bench.kernels.catalog import load_kernels

MATRIX = {"source": "collection", "group": "G", "name": "a"}
TENSOR = {"source": "file", "path": "/data/t.tns"}
SQUARE = {"rows": 40, "cols": 50}


@pytest.fixture(scope="module")
def kernels(root):
    return load_kernels(root / "config" / "kernels.yaml")


def paired(kernel, roles, matrix=MATRIX):
    return pair(kernel, Pairing.parse(roles, "list.tsv: G/a"), matrix, 3, "list.tsv: G/a")


def test_a_mapping_and_words_say_the_same():
    words = Pairing.parse("D=matrix B=10.97  i=1000", "here")
    assert words == Pairing.parse({"D": "matrix", "B": 10.97, "i": 1000}, "here")


def test_a_square_needs_no_pairing(kernels):
    pairing = Pairing.for_squares(kernels["spgemm"], "here")
    operands = pair(kernels["spgemm"], pairing, MATRIX, 1, "here")
    assert [operand["recipe"] for operand in operands.values()] == [MATRIX, MATRIX]
    assert [operand["format"]["order"] for operand in operands.values()] == [(0, 1), (1, 0)]


@pytest.mark.parametrize("kernel", ["spmspv", "spmttkrp", "spmmh"])
def test_what_a_matrix_cannot_be_given_to_wants_a_pairing(kernels, kernel):
    with pytest.raises(UserError, match=r"cannot be given to; add a pairing, such as \{"):
        Pairing.for_squares(kernels[kernel], "here")


def test_partners_have_the_sizes_that_the_matrix_fixes(kernels):
    roles = {"C": "matrix", "D": "matrix", "B": "density>=0.001", "i": "rows"}
    operands = paired(kernels["spmttkrp"], roles)
    assert operands["C"]["recipe"] == operands["D"]["recipe"] == MATRIX
    assert operands["B"]["recipe"] == {
        "source": "synthetic",
        "shape": ["rows", "rows", "rows"],
        "density_pct": {"at_least": 0.001},
        "seed": 300,
    }
    made = resolve(operands, SQUARE, density_pct=0.5)
    assert made["B"]["recipe"]["shape"] == [40, 40, 40]
    assert made["B"]["recipe"]["density_pct"] == 0.5
    assert resolve(operands, SQUARE, 1e-6)["B"]["recipe"]["density_pct"] == 0.001
    assert resolved_sizes(kernels["spmttkrp"], made, 40, 50, "here") == {
        "i": 40, "k": 40, "l": 40, "j": 50,
    }  # fmt: skip


def test_a_tensor_names_its_sizes_by_the_indices_of_its_operand(kernels):
    roles = {"B": "matrix", "C": 5, "D": "density>=1", "j": "k"}
    operands = paired(kernels["spmttkrp"], roles, TENSOR)
    assert operands["B"]["recipe"] == TENSOR
    assert operands["C"]["recipe"]["shape"] == ["l", "k"]
    made = resolve(operands, {"i": 4, "k": 5, "l": 6}, 0.5)
    assert made["C"]["recipe"]["shape"] == [6, 5]
    assert made["D"]["recipe"] == {
        "source": "synthetic", "shape": [5, 5], "density_pct": 1.0, "seed": 302,
    }  # fmt: skip


def test_another_operand_may_be_read_from_a_file_of_its_own(kernels):
    operands = paired(kernels["spttspm"], "B=matrix C=factors.mtx.gz", TENSOR)
    assert operands["C"]["recipe"] == {"source": "file", "path": "factors.mtx.gz"}
    with pytest.raises(UserError, match="the matrix fixes index 'r'"):
        paired(kernels["spttspm"], "B=matrix C=factors.mtx.gz r=3", TENSOR)


def test_what_is_not_named_and_dense_is_full(kernels):
    operands = paired(kernels["spmmh"], {"B": "matrix", "D": "matrix"})
    assert operands["C"]["recipe"]["density_pct"] == 100


def test_each_partner_has_a_seed_of_its_own(kernels):
    operands = paired(kernels["spmttkrp"], "D=matrix B=5 C=5 i=3 l=4")
    assert [operands[name]["recipe"]["seed"] for name in "BC"] == [300, 301]


@pytest.mark.parametrize(
    ("kernel", "roles", "expected"),
    [
        ("spgemm", "B=matrix C", r"'C' is not NAME=ROLE, as in 'D=matrix B=10.97 i=5'"),
        ("spgemm", "B=matrix =5", r"'' is not NAME=ROLE"),
        ("spgemm", "B=matrix B=5 C=5 j=3", r"'B' has two roles; give it one"),
        ("spgemm", "B=5 C=5", r"no operand is the matrix; add e.g. 'B: matrix'"),
        ("spgemm", "B=matrix C=5", r"no size for index 'j' of .*; add 'j: rows', cols or a number"),
        ("spgemm", "B=matrix j=3", r"operand C\[k,j\] has no role; add 'C: matrix', density"),
        ("spgemm", "B=matrix C=5 j=3 z=2", r"no 'z' in A.*; it has B, C, i, j, k"),
        ("spgemm", "B=matrix C=5 j=3.5", r"j: '3.5' is no size; expected rows, cols or a whole"),
        ("spgemm", "B=matrix C=5 j=0", r"j: '0' is no size"),
        ("spgemm", "B=matrix C=matrix i=7", r"the matrix fixes index 'i'; leave it out"),
        ("spmspv", "x=matrix B=5", r"a is a matrix, with two indices, and operand x\[j\] has 1;"),
        ("spttspm", "B=matrix C=5 r=3", r"a is a matrix, .*B\[i,j,k\] has 3; give it to .* \.tns"),
        ("spttspm", "C=matrix B=t.mtx", r"t.mtx is a matrix, with two indices, and .* has 3"),
        ("spmspv", "B=matrix x=densty", r"pairing of x: 'densty' is no role; expected matrix, den"),
        ("spmspv", "B=matrix x=density>=101", r"'101' is no role"),
        ("spmspv", "B=matrix x=density>=", r"'density>=' is no role"),
        ("spmspv", "B=matrix x=0", r"'0' is no role.*above 0 and at most 100"),
        ("spmspv", "B=matrix x=nan", r"'nan' is no role"),
    ],
)
def test_mistakes_are_one_message_with_the_place(kernels, kernel, roles, expected):
    with pytest.raises(UserError, match=r"^list.tsv: G/a: .*" + expected):
        paired(kernels[kernel], roles)


@pytest.mark.parametrize(
    ("roles", "expected"),
    [
        ("B=matrix C=5", r"no size for index 'r' of .*; add 'r: i' \(as large as that index\) or"),
        ("B=matrix C=5 r=rows", r"'rows' is no size; expected a whole number, or .*\(i, j, k\)"),
    ],
)
def test_a_tensor_has_no_rows(kernels, roles, expected):
    with pytest.raises(UserError, match=expected):
        paired(kernels["spttspm"], roles, TENSOR)


def test_a_matrix_that_does_not_fit_itself_is_said(kernels):
    operands = paired(kernels["spgemm"], "B=matrix C=matrix")
    with pytest.raises(UserError, match=r"index 'k' has size 5 in B\[i,k\] but 4 in C\[k,j\]"):
        resolved_sizes(
            kernels["spgemm"], resolve(operands, {"rows": 4, "cols": 5}, 1.0), 4, 5, "here"
        )

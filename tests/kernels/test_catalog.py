"""Kernels of a configuration file: formats, loop order, generated MLIR."""

import pytest

from splyce_bench.errors import UserError
from splyce_bench.kernels.catalog import load_kernels, make_kernel
from splyce_bench.kernels.mlir_text import kernel_text

PRODUCT = {"description": "d", "expression": "A[i,j] = B[i,k] * C[k,j]"}


def test_the_five_kernels_of_the_paper(root):
    kernels = load_kernels(root / "config" / "kernels.yaml")
    assert {"spgemm", "spmspv", "spmttkrp", "spmmh", "spttspm"} <= set(kernels)
    assert kernels["spmmh"].loops == ("j", "k", "i")
    assert kernels["spgemm"].formats["C"].order == (1, 0)
    assert kernels["spmmh"].formats["C"].is_dense


@pytest.mark.parametrize(
    ("formats", "expected"),
    [
        ({"B": "csf"}, "the format has 3 levels but the operand has 2 indices"),
        ({"B": "crs"}, "unknown format 'crs'"),
        ({"B": {"levels": ["dense", "packed"]}}, "unknown level type 'packed'"),
        ({"B": {"levels": ["dense", "compressed"], "order": [0, 0]}}, "not a permutation"),
        ({"X": "csr"}, "no tensor 'X'"),
        ({"A": "csr"}, "the output must be dense"),
        (
            {"B": {"levels": ["dense", "compressed"], "coordinate_bits": 7}},
            "coordinate_bits must be one of",
        ),
    ],
)
def test_wrong_formats_are_named(formats, expected):
    with pytest.raises(UserError, match="f: k.formats.*" + expected):
        make_kernel("k", {**PRODUCT, "formats": formats}, "f: k")


def test_loops_must_name_each_index_once():
    with pytest.raises(UserError, match=r"loops: \['i', 'k'\] must name each of"):
        make_kernel("k", {**PRODUCT, "formats": {}, "loops": ["i", "k"]}, "f: k")


def test_generated_text_has_the_loops_and_the_encodings():
    formats = {"B": "csr", "C": {"levels": ["dense", "compressed"], "coordinate_bits": 32}}
    kernel = make_kernel("k", {**PRODUCT, "formats": formats, "loops": ["k", "i", "j"]}, "f")
    text = kernel_text(kernel)
    assert "affine_map<(k, i, j) -> (i, k)>" in text
    assert 'iterator_types = ["reduction", "parallel", "parallel"]' in text
    assert "crdWidth = 32" in text
    assert "%A: tensor<?x?xf64>" in text
    assert "target_features" not in text


def test_generated_text_says_what_the_target_has():
    kernel = make_kernel("k", {**PRODUCT, "formats": {}}, "f")
    text = kernel_text(kernel, "+avx512f,+avx512vl")
    assert 'target_features = #llvm.target_features<["+avx512f", "+avx512vl"]>' in text

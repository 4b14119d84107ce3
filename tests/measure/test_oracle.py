"""The oracle: elimination and join agree, on small random operands with special values."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from splyce_bench.inputs.convert import from_coo
from splyce_bench.inputs.storage import to_coo
from splyce_bench.kernels.catalog import load_kernels, make_kernel
from splyce_bench.measure.calls import index_sizes
from splyce_bench.measure.contraction import Factor, InfeasibleError, multiply_out
from splyce_bench.measure.oracle import _eliminated, _joined, expected_result, product_terms

KERNELS = ("spgemm", "spmspv", "spmttkrp", "spmmh", "spttspm")
SPECIAL = st.sampled_from([1.0, -2.5, 0.5, 3.0, -0.0, np.inf, -np.inf, np.nan])
PLAIN = st.floats(-4, 4, allow_subnormal=False)


@pytest.fixture(scope="module")
def kernels(root):
    return load_kernels(root / "config" / "kernels.yaml")


@st.composite
def operands_of(draw, kernel, values):
    """Draw a small operand for each access; some are empty, some sizes are zero or one."""
    sizes = {i: draw(st.integers(0, 4)) for i in kernel.assignment.indices}
    made = {}
    for access in kernel.operands:
        shape, format = kernel.shape_of(access, sizes), kernel.formats[access.tensor]
        count = int(np.prod(shape))
        cells = list(range(count))
        if not format.is_dense:
            cells = draw(st.lists(st.sampled_from(cells), unique=True)) if cells else []
        found = draw(st.lists(values, min_size=len(cells), max_size=len(cells)))
        at = np.array(np.unravel_index(np.array(cells, np.int64), shape), np.int64)
        made[access.tensor] = from_coo(at, np.array(found, float), shape, format, "keep")
    return made


def by_hand(kernel, operands):
    """Sum the products of stored elements one by one."""
    sizes = index_sizes(kernel, operands)
    total = np.zeros(kernel.shape_of(kernel.output, sizes))
    stored = {}
    for access in kernel.operands:
        coordinates, values = to_coo(operands[access.tensor])
        keys = map(tuple, coordinates.T.tolist())
        stored[access.tensor] = dict(zip(keys, values.tolist(), strict=True))
    for point in np.ndindex(*(sizes[i] for i in kernel.assignment.indices)):
        at = dict(zip(kernel.assignment.indices, point, strict=True))
        keys = [(a.tensor, tuple(at[i] for i in a.indices)) for a in kernel.operands]
        if all(key in stored[tensor] for tensor, key in keys):
            with np.errstate(all="ignore"):
                product = np.prod([stored[tensor][key] for tensor, key in keys])
                total[tuple(at[i] for i in kernel.output.indices)] += product
    return total


def same(found, expected, bound):
    with np.errstate(invalid="ignore"):
        close = np.abs(found - expected) <= bound
    return bool((close | (found == expected) | (np.isnan(found) & np.isnan(expected))).all())


@pytest.mark.parametrize("values", [PLAIN, SPECIAL], ids=["plain", "special"])
@pytest.mark.parametrize("name", KERNELS)
def test_both_ways_agree_with_sums_by_hand(kernels, name, values):
    kernel = kernels[name]

    @settings(max_examples=150, deadline=None)
    @given(operands_of(kernel, values))
    def check(operands):
        with np.errstate(all="ignore"):
            total, bound = expected_result(kernel, operands)
            joined = _joined(kernel, operands, product_terms(kernel.assignment.value))
        expected = by_hand(kernel, operands)
        assert same(total, expected, bound)
        assert same(joined[0], expected, bound)

    check()


@pytest.mark.parametrize("name", KERNELS)
def test_the_papers_kernels_are_eliminated(kernels, name):
    kernel = kernels[name]

    @settings(max_examples=40, deadline=None)
    @given(operands_of(kernel, PLAIN))
    def check(operands):
        terms = product_terms(kernel.assignment.value)
        found = _eliminated(kernel, operands, terms)
        assert found is not None
        magnitude, count = _joined(kernel, operands, terms)[1:]
        # Products of tiny values underflow, at different steps of the two ways.
        tiny = np.finfo(float).tiny
        np.testing.assert_allclose(found[1], magnitude, rtol=1e-14, atol=tiny)
        np.testing.assert_array_equal(found[2], count)

    check()


def test_an_infinity_that_meets_a_sum_of_zero_is_joined(kernels):
    """C * D sums to 0 for a pair of which each product with the Inf of B is infinite."""
    kernel = kernels["spmttkrp"]
    formats = kernel.formats
    one_row = np.array([[0, 0], [0, 1]])
    operands = {
        "B": from_coo(np.zeros((3, 1), int), np.array([np.inf]), (1, 1, 1), formats["B"]),
        "C": from_coo(one_row, np.array([1.0, -1.0]), (1, 2), formats["C"]),
        "D": from_coo(one_row, np.array([1.0, 1.0]), (1, 2), formats["D"]),
    }
    with np.errstate(invalid="ignore"):
        total, bound = expected_result(kernel, operands)
    assert np.isnan(total).all()
    assert (bound == 0).all()


@pytest.mark.parametrize(
    ("expression", "formats"),
    [
        ("y[i] = a[i] + 2 * b[i]", {"a": "sparse_vector", "b": "sparse_vector"}),
        ("A[i,j] = a[i] * b[j]", {"a": "sparse_vector", "b": "sparse_vector"}),
        ("A[i,j] = B[i,j] * C[i,j] * D[i,j]", {"B": "csr", "C": "csr", "D": "csr"}),
        ("y[i] = (B[i,j] - C[i,j]) * x[j]", {"B": "csr", "C": "csr", "x": "sparse_vector"}),
        ("y[i] = B[i,j] * C[i,j] * x[j]", {"B": "csr", "C": "csr", "x": "sparse_vector"}),
    ],
)
def test_other_expressions(expression, formats):
    entry = {"expression": expression, "formats": formats, "description": "d"}
    kernel = make_kernel("k", entry, "k")
    terms = product_terms(kernel.assignment.value)

    @settings(max_examples=40, deadline=None)
    @given(operands_of(kernel, PLAIN))
    def check(operands):
        total, bound = expected_result(kernel, operands)
        joined = _joined(kernel, operands, terms)[0]
        assert same(total, joined, bound)

    check()


def test_three_factors_in_one_summed_index_are_not_eliminated(kernels):
    entry = {
        "description": "d",
        "expression": "y[i] = B[i,j] * C[i,j] * x[j]",
        "formats": {"B": "csr", "C": "csr", "x": "sparse_vector"},
    }
    kernel = make_kernel("k", entry, "k")
    at = np.zeros((2, 1), int)
    operands = {
        a.tensor: from_coo(at[: len(a.indices)], np.ones(1), (1, 1)[: len(a.indices)],
                           kernel.formats[a.tensor])
        for a in kernel.operands
    }  # fmt: skip
    factors = [Factor(a.indices, operands[a.tensor]) for a in kernel.operands]
    with pytest.raises(InfeasibleError, match="3 factors meet in one index"):
        multiply_out(factors, kernel.output.indices, index_sizes(kernel, operands))
    assert expected_result(kernel, operands)[0].tolist() == [1.0]

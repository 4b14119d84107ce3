"""Index notation: what parses, and one clear message for what does not."""

import pytest

from splyce_bench.errors import UserError
from splyce_bench.kernels.notation import Access, Binary, Constant, parse


def test_product_and_sum_bind_as_in_arithmetic():
    found = parse("y[i] = 2 * a[i] + b[i] * c[i]", "k")
    left = Binary("*", Constant(2.0), Access("a", ("i",)))
    right = Binary("*", Access("b", ("i",)), Access("c", ("i",)))
    assert found.value == Binary("+", left, right)


def test_subtraction_is_left_associative():
    found = parse("y[i] = a[i] - b[i] - c[i]", "k").value
    assert found.left == Binary("-", Access("a", ("i",)), Access("b", ("i",)))


def test_parentheses():
    found = parse("y[i] = (a[i] + b[i]) * c[i]", "k").value
    assert (found.operator, found.left.operator) == ("*", "+")


def test_indices_are_in_order_of_first_use_and_reduced_ones_known():
    found = parse("A[i,k] = B[i,k,l] * C[l,j] * D[k,j]", "k")
    assert found.indices == ["i", "k", "l", "j"]
    assert found.reduced == {"l", "j"}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A[i,j] B[i,k]", "column 7: expected '='"),
        ("A[i,j] = B[i,k] *", "column 18: expected a name"),
        ("A[i,j] = B[i,k", "expected '\\]'"),
        ("A[i,j] = B[i,k] * C[k,j] )", "an operator or the end"),
        ("A[i] = B[i] / C[i]", "an operator or the end"),
        ("A[i,j] = B[i,k] * C[j]", "index 'k' is used in B\\[i,k\\] only"),
        ("A[i,j] = B[i] * C[i]", "index 'j' is used in A\\[i,j\\] only"),
        ("A[i,i] = B[i] * C[i]", "repeats an index"),
        ("A[i] = B[i] * B[i]", "tensor 'B' is used twice"),
        ("A[i] = A[i] * B[i]", "tensor 'A' is used twice"),
        ("y[i] = B[i,j] * x[j] + z[i]", "a term does not use the summed index 'j'"),
    ],
)
def test_refusals_name_the_place(text, expected):
    with pytest.raises(UserError, match="kernels.yaml: k.*" + expected):
        parse(text, "kernels.yaml: k")

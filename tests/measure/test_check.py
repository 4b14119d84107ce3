"""Comparing with the oracle: NaN, infinities, bounds, shapes."""

import numpy as np
import pytest

from splyce_bench.measure.check import compare


def verdict(found, expected, bound=1e-12):
    expected = np.array(expected, float)
    return compare(np.array(found, float), expected, np.full_like(expected, bound))


def test_equal_within_the_bound():
    assert verdict([1.0, 2.0 + 1e-13], [1.0, 2.0])["ok"]


@pytest.mark.parametrize(
    ("found", "expected"),
    [
        ([np.nan, 1], [0, 1]),
        ([0, 1], [np.nan, 1]),
        ([np.inf, 1], [-np.inf, 1]),
        ([np.inf, 1], [1, 1]),
        ([0, 0], [0, 1]),
        ([1, 2, 3], [1, 2]),
    ],
)
def test_differences_are_seen(found, expected):
    assert not verdict(found, expected)["ok"]


def test_nan_and_infinity_where_they_belong():
    assert verdict([np.nan, np.inf, -np.inf], [np.nan, np.inf, -np.inf])["ok"]


@pytest.mark.parametrize("scale", [1e-6, 1.0, 1e6])
def test_the_verdict_does_not_change_with_the_scale(scale):
    expected = np.array([3.0, 4.0]) * scale
    bound = 1e-14 * expected
    assert compare(expected * (1 + 1e-15), expected, bound)["ok"]
    assert not compare(expected * (1 + 1e-12), expected, bound)["ok"]


def test_the_first_wrong_element_of_a_large_output_is_named():
    expected = np.zeros((3, 2_000_000))
    found = expected.copy()
    found[2, 7] = 1.0
    answer = compare(found, expected, np.zeros_like(expected))
    assert "1 of 6000000 elements are wrong, the first at (2, 7)" in answer["message"]

"""Drift and bimodality: found where they are, rarely where they are not."""

import math
import random

import pytest

from splyce_bench.stability import drift, two_modes

LEAST = 0.02


def test_a_drift_is_found_and_sized():
    source = random.Random(1)
    values = [1 + 0.1 * n / 19 + source.gauss(0, 0.005) for n in range(20)]
    assert drift(values, LEAST) == pytest.approx(0.1, abs=0.02)
    assert drift(values[::-1], LEAST) == pytest.approx(-0.09, abs=0.02)


def test_a_drift_smaller_than_the_wanted_width_is_none():
    assert drift([1 + 0.001 * n for n in range(10)], LEAST) is None


def test_one_outlier_is_no_drift():
    assert drift([1.0] * 19 + [3.0], LEAST) is None


def test_too_few_samples_show_nothing():
    assert drift([1, 2, 3, 4, 5], LEAST) is None
    assert two_modes([1, 1, 2, 2, 2], LEAST) is None


def test_two_modes_are_found():
    source = random.Random(2)
    values = [(1.1 if n % 3 == 0 else 1.0) * (1 + source.gauss(0, 0.005)) for n in range(30)]
    found = two_modes(values, LEAST)
    assert found
    assert found.ratio == pytest.approx(1.1, abs=0.01)
    assert found.share == pytest.approx(1 / 3)
    assert two_modes(values, 0.2) is None


def test_equal_samples_are_one_mode():
    assert two_modes([1.0] * 20, LEAST) is None
    found = two_modes([1.0] * 10 + [2.0] * 10, LEAST)
    assert found
    assert found.ratio == pytest.approx(2)


@pytest.mark.parametrize("count", [6, 10, 30])
@pytest.mark.parametrize("shape", ["normal", "uniform", "exponential"])
def test_one_mode_rarely_looks_like_two(count, shape):
    source = random.Random(3)
    draw = {
        "normal": lambda: source.gauss(0, 1),
        "uniform": lambda: source.uniform(0, 1),
        "exponential": lambda: source.expovariate(1),
    }[shape]
    trials = [[math.exp(draw()) for _ in range(count)] for _ in range(400)]
    # Less than 2 %, and 3 sigma of 400 trials.
    assert sum(two_modes(values, LEAST) is not None for values in trials) / 400 < 0.041
    assert sum(drift(values, LEAST) is not None for values in trials) / 400 < 0.025

"""Order-statistic intervals of the median."""

import math
import random

import pytest

from splyce_bench.stats import estimate_median, geometric_mean, median


def test_median_of_even_and_odd():
    assert (median([3, 1, 2]), median([4, 1, 2, 3])) == (2, 2.5)


def test_six_values_are_the_least_for_95_percent():
    assert math.isinf(estimate_median([1, 2, 3, 4, 5], 0.95).high)
    found = estimate_median([1, 2, 3, 4, 5, 6], 0.95)
    assert (found.low, found.high) == (1, 6)


def test_the_interval_covers_the_median_as_often_as_it_says():
    source = random.Random(1)
    hits = 0
    for _ in range(2000):
        found = estimate_median([source.lognormvariate(0, 1) for _ in range(15)], 0.95)
        hits += found.low <= 1.0 <= found.high
    # 15 values give 96.5 % exactly; 5 sigma of 2000 trials are 2 %.
    assert 0.945 <= hits / 2000 <= 0.985


def test_geometric_mean():
    assert geometric_mean([1, 4]) == pytest.approx(2)

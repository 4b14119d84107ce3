"""Order-statistic intervals of the median."""

import math
import random

import pytest

from splyce_bench.stats import (
    Estimate,
    estimate_median,
    estimate_over_processes,
    geometric_mean,
    geometric_mean_estimate,
    median,
)


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


def test_the_interval_of_a_geometric_mean():
    """One estimate keeps its interval; four alike halve it on the scale of logarithms."""
    one = Estimate(2.0, 1.0, 4.0, 9)
    found = geometric_mean_estimate([one])
    assert (found.value, found.low, found.high) == pytest.approx((2, 1, 4))
    found = geometric_mean_estimate([one] * 4)
    assert (found.value, found.low, found.high) == pytest.approx((2, 2**0.5, 2**1.5))
    assert geometric_mean_estimate([Estimate(1, 1, 1, 9), Estimate(4, 4, 4, 9)]).value == 2


def test_an_estimate_without_an_end_leaves_the_mean_without_one():
    found = geometric_mean_estimate([Estimate(2, 1, 4, 9), Estimate(2, 0, math.inf, 3)])
    assert (found.value, found.low, found.high, found.count) == (pytest.approx(2), 0, math.inf, 2)


def test_the_interval_of_a_mean_covers_as_often_as_its_parts():
    source, hits = random.Random(2), 0
    for _ in range(400):
        parts = [
            estimate_median([math.exp(source.gauss(0, 0.1)) for _ in range(15)], 0.95)
            for _ in range(5)
        ]
        found = geometric_mean_estimate(parts)
        hits += found.low <= 1.0 <= found.high
    assert hits >= 0.93 * 400


def test_processes_count_once_each():
    """What moves whole processes is in the interval, however many repetitions each has."""
    processes = [[1.0] * 100, [1.2] * 2, [1.2] * 2, [1.2] * 2, [1.2] * 2, [1.2] * 2]
    found = estimate_over_processes(processes, 0.95)
    assert (found.value, found.low, found.high, found.count) == (1.2, 1.0, 1.2, 110)
    pooled = estimate_median([value for values in processes for value in values], 0.95)
    assert (pooled.low, pooled.high) == (1.0, 1.0)


def test_a_single_process_is_judged_by_its_repetitions():
    values = [1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6]
    assert estimate_over_processes([values], 0.95) == estimate_median(values, 0.95)


def test_few_processes_give_no_interval():
    assert estimate_over_processes([[1.0] * 50] * 5, 0.95).high == math.inf

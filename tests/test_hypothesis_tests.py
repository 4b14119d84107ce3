"""Exact tests and Holm's correction."""

import random

import pytest

from splyce_bench.hypothesis_tests import beyond_margin, holm, sign_test


def test_the_sign_test_is_the_binomial_tail():
    assert sign_test(0, 5) == 1
    assert sign_test(5, 5) == pytest.approx(1 / 32)
    assert sign_test(9, 10) == pytest.approx(11 / 1024)


def test_holm_by_hand():
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])
    assert holm([0.9, 0.8]) == pytest.approx([1, 1])
    assert holm([]) == []


def test_a_shift_within_the_margin_is_none():
    assert beyond_margin([0.009] * 20, [0.01] * 20) == 1
    assert beyond_margin([-0.011] * 20, [0.01] * 20) < 1e-5


def test_it_rejects_a_true_null_no_more_often_than_it_says():
    source = random.Random(1)
    wrong = 0
    for _ in range(2000):
        values = [source.lognormvariate(0, 1) - 1 for _ in range(15)]
        wrong += beyond_margin(values, [0.0] * 15) <= 0.05
    # 15 values give 3.5 % exactly; 5 sigma of 2000 trials are 2 %.
    assert wrong / 2000 <= 0.055

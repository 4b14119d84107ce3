"""Tests of a null hypothesis, exact and without an assumed distribution, and their correction."""

import math
from collections.abc import Sequence


def sign_test(above: int, count: int) -> float:
    """Return the probability of at least `above` of `count` values above their median."""
    return float(sum(math.comb(count, k) for k in range(above, count + 1)) / 2**count)


def beyond_margin(logs: Sequence[float], margins: Sequence[float]) -> float:
    """Return the p-value of "the median lies within -margin and margin", two-sided sign test.

    Each value has its own margin, so that values of several groups may be pooled.
    """
    pairs = list(zip(logs, margins, strict=True))
    over = sum(value > margin for value, margin in pairs)
    under = sum(value < -margin for value, margin in pairs)
    return min(1.0, 2 * min(sign_test(over, len(pairs)), sign_test(under, len(pairs))))


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p-values corrected for their number (Holm's step-down method), in the same order."""
    order = sorted(range(len(p_values)), key=lambda i: p_values[i])
    corrected, largest = [1.0] * len(p_values), 0.0
    for rank, place in enumerate(order):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[place]))
        corrected[place] = largest
    return corrected

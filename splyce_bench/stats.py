"""Statistics of samples and paired ratios, after Hoefler and Belli's rules for reporting.

Medians with order-statistic intervals: they assume nothing of the distribution, and no sample is
dropped.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache


@dataclass(frozen=True)
class Estimate:
    """A median with the interval that holds it at the stated confidence, and the sample size."""

    value: float
    low: float
    high: float
    count: int

    @property
    def width(self) -> float:
        """Width of the interval as a fraction of the value."""
        return (self.high - self.low) / self.value if self.value else math.inf


def median(values: Sequence[float]) -> float:
    """Return the median; raises ValueError for no values."""
    ordered = sorted(values)
    if not ordered:
        raise ValueError("median of no values")
    middle = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[middle]
    return (ordered[middle - 1] + ordered[middle]) / 2


@cache
def _rank(count: int, confidence: float) -> int | None:
    """Return how many values to leave out at each end; None when there are too few values."""
    tail, left_out = 0.0, None
    for rank in range(count // 2):
        tail += math.comb(count, rank) / 2**count
        if 2 * tail > 1 - confidence:
            break
        left_out = rank
    return left_out


def estimate_median(values: Sequence[float], confidence: float) -> Estimate:
    """Return the median with its order-statistic (sign test) interval.

    With fewer values than the confidence needs (six at 95 %) the interval is unbounded.
    """
    ordered = sorted(values)
    rank = _rank(len(ordered), confidence)
    if rank is None:
        return Estimate(median(ordered), 0.0, math.inf, len(ordered))
    return Estimate(median(ordered), ordered[rank], ordered[-1 - rank], len(ordered))


def estimate_over_processes(processes: Sequence[Sequence[float]], confidence: float) -> Estimate:
    """Return the median over the processes that took the values, with its interval.

    Repetitions in one process share whatever is particular to it, so each process counts once, by
    its median; the values of a single one count themselves.
    """
    if len(processes) == 1:
        return estimate_median(processes[0], confidence)
    found = estimate_median([median(values) for values in processes], confidence)
    return replace(found, count=sum(map(len, processes)))


def geometric_mean_estimate(estimates: Sequence[Estimate]) -> Estimate:
    """Return the geometric mean of independent positive estimates, with its interval.

    Half-widths of logarithms add as independent errors do. The count is that of the estimates.
    """
    mean = geometric_mean([e.value for e in estimates])
    arms = []
    for end in ("low", "high"):
        ends = [getattr(e, end) for e in estimates]
        if not all(0 < value < math.inf for value in ends):
            return Estimate(mean, 0.0, math.inf, len(estimates))
        steps = [math.log(value / e.value) for value, e in zip(ends, estimates, strict=True)]
        arms.append(math.sqrt(math.fsum(step**2 for step in steps)) / len(estimates))
    return Estimate(mean, mean * math.exp(-arms[0]), mean * math.exp(arms[1]), len(estimates))


def geometric_mean(values: Sequence[float]) -> float:
    """Return the geometric mean of positive values."""
    return math.exp(math.fsum(math.log(v) for v in values) / len(values))

"""The verdict on one cell's speedup, from its interval."""

from splyce_bench.stats import Estimate

FASTER, SLOWER, EQUAL, UNSTABLE = "faster", "slower", "equal", "unstable"


def cell_verdict(speedup: Estimate, resolution: float) -> str:
    """Say which way a ratio goes; unstable where its interval is wider than its difference from 1.

    An interval as narrow as the wanted width (a fraction) is not unstable but shows equality.
    """
    difference = abs(speedup.value - 1)
    if speedup.high - speedup.low > difference:
        return EQUAL if speedup.width <= resolution else UNSTABLE
    return FASTER if speedup.value > 1 else SLOWER

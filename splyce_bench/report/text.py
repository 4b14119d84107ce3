"""Numbers as a reader wants them."""

import math

import pandas as pd


def seconds(value: object) -> str:
    """Return a time with a unit that keeps three digits."""
    if not _number(value):
        return "-"
    number = float(value)  # type: ignore[arg-type]
    for unit, factor in (("s", 1.0), ("ms", 1e3), ("us", 1e6)):
        if number * factor >= 1:
            return f"{number * factor:.3g} {unit}"
    return f"{number * 1e9:.3g} ns"


def ratio(value: object, low: object = None, high: object = None) -> str:
    """Return a ratio as 3.91x, with its interval where it has one."""
    if not _number(value):
        return "n/a"
    text = f"{value:.2f}x"
    if _number(low) and _number(high):
        return f"{text} [{low:.2f}, {high:.2f}]"
    return f"{text} [few repetitions]" if low is not None or high is not None else text


def outcome(name: str) -> str:
    """Return an outcome in words."""
    return name.replace("_", " ")


def _number(value: object) -> bool:
    return isinstance(value, int | float) and math.isfinite(value) and not pd.isna(value)

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
            return f"{_three_digits(number * factor)} {unit}"
    return f"{_three_digits(number * 1e9)} ns"


def _three_digits(value: float) -> str:
    return f"{value:.0f}" if value >= 100 else f"{value:#.3g}"


def one_line(text: object) -> str:
    """Return a text that keeps to its table cell: no line breaks and no column separators."""
    return " ".join(str(text).split()).replace("|", "/")


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

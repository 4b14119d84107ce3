"""Words of a file to numbers, strictly: what is not one is refused with file and line."""

import math
import re
from pathlib import Path

from splyce_bench.errors import UserError

_INTEGER = re.compile(r"[+-]?[0-9]+")
# The D of Fortran counts as an exponent.
_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eEdD][+-]?[0-9]+)?")
_NOT_FINITE = re.compile(r"[+-]?(inf|infinity|nan)", re.IGNORECASE)
LARGEST_SIZE = (1 << 63) - 1
LARGEST_EXACT = 1 << 53


def parse_index(word: str, size: int, what: str, path: Path, line: int) -> int:
    """Return a 1-based index as 0-based; `size` is the largest allowed."""
    if not _INTEGER.fullmatch(word):
        raise UserError(f"{path}:{line}: '{word}' is not a {what} number")
    value = int(word)
    if value == 0:
        raise UserError(
            f"{path}:{line}: {what} 0; indices start at 1, so add 1 to all of a 0-based file"
        )
    if not 0 < value <= size:
        raise UserError(f"{path}:{line}: {what} {value} is outside 1..{size}")
    return value - 1


def parse_value(word: str, path: Path, line: int) -> float:
    """Return a real number; inf and nan are numbers, a number too large for f64 is not."""
    if _NUMBER.fullmatch(word):
        value = float(word.replace("D", "e").replace("d", "e"))
        if math.isinf(value):
            raise UserError(f"{path}:{line}: '{word}' is too large for a 64-bit number")
        return value
    if not _NOT_FINITE.fullmatch(word):
        raise UserError(f"{path}:{line}: '{word}' is not a number")
    return float(word)


def parse_integer_value(word: str, path: Path, line: int) -> float:
    """Return the value of an element whose field is integer."""
    if not _INTEGER.fullmatch(word):
        raise UserError(f"{path}:{line}: '{word}' is not an integer")
    value = parse_value(word, path, line)
    if int(value) != int(word):
        raise UserError(
            f"{path}:{line}: the integer {word} has no exact 64-bit floating-point number; "
            "make the field real if rounding is meant"
        )
    return value

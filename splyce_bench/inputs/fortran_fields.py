"""Fixed-width numbers as Fortran formats such as (8I10) or (1P,4E20.12) lay them out."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_FORMAT = re.compile(
    r"\(\s*(?:[+-]?\d+P\s*,?\s*)?(?P<repeat>\d*)(?P<kind>[IEDFG])(?P<width>\d+)"
    r"(?:\.\d+)?(?:E\d+)?\s*\)",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class FieldFormat:
    """So many fields a line, each of so many characters."""

    repeat: int
    width: int
    integer: bool

    def lines(self, count: int) -> int:
        """How many lines hold so many numbers."""
        return -(-count // self.repeat)

    def split(self, line: str, count: int) -> Iterator[str]:
        """Yield the first `count` fields of a line; one that is not there is empty."""
        for start in range(0, count * self.width, self.width):
            yield line[start : start + self.width].strip()


def parse_format(text: str) -> FieldFormat | None:
    """Read a format of one repeated field; None for any other.

    A scale factor (1P) is skipped: it does not change how a number with an exponent is read.
    """
    found = _FORMAT.fullmatch(text.strip())
    if not found or int(found["repeat"] or 1) == 0 or int(found["width"]) == 0:
        return None
    integer = found["kind"].upper() == "I"
    return FieldFormat(int(found["repeat"] or 1), int(found["width"]), integer)

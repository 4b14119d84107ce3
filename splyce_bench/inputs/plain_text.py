"""Is a Matrix Market body plain numbers, which scipy's reader gets right?

That reader stops inside a word such as `1.5D+01`, `1.2.3` or the column `2.5` and goes on. All
such words are found by looking at pairs of neighbouring bytes, in a few passes over each block.
"""

import re
from typing import IO

import numpy as np

_BLOCK = 1 << 18
_DIGIT, _POINT, _EXPONENT, _SIGN, _BLANK, _END, _OTHER = 1, 2, 4, 8, 16, 32, 128
_SPACE = _BLANK | _END
_MEMBERS = {
    _DIGIT: b"0123456789",
    _POINT: b".",
    _EXPONENT: b"eE",
    _SIGN: b"+-",
    _BLANK: b" \t",
    _END: b"\r\n",
}
_NOT_AFTER = {
    _DIGIT: _SIGN | _OTHER,
    _POINT: _POINT | _SIGN | _OTHER,
    _EXPONENT: _POINT | _EXPONENT | _SPACE | _OTHER,
    _SIGN: _SIGN | _EXPONENT | _SPACE | _OTHER,
    _BLANK: _EXPONENT | _OTHER,
    _END: _EXPONENT | _OTHER,
    _OTHER: 255,
}
# The same with digits and signs away: two points of a word, or a point in its exponent, meet.
_NOT_AFTER_BARE = {_POINT: _POINT, _EXPONENT: _POINT | _EXPONENT}
# A fraction is followed by its line's end, or it stands for a coordinate.
_NOT_LAST = {_POINT: _BLANK, _EXPONENT: _BLANK}
_FRACTION_INSIDE = re.compile(rb"[.eE][0-9eE+\-]*[ \t]+[0-9.+\-]")


def _class_of(byte: int) -> int:
    return next((kind for kind, bytes in _MEMBERS.items() if byte in bytes), _OTHER)


def _table(of_class: dict[int, int]) -> bytes:
    """A translation table from the class of a byte."""
    return bytes(of_class.get(byte, 0) for byte in range(256))


_CLASS = bytes(_class_of(byte) for byte in range(256))
_FORBIDDEN = _table(_NOT_AFTER)
_FORBIDDEN_BARE = _table(_NOT_AFTER_BARE)
_FORBIDDEN_INSIDE = _table(_NOT_LAST)


def has_plain_words(file: IO[bytes], words: int, integers: bool) -> bool:
    """True when the rest of the file is `words` plain numbers, with no fraction before the last.

    With `integers` the last number of a line may be none either.
    """
    found = 0
    # Whole lines: no word is cut in two by a block's end.
    while block := file.read(_BLOCK) + file.readline():
        kinds = (b"\n" + block + b"\n").translate(_CLASS)
        if _meet(kinds, _FORBIDDEN) or not _plain_words(block, integers):
            return False
        found += _count_words(kinds)
    return found == words


def _meet(kinds: bytes, forbidden: bytes) -> bool:
    """True when some class is followed by one that the table forbids after it."""
    before = np.frombuffer(kinds.translate(forbidden), np.uint8)
    return bool(np.any(before[:-1] & np.frombuffer(kinds, np.uint8)[1:]))


def _plain_words(block: bytes, integers: bool) -> bool:
    bare = block.translate(_CLASS, b"0123456789+-")
    if integers:
        return bytes([_POINT]) not in bare and bytes([_EXPONENT]) not in bare
    if _meet(bare, _FORBIDDEN_BARE):
        return False
    # Blanks at the end of a line look the same without digits; only then the words are read.
    return not (_meet(bare, _FORBIDDEN_INSIDE) and _FRACTION_INSIDE.search(block))


def _count_words(kinds: bytes) -> int:
    space = np.frombuffer(kinds, np.uint8) & _SPACE != 0
    return int(np.count_nonzero(space[:-1] & ~space[1:]))

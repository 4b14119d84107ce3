"""Is a Matrix Market body plain numbers, which scipy's reader gets right?

That reader stops inside a word such as `1.5D+01`, `1.2.3` or the column `2.5` and goes on. All
such words are found by looking at pairs of neighbouring bytes, in a few passes over each block.
"""

import re
from typing import IO

import numpy as np

_BLOCK = 1 << 18
_DIGIT, _POINT, _EXPONENT, _SIGN, _SPACE, _OTHER = 1, 2, 4, 8, 16, 128
_MEMBERS = {_DIGIT: b"0123456789", _POINT: b".", _EXPONENT: b"eE", _SIGN: b"+-", _SPACE: b" \t\r\n"}
_NOT_AFTER = {
    _DIGIT: _SIGN | _OTHER,
    _POINT: _POINT | _SIGN | _OTHER,
    _EXPONENT: _POINT | _EXPONENT | _SPACE | _OTHER,
    _SIGN: _SIGN | _EXPONENT | _SPACE | _OTHER,
    _SPACE: _OTHER,
    _OTHER: 255,
}


def _class_of(byte: int) -> int:
    return next((kind for kind, bytes in _MEMBERS.items() if byte in bytes), _OTHER)


_CLASS = bytes(_class_of(byte) for byte in range(256))
_FORBIDDEN = bytes(_NOT_AFTER[_class_of(byte)] for byte in range(256))
_FRACTION_INSIDE = re.compile(rb"[.eE][0-9eE+\-]*[ \t]+[0-9.+\-]")
_SKELETON = bytes.maketrans(b"E\t", b"e ")


def has_plain_words(file: IO[bytes], words: int, integers: bool) -> bool:
    """True when the rest of the file is `words` plain numbers, with no fraction before the last.

    With `integers` the last number of a line may be none either.
    """
    found = 0
    # Whole lines: no word is cut in two by a block's end.
    while block := file.read(_BLOCK) + file.readline():
        if not _plain(block, integers):
            return False
        found += _count_words(block)
    return found == words


def _plain(block: bytes, integers: bool) -> bool:
    if not block.endswith(b"\n"):
        block += b"\n"
    kinds = np.frombuffer(block.translate(_CLASS), np.uint8)
    forbidden = np.frombuffer(b"\x80" + block[:-1].translate(_FORBIDDEN), np.uint8)
    if np.any(kinds & forbidden):
        return False
    # With digits and signs away, two points of a word or a point in its exponent are neighbours.
    skeleton = block.translate(_SKELETON, b"0123456789+-")
    if integers:
        return b"." not in skeleton and b"e" not in skeleton
    if any(pair in skeleton for pair in (b"..", b"e.", b"ee")):
        return False
    # What follows a fraction is its line's end, or the fraction stands for a coordinate.
    followed = b". " in skeleton or b"e " in skeleton
    return not (followed and _FRACTION_INSIDE.search(block))


def _count_words(block: bytes) -> int:
    space = np.frombuffer(b"\n" + block, np.uint8) <= ord(" ")
    return int(np.count_nonzero(space[:-1] & ~space[1:]))

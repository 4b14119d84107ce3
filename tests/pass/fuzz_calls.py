"""The arguments of a call of a compiled kernel, for this process or for `cross_runner.c`."""

import struct

from fuzz_cases import Case
from fuzz_data import Array, Problem

Argument = int | Array  # an array stands for the address of a copy of it, the same each time


def _memref(array: Array) -> list[Argument]:
    strides = [stride // array.itemsize for stride in array.strides]
    return [array, array, 0, *array.shape, *strides]


def arguments(case: Case, problem: Problem) -> list[Argument]:
    """Return the words: arrays and storage specifier of each operand, and the output last."""
    words: list[Argument] = []
    for operand, stored in zip(case.template.operands, problem.operands, strict=True):
        for array in stored.arrays:
            words += _memref(array)
        if operand.is_sparse:
            words += [*stored.sizes, *(array.size for array in stored.arrays)]
    return words + _memref(problem.output)


def encode(number: int, case: Case, problem: Problem, at_start: bool) -> bytes:
    """Return a call of function `number` as `cross_runner.c` reads it."""
    words = arguments(case, problem)
    numbers: dict[int, int] = {}
    arrays = []
    tagged = []
    for word in words:
        if isinstance(word, int):
            tagged += [0, word]
            continue
        if id(word) not in numbers:
            numbers[id(word)] = len(arrays)
            arrays.append(word)
        tagged += [1, numbers[id(word)]]
    header = [number, int(at_start), len(arrays), len(words)]
    parts = [struct.pack(f"<{len(header)}q", *header)]
    parts += [struct.pack("<q", array.nbytes) + array.tobytes() for array in arrays]
    return b"".join([*parts, struct.pack(f"<{len(tagged)}q", *tagged)])

"""Turn stored operands into the words of a kernel call, without copying an array.

A memref is passed as a pointer to its descriptor: allocated pointer, aligned pointer, offset, sizes
and strides, each 64 bits. See `compile/stub.py` for the order of the words.
"""

import math
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from splyce_bench.compile.stub import array_fields, word_count
from splyce_bench.errors import UserError
from splyce_bench.inputs.storage import StoredTensor
from splyce_bench.kernels.catalog import Kernel

Array = npt.NDArray[np.generic]


@dataclass
class Call:
    """The words of a call; it owns the descriptors that they point to, and the output array."""

    words: npt.NDArray[np.int64]
    output: Array
    keep: list[Array] = field(default_factory=list)


def make_call(
    kernel: Kernel, operands: dict[str, StoredTensor], memory: Array | None = None
) -> Call:
    """Build the call of a kernel on stored operands.

    The output takes the front of `memory`, a flat array that calls may share, or is fresh zeros.
    """
    sizes = index_sizes(kernel, operands)
    shape = kernel.shape_of(kernel.output, sizes)
    count = math.prod(shape)
    if memory is None:
        memory = np.zeros(count, output_type(kernel))
    output = memory[:count].reshape(shape)
    keep: list[Array] = [np.zeros(3 + 2 * output.ndim, np.int64)]
    words = [keep[0].ctypes.data]
    for access in kernel.operands:
        words += _operand_words(operands[access.tensor], keep)
    words.append(_descriptor(output, keep))
    if len(words) != word_count(kernel):
        raise AssertionError(f"{len(words)} words for a call of {word_count(kernel)}")
    return Call(np.array(words, np.int64), output, keep)


def output_type(kernel: Kernel) -> np.dtype[Any]:
    """Return the array type of a kernel's output."""
    scalar = kernel.formats[kernel.output.tensor].value_type
    return np.dtype(np.float64 if scalar == "f64" else np.float32)


def index_sizes(kernel: Kernel, operands: dict[str, StoredTensor]) -> dict[str, int]:
    """Return the size of each index, checked to be the same in every operand."""
    sizes: dict[str, tuple[int, str]] = {}
    for access in kernel.operands:
        shape = operands[access.tensor].shape
        for index, size in zip(access.indices, shape, strict=True):
            known, where = sizes.setdefault(index, (int(size), str(access)))
            if known != size:
                raise UserError(
                    f"kernel {kernel.name}: index '{index}' has size {known} in {where} "
                    f"but {size} in {access}; the operands do not fit together"
                )
    return {index: size for index, (size, _) in sizes.items()}


def _operand_words(tensor: StoredTensor, keep: list[Array]) -> list[int]:
    if tensor.format.is_dense:
        return [_descriptor(np.asarray(tensor.values), keep)]
    arrays = [
        tensor.values if kind == "values" else getattr(tensor, kind)[level]
        for kind, level in array_fields(tensor.format)
    ]
    words = [_descriptor(np.asarray(array), keep) for array in arrays]
    words += tensor.format.level_shape(tensor.shape)
    return words + [array.size for array in arrays]


def _descriptor(array: Array, keep: list[Array]) -> int:
    if not array.flags.c_contiguous:
        raise AssertionError("kernels take C-contiguous arrays")
    strides = [step // array.itemsize for step in array.strides]
    address = array.ctypes.data
    words = np.array([address, address, 0, *array.shape, *strides], np.int64)
    keep += [array, words]
    return int(words.ctypes.data)

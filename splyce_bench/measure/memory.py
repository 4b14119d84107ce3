"""What fits into the memory: the whole output of a kernel, or some of its rows at a time.

It imports nothing heavy, because a plan asks it before anything is fetched.
"""

import math
from collections.abc import Mapping

from splyce_bench.kernels.catalog import Kernel
from splyce_bench.kernels.notation import Access
from splyce_bench.space import TooLargeError

Range = tuple[int, int]

# The output, and the copy that other pipelines are compared with.
OUTPUTS = 2
# What the oracle makes, as f64: sums, magnitudes, and the numbers of terms, at worst with the
# sparse matrix that these come from, which is twice as large.
ORACLE_ARRAYS = 5


def panelled_operand(kernel: Kernel) -> Access | None:
    """Return the operand whose rows are the output's, if the kernel can run on some of them."""
    row = kernel.output.indices[0] if kernel.output.indices else ""
    users = [a for a in kernel.operands if row in a.indices]
    if len(users) != 1 or kernel.loops[0] != row:
        return None
    format = kernel.formats[users[0].tensor]
    outermost = users[0].indices[format.order[0]] == row and format.levels[0] == "dense"
    return users[0] if outermost and not format.is_dense else None


def output_bytes(kernel: Kernel, sizes: Mapping[str, int]) -> int:
    """Return the size of the whole output."""
    return _width(kernel) * math.prod(sizes[index] for index in kernel.output.indices)


def checked_bytes(kernel: Kernel, output: int) -> int:
    """Return what an output of so many bytes takes while it is checked, the oracle's arrays too."""
    return output // _width(kernel) * (OUTPUTS * _width(kernel) + ORACLE_ARRAYS * 8)


def _width(kernel: Kernel) -> int:
    return 8 if kernel.formats[kernel.output.tensor].value_type == "f64" else 4


def choose_panels(kernel: Kernel, sizes: Mapping[str, int], memory_bytes: int) -> list[Range]:
    """Return the ranges of rows to run on: one if the output fits into the memory.

    TooLargeError when it does not fit and the kernel cannot be cut into rows.
    """
    rows = sizes[kernel.output.indices[0]]
    whole = checked_bytes(kernel, output_bytes(kernel, sizes))
    if whole <= memory_bytes:
        return [(0, rows)]
    if panelled_operand(kernel) is None or whole // rows > memory_bytes:
        raise TooLargeError(
            f"needs {whole / 2**30:.1f} GiB of memory for its output and the check of it, "
            f"has {memory_bytes / 2**30:.1f} GiB"
        )
    step = max(1, int(memory_bytes // (whole // rows)))
    return [(start, min(start + step, rows)) for start in range(0, rows, step)]

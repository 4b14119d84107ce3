"""What an input takes, estimated from the list of matrices before anything is fetched or made.

It imports nothing heavy, because a plan asks it for every cell.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from splyce_bench.collection.matrix_list import Member
from splyce_bench.formats import TensorFormat
from splyce_bench.inputs.pairing import resolve, resolved_sizes
from splyce_bench.kernels.catalog import Kernel
from splyce_bench.measure.memory import choose_panels, output_bytes
from splyce_bench.space import TooLargeError


def operand_bytes(
    recipe: Mapping[str, Any], format: TensorFormat, stored: int, shape: tuple[int, ...]
) -> int:
    """Estimate the arrays of one operand; `stored` is that of the matrix it may be."""
    if recipe["source"] == "synthetic":
        shape = tuple(recipe["shape"])
        stored = int(math.prod(shape) * recipe["density_pct"] / 100)
    value = 8 if format.value_type == "f64" else 4
    if format.is_dense:
        return math.prod(shape) * value
    outer = math.prod(format.level_shape(shape)[:-1])
    positions = (min(outer, stored) if format.levels[0] == "compressed" else outer) + 1
    return stored * (value + format.coordinate_bits // 8) + positions * format.position_bits // 8


def input_bytes(
    operands: Mapping[str, Any], stored: int = 0, shape: tuple[int, int] = (0, 0)
) -> int:
    """Estimate all operands of an input whose sizes are resolved."""
    return sum(
        operand_bytes(o["recipe"], TensorFormat.from_json(o["format"]), stored, shape)
        for o in operands.values()
    )


@dataclass(frozen=True)
class Needs:
    """Bytes of the operands of an input and of the whole output of its kernel."""

    operands: int
    output: int
    sizes: dict[str, int]


def needs_of_input(
    kernel: Kernel, operands: dict[str, Any], member: Member | None, where: str
) -> Needs | None:
    """Estimate an input, which may be made of a listed matrix; None when only reading tells."""
    sources = {operand["recipe"]["source"] for operand in operands.values()}
    if "file" in sources or (member is None and sources != {"synthetic"}):
        return None
    rows, cols, stored = (member.rows, member.cols, member.stored) if member else (0, 0, 0)
    resolved = resolve(operands, {"rows": rows, "cols": cols}, 100.0 * stored / max(rows * cols, 1))
    sizes = resolved_sizes(kernel, resolved, rows, cols, where)
    return Needs(input_bytes(resolved, stored, (rows, cols)), output_bytes(kernel, sizes), sizes)


def why_too_large(kernel: Kernel, needs: Needs, memory_bytes: int) -> str:
    """Say why an input cannot be measured here, or return ''."""
    if needs.operands > memory_bytes:
        has = f"has {memory_bytes / 2**30:.1f} GiB"
        return f"needs {needs.operands / 2**30:.1f} GiB of memory for its operands, {has}"
    try:
        choose_panels(kernel, needs.sizes, memory_bytes - needs.operands)
    except TooLargeError as error:
        return str(error)
    return ""

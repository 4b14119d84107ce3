"""Row panels: the operands of a kernel that runs on some rows of its output at a time."""

from splyce_bench.inputs.storage import StoredTensor
from splyce_bench.kernels.catalog import Kernel
from splyce_bench.measure.memory import Range, panelled_operand


def take_rows(
    kernel: Kernel, operands: dict[str, StoredTensor], rows: Range
) -> dict[str, StoredTensor]:
    """Return the operands with only some rows of the one that is cut; arrays are views."""
    access = panelled_operand(kernel)
    if access is None:
        return operands
    return {**operands, access.tensor: _rows_of(operands[access.tensor], rows)}


def _rows_of(tensor: StoredTensor, rows: Range) -> StoredTensor:
    format = tensor.format
    shape = list(tensor.shape)
    shape[format.order[0]] = rows[1] - rows[0]
    first, last = rows
    positions, coordinates = {}, {}
    for level in range(1, format.rank):
        if format.levels[level] == "dense":
            size = format.level_shape(tensor.shape)[level]
            first, last = first * size, last * size
            continue
        ends = tensor.positions[level][first : last + 1]
        first, last = int(ends[0]), int(ends[-1])
        positions[level] = ends - ends[0]
        coordinates[level] = tensor.coordinates[level][first:last]
    values = tensor.values[first:last]
    return StoredTensor(tuple(shape), format, positions, coordinates, values, tensor.meta)

"""The C stub that calls a kernel with an array of 64-bit words.

MLIR's C interface takes a pointer to a descriptor for each memref, and the storage specifier of a
sparse operand by value. LLVM passes that struct (level sizes, then the lengths of the arrays) as
if each field were an argument of its own, so that in C every argument is one 64-bit word.
"""

from splyce_bench.formats import TensorFormat
from splyce_bench.kernels.catalog import Kernel

CALL = "splyce_call"


def array_fields(format: TensorFormat) -> list[tuple[str, int]]:
    """Return (kind, level) of a sparse operand's arrays in argument order; values have level -1."""
    fields = [
        (kind, level)
        for level, kind_of_level in enumerate(format.levels)
        if kind_of_level == "compressed"
        for kind in ("positions", "coordinates")
    ]
    return [*fields, ("values", -1)]


def word_count(kernel: Kernel) -> int:
    """Return how many words a call takes: the result's descriptor, the operands, the output."""
    total = 2
    for access in kernel.operands:
        format = kernel.formats[access.tensor]
        fields = len(array_fields(format))
        total += 1 if format.is_dense else fields + format.rank + fields
    return total


def stub_source(kernel: Kernel) -> str:
    """Return the C source of the stub."""
    words = word_count(kernel)
    parameters = ", ".join(["int64_t"] * words)
    arguments = ", ".join(f"w[{i}]" for i in range(words))
    return (
        "#include <stdint.h>\n"
        f"void _mlir_ciface_{kernel.name}({parameters});\n"
        f"void {CALL}(const int64_t *w) {{ _mlir_ciface_{kernel.name}({arguments}); }}\n"
    )

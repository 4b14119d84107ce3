"""The kernels as the paper stores them, which references and library calls are written for."""

from typing import Any

from splyce_bench.formats import parse_format
from splyce_bench.kernels.catalog import Kernel

FORMS: dict[str, tuple[str, dict[str, Any]]] = {
    "spgemm": ("A[i,j] = B[i,k] * C[k,j]", {"B": "csr", "C": "csc"}),
    "spmspv": ("y[i] = B[i,j] * x[j]", {"B": "csr", "x": "sparse_vector"}),
    "spmttkrp": (
        "A[i,k] = B[i,k,l] * C[l,j] * D[k,j]",
        {"B": {"levels": ["dense", "compressed", "compressed"]}, "C": "csr", "D": "csr"},
    ),
}


def is_as_published(kernel: Kernel) -> bool:
    """True when a kernel has the expression and the formats that its name stands for here."""
    expression, formats = FORMS.get(kernel.name, ("", {}))
    expected = {
        access.tensor: parse_format(
            formats.get(access.tensor, "dense"), len(access.indices), kernel.name
        )
        for access in [*kernel.operands, kernel.output]
        if kernel.expression == expression
    }
    return expected == kernel.formats

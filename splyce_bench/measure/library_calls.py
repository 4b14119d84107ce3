"""Calls of sparse linear algebra libraries: operands converted once, the product left sparse."""

import ctypes
import os
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, files
from typing import Any

import numpy as np
import scipy.sparse as sp

from splyce_bench.inputs.storage import StoredTensor

Call = Callable[[], Any]


def make_library_call(library: str, kernel: str, operands: dict[str, StoredTensor]) -> Call:
    """Return the product of a kernel of `libraries.CALLED`; ImportError where it is missing."""
    left, right = _operands(kernel, operands)
    return MAKERS[library](left, right)


def dense_result(library: str, product: Any, shape: tuple[int, ...]) -> Any:
    """Return a product as the dense array that the kernel's output would be."""
    if library != "graphblas":
        return np.asarray(product.toarray()).reshape(shape)
    dense = np.zeros(shape)
    *coordinates, values = product.to_coo()
    dense[tuple(coordinates)] = values
    return dense


def _operands(kernel: str, operands: dict[str, StoredTensor]) -> tuple[sp.csr_array, sp.csr_array]:
    """Return both operands in CSR; scipy chooses 32-bit coordinates where they fit."""
    left = _compressed(sp.csr_array, operands["B"])
    if kernel == "spgemm":
        return left, _compressed(sp.csc_array, operands["C"]).tocsr()
    return left, _column(operands["x"])


def _compressed(kind: Any, tensor: StoredTensor) -> Any:
    # Copies: a mapped file is read-only, which not every library takes.
    parts = (tensor.values, tensor.coordinates[1], tensor.positions[1])
    return kind(tuple(np.array(part) for part in parts), shape=tensor.shape)


def _column(vector: StoredTensor) -> sp.csr_array:
    rows = np.array(vector.coordinates[0])
    place = (rows, np.zeros_like(rows))
    return sp.coo_array((np.array(vector.values), place), shape=(*vector.shape, 1)).tocsr()


def _scipy(left: sp.csr_array, right: sp.csr_array) -> Call:
    return lambda: left @ right


def _mkl(left: sp.csr_array, right: sp.csr_array) -> Call:
    if openmp := _packaged("intel-openmp", "libiomp5.so"):
        ctypes.CDLL(openmp, ctypes.RTLD_GLOBAL)
    if runtime := _packaged("mkl", "libmkl_rt.so"):
        os.environ["MKL_RT"] = runtime
    from sparse_dot_mkl import dot_product_mkl

    # The package knows the matrix classes only.
    pair = sp.csr_matrix(left), sp.csr_matrix(right)
    return lambda: dot_product_mkl(*pair)


def _packaged(package: str, library: str) -> str:
    """Return a shared library of a package, which no loader looks for where pip puts it."""
    try:
        found = [file for file in files(package) or () if file.name.startswith(library)]
    except PackageNotFoundError:
        return ""
    return str(found[0].locate()) if found else ""


def _graphblas(left: sp.csr_array, right: sp.csr_array) -> Call:
    import graphblas

    # Blocking: a product is finished when the call returns.
    graphblas.init("suitesparse", blocking=True)
    matrix = graphblas.io.from_scipy_sparse(left)
    semiring = graphblas.semiring.plus_times
    if right.shape[1] > 1:
        other = graphblas.io.from_scipy_sparse(right)
        return lambda: matrix.mxm(other, semiring).new()
    rows, _ = right.nonzero()
    vector = graphblas.Vector.from_coo(rows, right.data, size=right.shape[0])
    return lambda: matrix.mxv(vector, semiring).new()


MAKERS: dict[str, Callable[[sp.csr_array, sp.csr_array], Call]] = {
    "scipy": _scipy,
    "mkl": _mkl,
    "graphblas": _graphblas,
}

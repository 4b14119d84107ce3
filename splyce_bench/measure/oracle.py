"""The expected result of a kernel, computed without MLIR, and how far rounding may take it.

Only stored elements take part, as in the sparse kernel: an Inf that meets no partner does not
reach the result. The bound for a sum of n products of which each is rounded: gamma_(n+k) times
the sum of magnitudes, twice, since the oracle rounds as well (Higham, Accuracy and Stability of
Numerical Algorithms, section 3.1); k counts the factors and the terms they are joined from.
"""

import argparse
import json
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from splyce_bench.files import atomic_folder
from splyce_bench.inputs.storage import StoredTensor, open_tensor, to_coo
from splyce_bench.kernels.catalog import Kernel, make_kernel
from splyce_bench.kernels.notation import Access, Binary, Constant, Expression
from splyce_bench.measure.calls import index_sizes
from splyce_bench.measure.contraction import Factor, InfeasibleError, multiply_out
from splyce_bench.measure.panels import take_rows
from splyce_bench.process import die_with_parent, run_cli

Floats = npt.NDArray[np.float64]
Term = tuple[float, tuple[Access, ...]]

# Elements of a result that are looked at together; the places of those that are not zero take two
# to three times as much.
BLOCK = 1 << 20


def expected_result(kernel: Kernel, operands: dict[str, StoredTensor]) -> tuple[Floats, Floats]:
    """Return the expected output and the largest error each element may have."""
    terms = product_terms(kernel.assignment.value)
    sums = _eliminated(kernel, operands, terms) or _joined(kernel, operands, terms)
    total, magnitude, count = sums
    kind = np.float32 if kernel.formats[kernel.output.tensor].value_type == "f32" else np.float64
    steps = len(kernel.operands) + len(terms)
    # In place and only where there are products: an output may be large, and nearly all zeros.
    for at, hit in _nonzeros(count):
        count[at][hit] = _bound(magnitude[at][hit], count[at][hit], steps, np.finfo(kind))
    return total, count


def _nonzeros(values: Floats) -> Iterator[tuple[slice, Any]]:
    """Yield what selects some rows, and in them the elements that are not zero."""
    step = max(1, BLOCK // max(1, math.prod(values.shape[1:])))
    for start in range(0, values.shape[0], step):
        at = slice(start, start + step)
        yield at, np.nonzero(values[at])


def _bound(magnitude: Floats, count: Floats, more: int, kind: np.finfo[Any]) -> Floats:
    steps = (count + more) * float(kind.eps) / 2
    # The smallest normal number covers products that underflow.
    bound = 2 * steps / (1 - steps) * magnitude + count * float(kind.tiny)
    return np.where(np.isfinite(bound), bound, 0.0)


def product_terms(expression: Expression) -> list[Term]:
    """Multiply an expression out into (coefficient, accesses) terms."""
    match expression:
        case Access():
            return [(1.0, (expression,))]
        case Constant(value):
            return [(value, ())]
        case Binary("*", left, right):
            pairs = [(a, b) for a in product_terms(left) for b in product_terms(right)]
            return [(a[0] * b[0], a[1] + b[1]) for a, b in pairs]
        case Binary(operator, left, right):
            sign = -1.0 if operator == "-" else 1.0
            others = [(sign * c, factors) for c, factors in product_terms(right)]
            return product_terms(left) + others
    raise AssertionError(expression)


def _eliminated(
    kernel: Kernel, operands: dict[str, StoredTensor], terms: list[Term]
) -> tuple[Floats, Floats, Floats] | None:
    """Sum index by index; None for sums of terms and for what elimination cannot do.

    With three factors an Inf could meet a zero that is a sum: those are joined product by product.
    """
    if len(terms) != 1 or terms[0][0] != 1.0:
        return None
    factors = [Factor(a.indices, operands[a.tensor]) for a in terms[0][1]]
    if len(factors) > 2 and not all(factor.is_finite for factor in factors):
        return None
    try:
        found = multiply_out(factors, kernel.output.indices, index_sizes(kernel, operands))
    except InfeasibleError:
        return None
    return found.value, found.magnitude, found.terms


def _joined(
    kernel: Kernel, operands: dict[str, StoredTensor], terms: list[Term]
) -> tuple[Floats, Floats, Floats]:
    sizes = index_sizes(kernel, operands)
    shape = kernel.shape_of(kernel.output, sizes)
    total, magnitude, count = (np.zeros(shape) for _ in range(3))
    for coefficient, factors in terms:
        table = _join(factors, operands)
        values = coefficient * table["value"].to_numpy()
        at = tuple(table[index].to_numpy() for index in kernel.output.indices)
        np.add.at(total, at, values)
        np.add.at(magnitude, at, np.abs(values))
        np.add.at(count, at, 1.0)
    return total, magnitude, count


def _join(factors: tuple[Access, ...], operands: dict[str, StoredTensor]) -> pd.DataFrame:
    table = _table(factors[0], operands)
    for access in factors[1:]:
        other = _table(access, operands)
        shared = [name for name in access.indices if name in table.columns]
        how = {"on": shared} if shared else {"how": "cross"}
        table = table.merge(other, suffixes=("", "_next"), **how)
        table["value"] = table["value"] * table.pop("value_next")
    return table


def _table(access: Access, operands: dict[str, StoredTensor]) -> pd.DataFrame:
    coordinates, values = to_coo(operands[access.tensor])
    columns = dict(zip(access.indices, coordinates, strict=True))
    return pd.DataFrame({**columns, "value": np.asarray(values, np.float64)})


def main() -> None:
    """Write expected.npy and bound.npy of a kernel and an input folder."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kernel", required=True, help="kernel entry as JSON")
    parser.add_argument("--input", type=Path, required=True)
    parser.add_argument("--rows", type=int, nargs=2, required=True, help="rows of the output")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    die_with_parent()
    entry = json.loads(options.kernel)
    kernel = make_kernel(entry["name"], entry, entry["name"])
    operands = {a.tensor: open_tensor(options.input / a.tensor) for a in kernel.operands}
    rows = (options.rows[0], options.rows[1])
    total, bound = expected_result(kernel, take_rows(kernel, operands, rows))
    with atomic_folder(options.out) as folder:
        for name, values in (("expected", total), ("bound", bound)):
            _save_sparsely(folder / f"{name}.npy", values)


def _save_sparsely(path: Path, values: Floats) -> None:
    """Write an array; what is zero takes no place on the disk and no time."""
    shape = values.shape
    file = np.lib.format.open_memmap(path, mode="w+", dtype=np.float64, shape=shape)
    for at, hit in _nonzeros(values):
        file[at][hit] = values[at][hit]
    file.flush()


if __name__ == "__main__":
    run_cli(main)

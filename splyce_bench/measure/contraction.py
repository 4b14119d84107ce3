"""Products of stored tensors by eliminating one summed index after the other.

A join of all operands has a row for each product, 2.5 x 10^9 of them for SpMTTKRP at the paper's
size. Eliminating an index at a time needs only two factors and a dense result.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse

from splyce_bench.inputs.storage import StoredTensor, stored_chunks, stored_count

Floats = npt.NDArray[np.float64]
Indices = tuple[str, ...]
Sizes = dict[str, int]

CHUNK = 1 << 22
# A dense intermediate of this many elements takes 2 GiB an array.
LARGEST_RESULT = 1 << 28


class InfeasibleError(Exception):
    """This product has no order of elimination that the methods here cover."""


@dataclass
class Sums:
    """For each element: the sum, the sum of magnitudes, and how many products went into it."""

    indices: Indices
    value: Floats
    magnitude: Floats
    terms: Floats


@dataclass
class Part:
    """Some elements of a factor: the coordinates by index, and the fields of `Sums`."""

    at: dict[str, npt.NDArray[np.int64]]
    value: Floats
    magnitude: Floats
    terms: Floats


class Factor:
    """A stored operand, or the dense result of an earlier step."""

    def __init__(self, indices: Indices, source: StoredTensor | Sums) -> None:
        self.indices, self.source = indices, source

    def __len__(self) -> int:
        if isinstance(self.source, Sums):
            return int(self.source.value.size)
        return stored_count(self.source)

    def parts(self, chunk: int = CHUNK) -> Iterator[Part]:
        """Yield the stored elements a chunk at a time."""
        if isinstance(self.source, StoredTensor):
            for coordinates, stored in stored_chunks(self.source, chunk):
                value = np.asarray(stored, np.float64)
                at = dict(zip(self.indices, coordinates, strict=True))
                yield Part(at, value, np.abs(value), np.ones(value.size))
            return
        found = np.nonzero(self.source.terms)
        fields = (self.source.value, self.source.magnitude, self.source.terms)
        yield Part(dict(zip(self.indices, found, strict=True)), *(f[found] for f in fields))

    @property
    def is_finite(self) -> bool:
        """Whether no stored value is infinite or NaN."""
        return all(bool(np.isfinite(part.value).all()) for part in self.parts())

    def dense(self, sizes: Sizes) -> Sums:
        """Return all elements as arrays; `terms` is 0 where nothing is stored."""
        if isinstance(self.source, Sums):
            return self.source
        return _accumulate(self.indices, sizes, self.parts())

    def matrix(self, rows: Indices, columns: Indices, sizes: Sizes, field: str) -> Any:
        """Return one field as a sparse matrix of flattened indices."""
        parts = list(self.parts())
        at = [np.concatenate([_flat(p, names, sizes) for p in parts]) for names in (rows, columns)]
        data = np.concatenate([getattr(p, field) for p in parts])
        shape = (_size(rows, sizes), _size(columns, sizes))
        return scipy.sparse.coo_array((data, tuple(at)), shape=shape).tocsr()


def multiply_out(factors: Sequence[Factor], output: Indices, sizes: Sizes) -> Sums:
    """Sum a product over every index that `output` has not; InfeasibleError if it can't be done."""
    left = list(factors)
    summed = {name: None for f in reversed(left) for name in f.indices if name not in output}
    for name in summed:
        pair = [f for f in left if name in f.indices]
        others = [f for f in left if name not in f.indices]
        needed = {*output, *(n for f in others for n in f.indices)} - {name}
        left = [*others, _contract(pair, needed, sizes)]
    while len(left) > 1:
        needed = {*output, *(n for f in left[2:] for n in f.indices)}
        left = [*left[2:], _contract(left[:2], needed, sizes)]
    found = left[0].dense(sizes)
    order = [found.indices.index(name) for name in output]
    fields = (found.value, found.magnitude, found.terms)
    return Sums(output, *(f.transpose(order) for f in fields))


def _contract(pair: list[Factor], needed: set[str], sizes: Sizes) -> Factor:
    if len(pair) != 2:
        raise InfeasibleError(f"{len(pair)} factors meet in one index")
    kept = tuple(dict.fromkeys(n for f in pair for n in f.indices if n in needed))
    if _size(kept, sizes) > LARGEST_RESULT:
        raise InfeasibleError(f"an intermediate over {kept} is too large")
    large, small = sorted(pair, key=lambda f: len(f.indices), reverse=True)
    shared = set(large.indices) & set(small.indices)
    if shared == set(small.indices) and _size(small.indices, sizes) <= LARGEST_RESULT:
        return Factor(kept, _gather(large, small, kept, sizes))
    if not shared & set(kept):
        return Factor(kept, _matrix_product(large, small, kept, sizes))
    raise InfeasibleError(f"{sorted(shared)} are shared, and some of them kept")


def _gather(large: Factor, small: Factor, kept: Indices, sizes: Sizes) -> Sums:
    """Look up the smaller factor at each stored element of the larger one."""
    table = small.dense(sizes)
    fields = [f.reshape(-1) for f in (table.value, table.magnitude, table.terms)]

    def products() -> Iterator[Part]:
        for part in large.parts():
            at = _flat(part, table.indices, sizes)
            hit = fields[2][at] > 0
            at = at[hit]
            mine = (part.value[hit], part.magnitude[hit], part.terms[hit])
            found = [a * f[at] for a, f in zip(mine, fields, strict=True)]
            yield Part({n: part.at[n][hit] for n in large.indices}, *found)

    return _accumulate(kept, sizes, products())


def _matrix_product(left: Factor, right: Factor, kept: Indices, sizes: Sizes) -> Sums:
    shared = tuple(n for n in left.indices if n in right.indices)
    rows = tuple(n for n in left.indices if n not in shared)
    columns = tuple(n for n in right.indices if n not in shared)
    order = [(*rows, *columns).index(name) for name in kept]
    fields: list[Floats] = []
    for field in ("value", "magnitude", "terms"):
        a = left.matrix(rows, shared, sizes, field)
        b = right.matrix(shared, columns, sizes, field)
        if field == "magnitude" and min(*(_least(f) for f in (left, right))) >= 0:
            fields.append(fields[0])
            continue
        product = (a @ b).toarray().reshape([sizes[n] for n in (*rows, *columns)])
        fields.append(product.transpose(order))
    return Sums(kept, *fields)


def _least(factor: Factor) -> float:
    return min((float(p.value.min(initial=0)) for p in factor.parts()), default=0.0)


def _accumulate(kept: Indices, sizes: Sizes, parts: Iterator[Part]) -> Sums:
    fields = [np.zeros(_size(kept, sizes)) for _ in range(3)]
    for part in parts:
        at = _flat(part, kept, sizes)
        for field, added in zip(fields, (part.value, part.magnitude, part.terms), strict=True):
            np.add.at(field, at, added)
    shape = [sizes[name] for name in kept]
    return Sums(kept, *(field.reshape(shape) for field in fields))


def _flat(part: Part, names: Indices, sizes: Sizes) -> npt.NDArray[np.int64]:
    """Return the place of each element in an array over some of the indices."""
    at = np.zeros(part.value.size, np.int64)
    for name in names:
        at = at * sizes[name] + part.at[name]
    return at


def _size(names: Indices, sizes: Sizes) -> int:
    return math.prod(sizes[name] for name in names)

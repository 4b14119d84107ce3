"""Matrices of the SuiteSparse collection that a definition gives exactly: no network needed."""

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

Coo = tuple[npt.NDArray[np.int64], npt.NDArray[np.float64], tuple[int, int]]


def trefethen(size: int = 300) -> Coo:
    """JGD_Trefethen: the first primes on the diagonal, 1 where |i-j| is a power of two."""
    diagonal = np.arange(size)
    rows, columns, values = [diagonal], [diagonal], [_primes(size)]
    step = 1
    while step < size:
        low = np.arange(size - step)
        rows += [low, low + step]
        columns += [low + step, low]
        values += [np.ones(2 * low.size)]
        step *= 2
    coordinates = np.array([np.concatenate(rows), np.concatenate(columns)], np.int64)
    return coordinates, np.concatenate(values), (size, size)


def mycielskian(order: int = 11) -> Coo:
    """Mycielski: the Mycielskian graph of the given chromatic number, iterated from one edge."""
    edges = np.array([[0], [1]], np.int64)
    size = 2
    for _ in range(order - 2):
        u, v = edges
        hub = np.arange(size, 2 * size, dtype=np.int64)
        top = np.full(size, 2 * size, np.int64)
        edges = np.array(
            [np.concatenate([u, u, v, hub]), np.concatenate([v, v + size, u + size, top])]
        )
        size = 2 * size + 1
    both = np.concatenate([edges, edges[::-1]], axis=1)
    return both, np.ones(both.shape[1]), (size, size)


def _primes(count: int) -> npt.NDArray[np.float64]:
    limit = max(16, int(count * (np.log(count + 1) + np.log(np.log(count + 3)) + 2)))
    sieve = np.ones(limit, bool)
    sieve[:2] = False
    for number in range(2, int(limit**0.5) + 1):
        if sieve[number]:
            sieve[number * number :: number] = False
    return np.flatnonzero(sieve)[:count].astype(np.float64)


BUILTIN: dict[str, Callable[[], Coo]] = {
    "JGD_Trefethen/Trefethen_300": trefethen,
    "Mycielski/mycielskian11": mycielskian,
}

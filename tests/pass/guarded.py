"""Arrays that end right before a page that may not be touched, and start behind another."""

import ctypes
import mmap
from typing import Any

import numpy as np
from numpy.typing import NDArray

_LIBC = ctypes.CDLL(None, use_errno=True)
_LIBC.mmap.restype = ctypes.c_void_p
_LIBC.mmap.argtypes = [
    ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long,
]  # fmt: skip
_LIBC.mprotect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]
_LIBC.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
_MAP_FAILED = ctypes.c_void_p(-1).value
_PROT_NONE = 0


class GuardedMemory:
    """Hands out copies of arrays between unreadable pages; unmaps them when closed."""

    def __init__(self) -> None:
        self._maps: list[tuple[int, int]] = []

    def copy(self, array: NDArray[Any], at_start: bool = False) -> NDArray[Any]:
        """Copy an array against the page behind it, or against the page before it."""
        page = mmap.PAGESIZE
        inner = max(page, -(-array.nbytes // page) * page)
        start = self._map(inner + 2 * page)
        for guard in (start, start + page + inner):
            if _LIBC.mprotect(guard, page, _PROT_NONE) != 0:
                raise OSError(ctypes.get_errno(), "mprotect failed")
        first = start + page if at_start else start + page + inner - array.nbytes
        memory = (ctypes.c_char * max(array.nbytes, 1)).from_address(first)
        copy: NDArray[Any] = np.frombuffer(memoryview(memory), array.dtype, array.size).reshape(
            array.shape
        )
        copy[...] = array
        return copy

    def _map(self, size: int) -> int:
        flags = mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS
        start = _LIBC.mmap(None, size, mmap.PROT_READ | mmap.PROT_WRITE, flags, -1, 0)
        if start is None or start == _MAP_FAILED:
            raise OSError(ctypes.get_errno(), "mmap failed")
        self._maps.append((start, size))
        return int(start)

    def close(self) -> None:
        """Unmap everything; no array may be used afterwards."""
        for start, size in self._maps:
            _LIBC.munmap(start, size)
        self._maps.clear()

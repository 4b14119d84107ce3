"""Write a .npy array piece by piece when its length is not known beforehand."""

import io
import math
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

# numpy pads the header to a multiple of 64; 128 bytes hold any length in a few dimensions.
_HEADER = 128


class NpyStream:
    """An array that grows on disk; closing it writes the header."""

    def __init__(self, path: Path, dtype: np.dtype[Any]) -> None:
        self.dtype, self.count = dtype, 0
        self.shape: tuple[int, ...] | None = None
        self.file = path.open("wb")
        self.file.write(bytes(_HEADER))

    def __enter__(self) -> "NpyStream":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def append(self, piece: npt.NDArray[Any]) -> None:
        """Add elements, converted to the array's type."""
        self.file.write(np.ascontiguousarray(piece, self.dtype).data)
        self.count += piece.size

    def reshape(self, shape: tuple[int, ...]) -> None:
        """Give the finished array several dimensions."""
        if math.prod(shape) != self.count:
            raise ValueError(f"{self.count} elements do not make {shape}")
        self.shape = shape

    def close(self) -> None:
        """Write the header and close the file."""
        header = io.BytesIO()
        fields = {
            "descr": np.lib.format.dtype_to_descr(self.dtype),
            "fortran_order": False,
            "shape": self.shape or (self.count,),
        }
        np.lib.format.write_array_header_1_0(header, fields)
        if len(header.getvalue()) != _HEADER:
            raise AssertionError(f"header of {len(header.getvalue())} bytes")
        self.file.seek(0)
        self.file.write(header.getvalue())
        self.file.close()

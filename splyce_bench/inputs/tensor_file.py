"""What every file reader gives back, and how files are opened and found damaged."""

import gzip
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from splyce_bench.errors import UserError

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]


@dataclass
class TensorFile:
    """What a file holds: coordinates (rank x stored, 0-based) after expansion, and counts."""

    coordinates: Ints
    values: Floats
    shape: tuple[int, ...]
    counts: dict[str, Any] = field(default_factory=dict)


def open_input(path: Path) -> IO[bytes]:
    """Open a file, unpacking it when its name ends in .gz."""
    if path.suffix.lower() == ".gz":
        return gzip.open(path, "rb")  # type: ignore[return-value]
    return path.open("rb")


@contextmanager
def readable(path: Path) -> Iterator[None]:
    """Turn an absent, closed or damaged file into a UserError."""
    try:
        yield
    except (EOFError, gzip.BadGzipFile, zlib.error) as error:
        raise UserError(f"{path}: damaged gzip file ({error}); fetch it again") from None
    except FileNotFoundError:
        raise UserError(f"{path}: no such file") from None
    except (IsADirectoryError, PermissionError) as error:
        raise UserError(f"{path}: cannot be read ({error.strerror})") from None

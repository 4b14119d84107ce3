"""File inputs by the end of their name."""

from collections.abc import Callable
from pathlib import Path

from splyce_bench.errors import UserError
from splyce_bench.inputs.frostt import read_frostt
from splyce_bench.inputs.matrix_market import read_matrix_market
from splyce_bench.inputs.names import FILE_SUFFIXES, file_suffix
from splyce_bench.inputs.rutherford_boeing import read_rutherford_boeing
from splyce_bench.inputs.tensor_file import TensorFile, readable

READERS: dict[str, Callable[[Path], TensorFile]] = {
    ".mtx": read_matrix_market,
    ".rb": read_rutherford_boeing,
    ".tns": read_frostt,
}


def read_tensor(path: Path) -> TensorFile:
    """Read a tensor file, packed with gzip or not; UserError names file and line."""
    suffix = file_suffix(path.name)
    if suffix is None:
        raise UserError(
            f"{path}: the name must end in one of {', '.join(FILE_SUFFIXES)}, with .gz or without"
        )
    with readable(path):
        return READERS[suffix](path)

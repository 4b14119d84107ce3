"""The cache of matrices that clones and runs share: <cache>/matrices/<Group>/<Name>.mtx.

Beside each stands its pin <Name>.json with the checksum of its first use. The pin is written
before the matrix gets its name, and stays when the matrix is removed to save space.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from splyce_bench.collection.matrix_list import check_name
from splyce_bench.collection.partial import Partial
from splyce_bench.errors import UserError
from splyce_bench.files import read_json, sha256_of
from splyce_bench.inputs.matrix_market_header import read_header
from splyce_bench.inputs.tensor_file import open_input


@dataclass(frozen=True)
class Place:
    """Where one matrix lives in a cache, with everything around it."""

    folder: Path
    name: str

    @classmethod
    def of(cls, cache: Path, group: str, name: str) -> "Place":
        """Return the place of Group/Name; UserError for names that are no folders."""
        return cls(cache / "matrices" / check_name(group, "group"), check_name(name, "name"))

    @property
    def matrix(self) -> Path:
        """The verified file."""
        return self.folder / f"{self.name}.mtx"

    @property
    def pin(self) -> Path:
        """What was found at first use, as JSON."""
        return self.folder / f"{self.name}.json"

    @property
    def archive(self) -> Path:
        """Where a user may place a downloaded archive by hand."""
        return self.folder / f"{self.name}.tar.gz"

    @property
    def part(self) -> Partial:
        """The download on its way."""
        return Partial(self.folder / f".{self.name}.tar.gz.part")

    @property
    def lock(self) -> Path:
        """Held by the one process that fetches this matrix."""
        return self.folder / f".{self.name}.lock"

    def read_pin(self) -> dict[str, Any] | None:
        """Return the pin, if the matrix was ever here."""
        if not self.pin.exists():
            return None
        try:
            return dict(read_json(self.pin))
        except ValueError as error:
            raise UserError(
                f"{self.pin}: not the JSON of a pin ({error}); remove it and the matrix beside it"
            ) from None

    def is_intact(self) -> bool:
        """True when the matrix is here and is, byte for byte, what was pinned."""
        pin = self.read_pin()
        return (
            pin is not None
            and self.matrix.exists()
            and self.matrix.stat().st_size == pin["bytes"]
            and sha256_of(self.matrix) == pin["sha256"]
        )

    def clear_leftovers(self) -> None:
        """Remove what a killed process left half-written; call it under the lock."""
        for final in (self.matrix, self.pin):
            for part in self.folder.glob(f".{final.name}.*.part"):
                part.unlink()


def describe(file: Path, origin: str, companions: list[str]) -> dict[str, Any]:
    """Return what a pin says of a matrix file; UserError when it is none."""
    with open_input(file) as stream:
        header = read_header(stream, file)
    return {
        "sha256": sha256_of(file),
        "bytes": file.stat().st_size,
        "rows": header.rows,
        "cols": header.columns,
        "entries_in_file": header.entries,
        "origin": origin,
        "companions": companions,
    }

"""A file on its way: the bytes that came, and beside them what they are the beginning of."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from splyce_bench.files import read_json, write_json


class Partial:
    """A part file with a note of its address, length and version.

    The note stands before the first byte, so that a transfer killed at any moment is either
    continued from the same version of the same file, which the server confirms, or begun again.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.note = path.with_name(f"{path.name}.json")

    @property
    def total(self) -> int | None:
        """The length in bytes that the server promised, if it did."""
        return self._read_note().get("total")

    def size(self) -> int:
        """Return how many bytes are there."""
        return self.path.stat().st_size if self.path.exists() else 0

    def is_complete(self, url: str) -> bool:
        """True when all bytes of `url` have come, as far as their number tells."""
        note = self._read_note()
        return note.get("url") == url and self.path.exists() and note["total"] == self.size()

    def range_headers(self, url: str) -> dict[str, str]:
        """Return the request headers that ask for the rest, if there is a known beginning."""
        note = self._read_note()
        if note.get("url") == url and note["version"] and self.size():
            return {"Range": f"bytes={self.size()}-", "If-Range": note["version"]}
        return {}

    def begin(self, url: str, headers: Mapping[str, str]) -> None:
        """Start anew with the response that these headers belong to."""
        self.discard()
        length = headers.get("Content-Length", "")
        total = int(length) if re.fullmatch("[0-9]+", length) else None
        write_json(self.note, {"url": url, "version": _version(headers), "total": total})
        self.path.touch()

    def end(self) -> None:
        """Note that all has come, where the server promised no length."""
        write_json(self.note, {**self._read_note(), "total": self.size()})

    def discard(self) -> None:
        """Remove the bytes and the note."""
        self.path.unlink(missing_ok=True)
        self.note.unlink(missing_ok=True)

    def progress(self, size: int) -> str:
        """Return how much is there, for a message."""
        of = f" of {self.total / 1e6:.1f}" if self.total else ""
        return f"{size / 1e6:.1f}{of} MB"

    def _read_note(self) -> dict[str, Any]:
        try:
            return dict(read_json(self.note)) if self.note.exists() else {}
        except ValueError:
            # A crash of the machine can leave an empty file; then the bytes are nothing known.
            return {}


def _version(headers: Mapping[str, str]) -> str | None:
    """Return what tells this version of a file from another; weak entity tags do not."""
    tag = headers.get("ETag", "")
    return tag if tag.startswith('"') else headers.get("Last-Modified")

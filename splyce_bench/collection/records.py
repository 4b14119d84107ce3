"""Records of a run: what `fetch` was asked for, and what came of it, one JSON a matrix."""

from pathlib import Path
from typing import Any

from splyce_bench.collection.matrix_list import Member
from splyce_bench.files import read_json


def fetch_arguments(settings: dict[str, Any], member: Member) -> list[str]:
    """Return the arguments of `fetch`: what the list promises and the configuration asks for."""
    return [
        *("--rows", str(member.rows), "--cols", str(member.cols)),
        *(("--sha256", member.sha256) if member.sha256 else ()),
        *("--mirror", settings["mirror"]),
        *("--timeout-seconds", str(settings["timeout_seconds"])),
        *("--retries", str(settings["retries"])),
    ]


def forget_unavailable(run: Path) -> None:
    """Remove the records of what could not be had, or has left the cache since.

    A new call then asks for just those again, as far as something still needs them.
    """
    for path in (run / "matrices").glob("*/*.json"):
        record = read_json(path)
        if record["outcome"] != "available" or not Path(record["path"]).exists():
            path.unlink()

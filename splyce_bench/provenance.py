"""Which sources something was made from: git's word on a folder, and a hash of its files."""

import subprocess
from pathlib import Path
from typing import Any

from splyce_bench.files import key_of, sha256_of


def source_state(source: Path) -> dict[str, Any]:
    """Return the hash of the files in a folder, and its git state."""
    files = sorted(p for p in source.rglob("*") if p.is_file() and ".git" not in p.parts)
    digests = [[str(path.relative_to(source)), sha256_of(path)] for path in files]
    return {"key": key_of(digests), **git_state(source)}


def git_state(folder: Path) -> dict[str, Any]:
    """Return a folder's commit and whether it differs from it; both None outside of git."""
    commit = _git(folder, "rev-parse", "HEAD")
    changes = _git(folder, "status", "--porcelain", "--", ".")
    known = commit is not None and changes is not None
    return {"commit": commit, "dirty": bool(changes) if known else None}


def _git(folder: Path, *arguments: str) -> str | None:
    command = ["git", "-C", str(folder), *arguments]
    try:
        result = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return None
    return result.stdout.strip() if result.returncode == 0 else None

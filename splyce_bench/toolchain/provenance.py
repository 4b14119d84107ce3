"""Which sources a pass was built from: a hash of the files, and git's word on them."""

import subprocess
from pathlib import Path
from typing import Any

from splyce_bench.files import key_of, sha256_of


def source_state(source: Path) -> dict[str, Any]:
    """Return the hash of the sources, and the git commit and whether they differ from it.

    `commit` and `dirty` are None outside of git: an unpacked archive has the hash alone.
    """
    files = sorted(p for p in source.rglob("*") if p.is_file() and ".git" not in p.parts)
    digests = [[str(path.relative_to(source)), sha256_of(path)] for path in files]
    commit = _git(source, "rev-parse", "HEAD")
    changes = _git(source, "status", "--porcelain", "--", ".")
    known = commit is not None and changes is not None
    return {"key": key_of(digests), "commit": commit, "dirty": bool(changes) if known else None}


def _git(folder: Path, *arguments: str) -> str | None:
    command = ["git", "-C", str(folder), *arguments]
    try:
        result = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        return None
    return result.stdout.strip() if result.returncode == 0 else None

"""Which state of this project made a result: git commit, changes, Python and its packages."""

import platform
import subprocess
from importlib.metadata import version
from typing import Any

from splyce_bench.configuration import ROOT

PACKAGES = ("numpy", "scipy", "pandas", "snakemake")


def source_state() -> dict[str, Any]:
    """Return the commit, whether the tree differs from it, and the versions that matter."""
    return {
        "commit": _git("rev-parse", "HEAD"),
        "dirty": bool(_git("status", "--porcelain", "--untracked-files=no")),
        "python": platform.python_version(),
        "packages": {name: version(name) for name in PACKAGES},
    }


def _git(*arguments: str) -> str:
    try:
        result = subprocess.run(
            ["git", "-C", str(ROOT), *arguments], capture_output=True, text=True, check=False
        )
    except FileNotFoundError:
        return "unknown"
    return result.stdout.strip() if result.returncode == 0 else "unknown"

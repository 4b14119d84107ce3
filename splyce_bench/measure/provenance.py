"""Which software made a result: this project's git state, Python and the packages that matter."""

import os
import platform
from importlib.metadata import version
from typing import Any

from splyce_bench.configuration import ROOT
from splyce_bench.provenance import git_state

PACKAGES = ("numpy", "scipy", "pandas", "snakemake")


def software_state() -> dict[str, Any]:
    """Return the commit, whether the tree differs from it, and the versions.

    A container has no git; its image says in SPLYCE_COMMIT what it was built from.
    """
    state = git_state(ROOT)
    return {
        "commit": state["commit"] or os.environ.get("SPLYCE_COMMIT") or "unknown",
        "dirty": state["dirty"],
        "python": platform.python_version(),
        "packages": {name: version(name) for name in PACKAGES},
    }

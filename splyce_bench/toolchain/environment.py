"""Where CMake and Ninja come from: the packages installed beside this Python, then PATH."""

import os
import sys
from pathlib import Path


def tools_environment() -> dict[str, str]:
    """Return the environment in which this Python's own programs come first.

    A virtual environment need not be activated: `.venv/bin/snakemake` leaves PATH as it was.
    """
    own = str(Path(sys.executable).parent)
    return {**os.environ, "PATH": os.pathsep.join([own, os.environ.get("PATH", os.defpath)])}

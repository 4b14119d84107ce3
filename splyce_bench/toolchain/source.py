"""Provider `source`: build LLVM/MLIR at a pinned ref, only what this project uses.

Every step can be interrupted: sources are unpacked to a temporary name, ninja ends with the process
that started it and goes on where it stopped, and a stamp marks the finished build.
"""

import gzip
import lzma
import os
import shutil
import subprocess
import sys
import tarfile
import zlib
from pathlib import Path
from typing import Any

from splyce_bench.errors import UserError
from splyce_bench.files import atomic_folder, key_of, write_text
from splyce_bench.process import ends_with_parent
from splyce_bench.space import LARGER_DISK, check_space, usable_memory, used_bytes
from splyce_bench.toolchain.environment import tools_environment
from splyce_bench.toolchain.exclusive import only_one
from splyce_bench.toolchain.model import (
    OPTIONAL_TOOLS,
    REQUIRED_TOOLS,
    Found,
    Request,
    check_complete,
)

REPOSITORY = "https://github.com/llvm/llvm-project.git"
SOURCE_GB, BUILD_GB = 3.0, 2.0
STEPS = 4250
CORE_MINUTES = 280
LINK_GIB = 6.0
# What reading a damaged archive raises, by where the damage is.
DAMAGED = (tarfile.TarError, EOFError, gzip.BadGzipFile, lzma.LZMAError, zlib.error)

# Headers and libraries that find_package(MLIR) promises to a pass, and the archive that an mlir-opt
# of one's own needs beside the shared one. No OpenMP runtime: it would want a clang built first,
# and parallel kernels run with the environment's libiomp5.
LIBRARIES = ("LLVM", "MLIR", "MLIRMlirOptMain", "mlir-headers", "llvm-headers")
# What the stamp of a finished build says, so that one with fewer targets goes on.
BUILT = " ".join([*REQUIRED_TOOLS, *OPTIONAL_TOOLS, *LIBRARIES]) + "\n"


def find(request: Request) -> Found:
    """Return the built toolchain, building it first, which takes hours."""
    folder = folder_of(request)
    # Two ninjas in one build folder destroy each other's files.
    with only_one(folder.with_suffix(".lock")):
        if not is_finished(folder):
            _remove_leftovers(folder)
            _make(request, folder)
    build = folder / "build"
    return check_complete(Found("source", build, build), f"remove {folder} and build again")


def folder_of(request: Request) -> Path:
    """Return the folder of sources and build."""
    name = f"source-{key_of([request.source_ref, request.source_tarball])}"
    return request.cache / "toolchains" / name


def is_finished(folder: Path) -> bool:
    """Tell whether a build has come to its end, with all that is built today."""
    stamp = folder / "finished"
    return stamp.exists() and stamp.read_text() == BUILT


def _remove_leftovers(folder: Path) -> None:
    """Remove half-unpacked sources of a call that was killed; the lock is held."""
    for part in folder.glob(".source.*.part"):
        shutil.rmtree(part)


def _make(request: Request, folder: Path) -> None:
    build = folder / "build"
    minutes = CORE_MINUTES / (os.cpu_count() or 1)
    print(
        f"building LLVM/MLIR {request.source_tarball or request.source_ref} in {folder}: about "
        f"{STEPS} steps, {minutes:.0f} minutes on this machine, {BUILD_GB + SOURCE_GB:.0f} GB; "
        "it can be interrupted and goes on where it stopped",
        flush=True,
    )
    # What an interrupted call left is part of the sum, not on top of it.
    needed = (BUILD_GB + SOURCE_GB) * 1e9 - used_bytes(folder)
    check_space(folder / "x", needed, "building LLVM", LARGER_DISK)
    sources = fetch_sources(request, folder)
    run(configure_command(sources, build), "configuring LLVM", build / "CMakeCache.txt")
    targets = [*REQUIRED_TOOLS, *OPTIONAL_TOOLS, *available_libraries(build)]
    run(["ninja", "-C", str(build), *targets], "building LLVM", build / ".ninja_log")
    write_text(folder / "finished", BUILT)


def fetch_sources(request: Request, folder: Path) -> Path:
    """Clone or unpack the sources once and return the folder that holds llvm/ and mlir/."""
    sources = folder / "source"
    if not sources.exists():
        with atomic_folder(sources) as part:
            if request.source_tarball:
                unpack(request.source_tarball, part)
            else:
                clone(request.source_ref, part)
            if not (part / "llvm" / "CMakeLists.txt").exists():
                origin = request.source_tarball or request.source_ref
                raise UserError(f"{origin} has no llvm/CMakeLists.txt; is it LLVM's whole source?")
    return sources


def clone(ref: str, folder: Path, repository: str = REPOSITORY) -> None:
    """Fetch one commit of the repository, without its history."""
    git = ["git", "-C", str(folder)]
    for command in (
        [*git, "init", "--quiet"],
        [*git, "fetch", "--quiet", "--depth", "1", repository, ref],
        [*git, "checkout", "--quiet", "FETCH_HEAD"],
    ):
        run(command, f"cloning {repository} at {ref}", None)


def unpack(tarball: str, folder: Path) -> None:
    """Unpack a tarball, a local path or an address, leaving out its top folder."""
    path = Path(tarball)
    if "://" in tarball:
        path = folder / "source.tar"
        run(["curl", "--fail", "--location", "-o", str(path), tarball], "fetching sources", None)
    if not path.exists():
        raise UserError(f"toolchain.source.tarball: no such file: {tarball}")
    # Python before 3.11.4 (Debian 12 has 3.11.2) knows no filters.
    options: dict[str, Any] = {"filter": "tar"} if hasattr(tarfile, "tar_filter") else {}
    try:
        with tarfile.open(path) as archive:
            for member in archive:
                top, _, rest = member.name.removeprefix("./").partition("/")
                if rest:
                    member.name = rest
                    archive.extract(member, folder, **options)
            # tarfile stops at the end of the tar; the compression's checksum comes after it.
            while archive.fileobj is not None and archive.fileobj.read(1 << 20):
                pass
    except DAMAGED as error:
        raise UserError(f"{tarball}: cannot unpack: {error}") from None
    if "://" in tarball:
        path.unlink()


def configure_command(sources: Path, build: Path) -> list[str]:
    """Return the CMake call: host target, shared libraries, nothing that is not used."""
    path = tools_environment()["PATH"]
    options = {
        "CMAKE_BUILD_TYPE": "Release",
        "LLVM_ENABLE_PROJECTS": "mlir",
        "LLVM_TARGETS_TO_BUILD": "host",
        "LLVM_BUILD_LLVM_DYLIB": "ON",
        "LLVM_LINK_LLVM_DYLIB": "ON",
        "MLIR_LINK_MLIR_DYLIB": "ON",
        "LLVM_ENABLE_ASSERTIONS": "OFF",
        "LLVM_PARALLEL_LINK_JOBS": str(parallel_links()),
        # CMake remembers where it found them, in an environment that may have gone since. Another
        # version of ninja than the one that builds makes everything again.
        "CMAKE_MAKE_PROGRAM": shutil.which("ninja", path=path) or "ninja",
        "Python3_EXECUTABLE": sys.executable,
    }
    for part in ("TESTS", "EXAMPLES", "BENCHMARKS", "DOCS"):
        options[f"LLVM_INCLUDE_{part}"] = "OFF"
    for library in ("ZLIB", "ZSTD", "LIBXML2", "LIBEDIT"):
        options[f"LLVM_ENABLE_{library}"] = "OFF"
    if shutil.which("ccache", path=path):
        options["LLVM_CCACHE_BUILD"] = "ON"
    if shutil.which("ld.lld", path=path):
        options["LLVM_ENABLE_LLD"] = "ON"
    settings = [f"-D{name}={value}" for name, value in options.items()]
    return ["cmake", "-G", "Ninja", "-S", str(sources / "llvm"), "-B", str(build), *settings]


def parallel_links() -> int:
    """Return how many linkers fit in memory, or in the container's limit, side by side."""
    return max(1, min(os.cpu_count() or 1, int(usable_memory() / 2**30 / LINK_GIB)))


def available_libraries(build: Path) -> list[str]:
    """Return those of LIBRARIES that this LLVM has as targets."""
    command = ["ninja", "-C", str(build), "-t", "targets", "all"]
    result = subprocess.run(
        command, capture_output=True, text=True, check=False, env=tools_environment()
    )
    targets = {line.split(":")[0] for line in result.stdout.splitlines()}
    return [name for name in LIBRARIES if name in targets]


def run(command: list[str], purpose: str, look_at: Path | None) -> None:
    """Run a long step with its output shown; it ends with this process."""
    try:
        result = subprocess.run(
            command, check=False, env=tools_environment(), preexec_fn=ends_with_parent()
        )
    except FileNotFoundError:
        raise UserError(f"{purpose}: no program '{command[0]}'; install it") from None
    if result.returncode:
        hint = f"; look at {look_at}" if look_at else ""
        raise UserError(
            f"{purpose} failed (exit code {result.returncode}){hint}\n"
            f"  command: {' '.join(command)}\n  the same call goes on where it stopped"
        )

"""Is a toolchain what we need: its version, and the passes and options by their names in it."""

import os
import re
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from splyce_bench.errors import UserError
from splyce_bench.files import sha256_of
from splyce_bench.toolchain.model import OPTIONAL_TOOLS, REQUIRED_TOOLS, SUPPORTED, Found

# Names that changed between releases stand here, by major version, and nowhere else.
_PASSES = (
    "sparsification-and-bufferization",
    "sparse-storage-specifier-to-llvm",
    "sparsifier",
    "convert-scf-to-openmp",
    "convert-openmp-to-llvm",
    "convert-vector-to-llvm",
    "finalize-memref-to-llvm",
)
REQUIRED_PASSES: dict[int, tuple[str, ...]] = dict.fromkeys(SUPPORTED, _PASSES)


def missing_passes(names: Iterable[str], help_text: str) -> list[str]:
    """Return the names that `mlir-opt --help` does not list.

    A listed name begins its line and ends there: `--splyce-debug` is not `--splyce`, and a name
    in the middle of a description is not a pass.
    """
    listed = set(re.findall(r"^\s*--([\w-]+)", help_text, re.MULTILINE))
    return [name for name in names if name not in listed]


def version_of(mlir_opt: Path) -> str:
    """Return the version that mlir-opt prints; UserError when it is not a supported one."""
    text = _output([str(mlir_opt), "--version"])
    found = re.search(r"LLVM version (\d+)(\.[\w.]+)", text)
    wanted = f"{SUPPORTED[0]}..{SUPPORTED[-1]}"
    if not found:
        raise UserError(f"{mlir_opt} --version says no LLVM version; needs LLVM {wanted}")
    if int(found.group(1)) not in SUPPORTED:
        raise UserError(f"needs LLVM {wanted}, found {found.group(1)}{found.group(2)}: {mlir_opt}")
    return found.group(1) + found.group(2)


def check_passes(mlir_opt: Path, version: str) -> None:
    """Require every pass by the name it has in this version."""
    text = _output([str(mlir_opt), "--help"])
    wanted = REQUIRED_PASSES[int(version.split(".")[0])]
    missing = missing_passes(wanted, text)
    if missing:
        raise UserError(
            f"{mlir_opt} (LLVM {version}) has no --{', no --'.join(missing)}; "
            f"needs an unmodified LLVM {SUPPORTED[0]}..{SUPPORTED[-1]} with MLIR"
        )


def describe(found: Found) -> dict[str, Any]:
    """Check a toolchain and return the content of toolchain.json."""
    tools = {name: found.tool(name) for name in (*REQUIRED_TOOLS, *OPTIONAL_TOOLS)}
    present = {name: path for name, path in tools.items() if path is not None}
    mlir_opt = present["mlir-opt"]
    version = version_of(mlir_opt)
    check_passes(mlir_opt, version)
    return {
        "schema": 1,
        "provider": found.provider,
        "version": version,
        "major": int(version.split(".")[0]),
        "tools": {name: str(path) for name, path in present.items()},
        "mlir_dir": str(found.mlir_dir),
        "llvm_dir": str(found.llvm_dir),
        "openmp_library": _openmp(found),
        "rtti": "set(LLVM_ENABLE_RTTI ON)" in _cmake_text(found),
        "sha256": {name: sha256_of(path) for name, path in present.items()},
    }


def _cmake_text(found: Found) -> str:
    return (found.llvm_dir / "LLVMConfig.cmake").read_text(encoding="utf-8")


def _openmp(found: Found) -> str | None:
    """Return the OpenMP runtime: the toolchain's own, else the one of the package intel-openmp."""
    folders = [found.llvm / "lib", Path(sys.prefix) / "lib"]
    for folder in folders:
        for pattern in ("libomp.so*", "libomp-*/libomp.so*", "libiomp5.so"):
            if libraries := sorted(folder.glob(pattern)):
                return str(libraries[0])
    return None


def _output(command: list[str]) -> str:
    environment = {**os.environ, "LC_ALL": "C"}
    try:
        result = subprocess.run(
            command, capture_output=True, text=True, check=False, env=environment
        )
    except OSError as error:
        raise UserError(f"cannot run {command[0]}: {error.strerror}") from None
    if result.returncode:
        last = (result.stderr.strip().splitlines() or ["no message"])[-1]
        raise UserError(f"{' '.join(command)} failed: {last}")
    return result.stdout

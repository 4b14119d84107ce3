"""What running needs of a toolchain: its tools and the libraries they load, copied for an image.

Headers, archives and the tools that nothing calls stay behind, four fifths of the wheels. With the
rest kernels are compiled; the pass is not, so it has to be built before.
"""

import os
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

from splyce_bench.errors import UserError
from splyce_bench.files import read_json


def copy_runtime(toolchain: Path, users: list[Path], root: Path) -> None:
    """Copy the tools, and the libraries that they and `users` load, to the same places in `root`.

    `users` are programs and plugins from elsewhere. The system's own libraries are not copied.
    """
    record = read_json(toolchain)
    tools = [Path(tool) for tool in record["tools"].values()]
    files = {*tools, *_cmake_files(record)}
    for binary in [*tools, *users]:
        files |= {path for path in shared_libraries(binary) if _belongs(path, record)}
    for file in sorted(files):
        target = root / file.relative_to("/")
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(file, target)


def shared_libraries(binary: Path) -> set[Path]:
    """Return the paths of what the loader loads with a binary; UserError for what it misses."""
    command = ["ldd", str(binary)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode:
        raise UserError(f"{' '.join(command)} failed: {(result.stdout + result.stderr).strip()}")
    if missing := re.findall(r"(\S+) => not found", result.stdout):
        raise UserError(f"{binary}: its libraries {', '.join(missing)} are not found")
    found = re.findall(r"=> (/.+) \(0x", result.stdout)
    return {Path(os.path.normpath(path)) for path in found}


def _prefixes(record: dict[str, Any]) -> set[Path]:
    """Return the folders with bin/ and lib/, from <prefix>/lib/cmake/<name>."""
    return {Path(record[key]).parents[2] for key in ("mlir_dir", "llvm_dir")}


def _belongs(path: Path, record: dict[str, Any]) -> bool:
    return any(path.is_relative_to(prefix) for prefix in _prefixes(record))


def _cmake_files(record: dict[str, Any]) -> list[Path]:
    """Return the two files by which a toolchain is told to be whole."""
    return [
        Path(record["mlir_dir"]) / "MLIRConfig.cmake",
        Path(record["llvm_dir"]) / "LLVMConfig.cmake",
    ]

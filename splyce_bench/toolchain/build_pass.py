"""Build splyce_pass with CMake and Ninja, and make sure that what was built loads."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from splyce_bench.errors import UserError
from splyce_bench.files import atomic_folder, read_json, sha256_of, write_json
from splyce_bench.process import ends_with_parent
from splyce_bench.provenance import source_state
from splyce_bench.toolchain.environment import tools_environment
from splyce_bench.toolchain.plugin import check_plugin

PRODUCTS = ("bin/splyce-opt", "lib/SplycePlugin.so")
LAST_LINES = 20


def build_pass(toolchain: Path, source: Path, build: Path, out: Path) -> None:
    """Configure and build in `build`, then put the products and pass.json into `out`."""
    tools = read_json(toolchain)
    environment = tools_environment()
    _forget_moved(build)
    _step(configure(tools, source, build), "configuring the pass", environment)
    _step(["cmake", "--build", str(build)], "building the pass", environment)
    plugin = build / PRODUCTS[1]
    check_plugin(Path(tools["tools"]["mlir-opt"]), plugin, ["splyce"])
    with atomic_folder(out) as part:
        for product in PRODUCTS:
            (part / product).parent.mkdir(parents=True)
            shutil.copy2(build / product, part / product)
        record = {
            "toolchain": tools["version"],
            "source": source_state(source),
            "command": configure(tools, source, build),
            "sha256": {product: sha256_of(part / product) for product in PRODUCTS},
        }
        write_json(part / "pass.json", record)


def _forget_moved(build: Path) -> None:
    """Remove a build folder that was copied or moved, which CMake refuses."""
    cache = build / "CMakeCache.txt"
    if not cache.exists():
        return
    made = re.search(r"^CMAKE_CACHEFILE_DIR:INTERNAL=(.*)$", cache.read_text("utf-8"), re.M)
    if not made or Path(made[1]).resolve() != build.resolve():
        shutil.rmtree(build)


def configure(tools: dict[str, Any], source: Path, build: Path) -> list[str]:
    """Return the CMake call that configures the pass."""
    return [
        *("cmake", "-G", "Ninja", "-S", str(source), "-B", str(build)),
        "-DCMAKE_BUILD_TYPE=Release",
        f"-DMLIR_DIR={tools['mlir_dir']}",
        f"-DLLVM_DIR={tools['llvm_dir']}",
        f"-DCMAKE_CXX_COMPILER={cxx_compiler()}",
        f"-DPython3_EXECUTABLE={sys.executable}",
    ]


def cxx_compiler() -> str:
    """Return the C++ compiler: $CXX, else c++, g++ or clang++."""
    if chosen := os.environ.get("CXX"):
        if path := shutil.which(chosen):
            return path
        raise UserError(f"CXX={chosen} is no program on PATH; name one C++ compiler, or unset CXX")
    for name in ("c++", "g++", "clang++"):
        if path := shutil.which(name):
            return path
    raise UserError("no C++ compiler found (looked for $CXX, c++, g++, clang++); install g++")


def _step(command: list[str], purpose: str, environment: dict[str, str]) -> None:
    result = subprocess.run(
        command,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
        preexec_fn=ends_with_parent(),
    )
    print(result.stdout, flush=True)
    if result.returncode:
        last = "\n    ".join(result.stdout.strip().splitlines()[-LAST_LINES:])
        raise UserError(
            f"{purpose} failed (exit code {result.returncode})\n  command: {' '.join(command)}\n"
            f"  last lines:\n    {last}"
        )

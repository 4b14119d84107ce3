"""What the configuration asks of the toolchain stage, and the sources of the pass."""

from pathlib import Path
from typing import Any


def toolchain_arguments(toolchain: dict[str, Any]) -> list[str]:
    """Return the arguments of the toolchain stage that the configuration asks for."""
    arguments = ["--provider", toolchain["provider"], "--source-ref", toolchain["source"]["ref"]]
    if toolchain["prefix"]:
        arguments += ["--prefix", toolchain["prefix"]]
    if toolchain["source"]["tarball"]:
        arguments += ["--source-tarball", toolchain["source"]["tarball"]]
    return arguments


def pass_sources() -> list[str]:
    """Return the files that the pass is built from."""
    root = Path("splyce_pass")
    kinds = ("**/CMakeLists.txt", "**/*.cpp", "**/*.h", "**/*.td", "**/*.map")
    return sorted(str(p) for kind in kinds for p in root.glob(kind) if "test" not in p.parts)

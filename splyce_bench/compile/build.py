"""Compile one kernel with one pipeline: MLIR text to loops, transform, lowering, shared object.

Everything that decides the result goes into a key, which `kernel.json` records beside the object.
"""

import re
import shutil
import sysconfig
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from splyce_bench.compile import lowering
from splyce_bench.compile.commands import Step, c_compiler, run_step
from splyce_bench.compile.objects import disassemble, object_facts
from splyce_bench.compile.pipelines import Pipeline
from splyce_bench.compile.races import check_races
from splyce_bench.compile.reference import NoReferenceError, compile_reference, source_hashes
from splyce_bench.compile.stub import stub_source
from splyce_bench.errors import UserError
from splyce_bench.files import atomic_folder, key_of, sha256_of, write_json
from splyce_bench.kernels.catalog import Kernel
from splyce_bench.kernels.mlir_text import kernel_text
from splyce_bench.measure.host import cpu_flags, cpu_model, llvm_features

_LEFTOVER = re.compile(
    r'^\s*(?:%\S+ = )?"?((?!llvm\.|omp\.|module)[a-z_]+\.[a-z_.]+)"?[ (]', re.MULTILINE
)

# Extensions that decide what a pass makes of a loop.
ASKED_FOR = ("avx2", "avx512f", "avx512vl", "avx512vp2intersect", "sve")


class UnsupportedError(UserError):
    """The sparsifier of this LLVM cannot compile a kernel with its formats."""


@dataclass(frozen=True)
class Settings:
    """The configured flags that pipelines share."""

    cpu: str
    opt_flags: tuple[str, ...]
    llc_flags: tuple[str, ...]
    cc: str = "cc"


@dataclass(frozen=True)
class Build:
    """One compilation: a kernel, a pipeline, and the tools."""

    kernel: Kernel
    pipeline: Pipeline
    parallel: bool
    toolchain: dict[str, Any]
    plugin: Path
    settings: Settings

    def tool(self, name: str) -> str:
        """Return the path of a tool of the toolchain."""
        return str(self.toolchain["tools"][name])

    def plugin_paths(self) -> list[Path]:
        """Return the plugins to load, `splyce` standing for ours."""
        return [self.plugin if p == "splyce" else Path(p) for p in self.pipeline.plugins]

    def inputs(self) -> dict[str, Any]:
        """Return everything that decides the object, as a JSON value."""
        return {
            "kernel": self.kernel.to_json(),
            "pipeline": self.pipeline.to_json(),
            "parallel": self.parallel,
            "toolchain": self.toolchain["sha256"],
            "plugins": [sha256_of(path) for path in self.plugin_paths()],
            "settings": vars(self.settings),
            **({"sources": source_hashes(self.pipeline)} if self.pipeline.source else {}),
        }


def build_kernel(build: Build, folder: Path, log: Path) -> dict[str, Any]:
    """Compile into `folder` (every stage's file, kernel.so, kernel.json) and return kernel.json.

    When a step fails, what was made so far stays in `<folder>.failed` for reproduction. A kernel
    that this LLVM does not support, or that has no reference by hand, costs its cells only:
    kernel.json then says why.
    """
    failed = folder.with_name(f"{folder.name}.failed")
    shutil.rmtree(failed, ignore_errors=True)
    failed.mkdir(parents=True)
    log.parent.mkdir(parents=True, exist_ok=True)
    log.write_text("", encoding="utf-8")
    make = _compile_reference if build.pipeline.source else _compile
    try:
        record = make(build, failed, log)
    except UnsupportedError as error:
        record = {"schema": 1, **build.inputs(), "unsupported": str(error), "rewritten": 0}
    except NoReferenceError as error:
        record = {"schema": 1, **build.inputs(), "not_available": str(error), "rewritten": 0}
    write_json(failed / "kernel.json", record)
    with atomic_folder(folder) as part:
        part.rmdir()
        failed.rename(part)
    return record


def _compile(build: Build, folder: Path, log: Path) -> dict[str, Any]:
    text = kernel_text(build.kernel, told_features(build))
    (folder / "kernel.mlir").write_text(text, encoding="utf-8")
    rewritten = _to_llvm_dialect(build, folder, log)
    if build.parallel:
        check_races(build.kernel, folder / "loops.mlir")
    _to_object(build, folder, log)
    _link(build, folder, log)
    record = _record(build, folder, rewritten)
    _check_parallel(build, record["object"])
    return record


def _compile_reference(build: Build, folder: Path, log: Path) -> dict[str, Any]:
    compile_reference(build.kernel, build.pipeline, build.parallel, folder, log)
    return _record(build, folder, 0)


def _record(build: Build, folder: Path, rewritten: int) -> dict[str, Any]:
    facts = object_facts(disassemble(build.tool("llvm-objdump"), folder / "kernel.o"))
    return {
        "schema": 1,
        "key": key_of(build.inputs()),
        **build.inputs(),
        **_native_cpu(build),
        "rewritten": rewritten,
        "object": facts,
        "sha256": {
            name: sha256_of(folder / name)
            for name in ("loops.mlir", "transformed.mlir", "kernel.o", "kernel.so")
            if (folder / name).exists()
        },
    }


def _native_cpu(build: Build) -> dict[str, str]:
    """Name the processor that `native` meant, for clusters where another one may measure."""
    return {"native_cpu": cpu_model()} if _is_native(build) else {}


def _is_native(build: Build) -> bool:
    return (build.pipeline.cpu or build.settings.cpu) == "native"


def told_features(build: Build) -> str:
    """What passes may ask for: the pipeline's features, and this processor's if code is for it."""
    told = [name for name in build.pipeline.features.split(",") if name]
    if build.pipeline.transform and _is_native(build):
        had, said = llvm_features(cpu_flags()), {name[1:] for name in told}
        told += [f"+{name}" for name in ASKED_FOR if name in had and name not in said]
    return ",".join(told)


def _to_llvm_dialect(build: Build, folder: Path, log: Path) -> int:
    llvm = folder / "llvm.mlir"
    if build.pipeline.frontend == "oneshot":
        passes, rewritten = lowering.oneshot(build.parallel), 0
        _sparsify(build, folder / "kernel.mlir", passes, llvm, log)
    else:
        rewritten = _transform(build, folder, log)
        source, passes = folder / "transformed.mlir", lowering.to_llvm(build.parallel)
        _mlir_opt(build, "lowering to LLVM", source, passes, llvm, log)
    _check_lowered(llvm)
    return rewritten


def _transform(build: Build, folder: Path, log: Path) -> int:
    loops, transformed = folder / "loops.mlir", folder / "transformed.mlir"
    passes = lowering.to_loops(build.parallel)
    _sparsify(build, folder / "kernel.mlir", passes, loops, log)
    if not build.pipeline.transform:
        shutil.copyfile(loops, transformed)
        return 0
    passes = ",".join(build.pipeline.transform)
    plugins = [f"--load-pass-plugin={path}" for path in build.plugin_paths()]
    purpose = f"transform '{passes}' of pipeline {build.pipeline.name} on {build.kernel.name}"
    messages = _mlir_opt(build, purpose, loops, passes, transformed, log, plugins)
    rewritten = len(re.findall(r"\bremark: ", messages))
    _check_rewrites(build, rewritten, loops, transformed)
    return rewritten


def _sparsify(build: Build, source: Path, passes: str, target: Path, log: Path) -> None:
    """Run LLVM's own passes on our text: what fails here, this LLVM does not support."""
    try:
        _mlir_opt(build, f"sparsification of {build.kernel.name}", source, passes, target, log)
    except UserError as error:
        raise UnsupportedError(str(error)) from None


def _mlir_opt(
    build: Build,
    purpose: str,
    source: Path,
    passes: str,
    target: Path,
    log: Path,
    extra: list[str] | None = None,
) -> str:
    command = [build.tool("mlir-opt"), *(extra or []), f"--pass-pipeline=builtin.module({passes})"]
    return run_step(Step(purpose, [*command, str(source), "-o", str(target)], source), log)


def _check_rewrites(build: Build, rewritten: int, loops: Path, transformed: Path) -> None:
    wanted = build.pipeline.rewrites_in(build.kernel.name)
    if wanted is None or wanted == 0 == rewritten:
        return
    changed = loops.read_bytes() != transformed.read_bytes()
    if not changed or (wanted != "changed" and rewritten != wanted):
        found = f"{rewritten} rewritten, IR {'changed' if changed else 'unchanged'}"
        raise UserError(
            f"pipeline {build.pipeline.name} did not do its work on kernel {build.kernel.name}: "
            f"expected rewrites: {wanted}, found {found}\n"
            f"  compare {loops} and {transformed}; `rewrites` in config/pipelines.yaml says how "
            "many `remark:` lines the transform must print"
        )


def _check_lowered(path: Path) -> None:
    left = sorted(set(_LEFTOVER.findall(path.read_text(encoding="utf-8"))))
    if left:
        raise UserError(
            f"{path}: operations left over after lowering to LLVM: {', '.join(left)}; "
            "add the pass that converts this dialect to splyce_bench/compile/lowering.py, "
            "or make the transform emit operations that it covers"
        )


def _to_object(build: Build, folder: Path, log: Path) -> None:
    flags = [f"-mcpu={build.pipeline.cpu or build.settings.cpu}"]
    if build.pipeline.features:
        flags.append(f"-mattr={build.pipeline.features}")
    flags.append("-mtriple=" + _triple())
    opt_flags = build.settings.opt_flags
    if build.pipeline.opt_flags is not None:
        opt_flags = build.pipeline.opt_flags
    for purpose, tool, options, source, target in (
        (
            "translation to LLVM IR",
            "mlir-translate",
            ["--mlir-to-llvmir"],
            "llvm.mlir",
            "kernel.ll",
        ),
        ("optimization", "opt", [*opt_flags, *flags, "-S"], "kernel.ll", "kernel.opt.ll"),
        (
            "code generation",
            "llc",
            [*build.settings.llc_flags, *flags, "-relocation-model=pic", "-filetype=obj"],
            "kernel.opt.ll",
            "kernel.o",
        ),
    ):
        command = [build.tool(tool), *options, str(folder / source), "-o", str(folder / target)]
        run_step(Step(f"{purpose} of {build.kernel.name}", command, folder / source), log)


def _triple() -> str:
    machine = sysconfig.get_platform().rsplit("-", 1)[-1]
    return f"{machine}-unknown-linux-gnu"


def _link(build: Build, folder: Path, log: Path) -> None:
    stub = folder / "call.c"
    stub.write_text(stub_source(build.kernel), encoding="utf-8")
    command = [c_compiler(), "-shared", "-fPIC", "-O2", str(stub), str(folder / "kernel.o")]
    command += ["-o", str(folder / "kernel.so")]
    if build.parallel:
        command += _openmp_flags(build.toolchain)
    run_step(Step(f"linking {build.kernel.name}", command, folder / "kernel.o"), log)


def _openmp_flags(toolchain: dict[str, Any]) -> list[str]:
    library = toolchain.get("openmp_library")
    if not library:
        raise UserError(
            "a parallel kernel needs libomp or libiomp5 and the toolchain has none; "
            "install libomp-dev or the Python package intel-openmp"
        )
    return [str(library), f"-Wl,-rpath,{Path(library).parent}"]


def _check_parallel(build: Build, facts: dict[str, int]) -> None:
    if build.parallel and not facts["openmp_calls"]:
        raise UserError(
            f"kernel {build.kernel.name} with pipeline {build.pipeline.name}: no parallel region "
            "in the object file (no __kmpc call); it would run on one core"
        )

"""From MLIR text to a shared object, by the pass lists of the workflow."""

import subprocess
from pathlib import Path
from typing import Any

from splyce_bench.compile import lowering

_OPT = ("-O3", "--vectorize-loops=false", "--vectorize-slp=false")
_LLC = ("-O3", "-relocation-model=pic", "-filetype=obj")


def run(*command: str | Path) -> subprocess.CompletedProcess[str]:
    """Run a tool; on failure say which, with what it printed."""
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(map(str, command))}\n{done.stderr[-4000:]}"
    return done


def build(
    text: Path,
    name: str,
    transform: list[str],
    toolchain: dict[str, Any],
    pass_dir: Path,
    target: tuple[str, ...] = ("-mcpu=native",),
    sources: tuple[Path, ...] = (),
) -> tuple[Path, str]:
    """Compile a module; return the shared object and what the passes remarked.

    `sources` in C are linked with it.
    """
    object_, remarks = build_object(text, name, transform, toolchain, pass_dir, target)
    library = object_.with_suffix(".so")
    run("cc", "-shared", "-fPIC", "-o", library, object_, *sources)
    return library, remarks


def build_object(
    text: Path,
    name: str,
    transform: list[str],
    toolchain: dict[str, Any],
    pass_dir: Path,
    target: tuple[str, ...],
) -> tuple[Path, str]:
    """Compile a module for a target, in flags of opt and llc; return the object and the remarks."""
    tools, stem = toolchain["tools"], text.with_name(name)
    passes = ",".join((lowering.to_loops(False), *transform, lowering.to_llvm(False)))
    plugin = f"--load-pass-plugin={pass_dir / 'lib' / 'SplycePlugin.so'}"
    lowered, llvm, optimized, object_ = (
        stem.with_suffix(suffix) for suffix in (".llvm.mlir", ".ll", ".opt.ll", ".o")
    )
    command = (tools["mlir-opt"], text, plugin, f"--pass-pipeline=builtin.module({passes})")
    remarks = run(*command, "-o", lowered).stderr
    run(tools["mlir-translate"], "--mlir-to-llvmir", lowered, "-o", llvm)
    run(tools["opt"], *_OPT, *target, llvm, "-S", "-o", optimized)
    run(tools["llc"], *_LLC, *target, optimized, "-o", object_)
    return object_, remarks

"""Compile a reference by hand: C files to the shared object that a compiled kernel would be."""

from pathlib import Path

from splyce_bench.compile.commands import Step, c_compiler, run_step
from splyce_bench.compile.pipelines import Pipeline
from splyce_bench.errors import UserError
from splyce_bench.files import sha256_of
from splyce_bench.kernels.as_published import is_as_published
from splyce_bench.kernels.catalog import Kernel

# As on the compiler's side, no multiply-add may be fused. Wide vectors are chosen at run time.
FLAGS = ["-std=gnu11", "-O3", "-fPIC", "-ffp-contract=off", "-Wall", "-Wextra", "-Werror"]


class NoReferenceError(UserError):
    """A kernel that nobody has written by hand, or not in this form."""


def compile_reference(
    kernel: Kernel, pipeline: Pipeline, parallel: bool, folder: Path, log: Path
) -> None:
    """Write kernel.o and kernel.so; NoReferenceError where there is no source for the kernel."""
    *included, source = pipeline.source_files(kernel.name)
    if not Path(source).exists():
        raise NoReferenceError(f"no reference by hand for {kernel.name} (no file {source})")
    if not is_as_published(kernel):
        raise NoReferenceError(
            f"{source} is written for the expression and formats of the paper's {kernel.name}"
        )
    if parallel:
        raise NoReferenceError("references by hand run on one core")
    headers = [part for path in included for part in ("-include", path)]
    target = folder / "kernel.o"
    purpose = f"reference {pipeline.name} of {kernel.name}"
    compile = [c_compiler(), *FLAGS, *headers, "-c", source, "-o", str(target)]
    run_step(Step(purpose, compile, Path(source)), log)
    link = [c_compiler(), "-shared", str(target), "-o", str(folder / "kernel.so")]
    run_step(Step(f"linking {purpose}", link, target), log)


def source_hashes(pipeline: Pipeline) -> dict[str, str]:
    """Return the SHA-256 of every file that a reference may be made of."""
    return {str(path): sha256_of(path) for path in pipeline.source_tree()}

"""Kernels with and without the pass: the same result, bit for bit where promised.

SPLYCE_FUZZ_CASES sets the number of random cases and SPLYCE_FUZZ_SEED draws others; a failure
names its cases, and the IR stays in the test's temporary folder.
"""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from compiling import build
from fuzz_cases import WIDTHS, mlir_of
from fuzz_grid import PARTS
from fuzz_selection import WITHOUT, select

from splyce_bench.compile.objects import disassemble
from splyce_bench.measure.host import cpu_flags

COUNT = int(os.environ.get("SPLYCE_FUZZ_CASES", "48"))
SEED = int(os.environ.get("SPLYCE_FUZZ_SEED", "0"))
MODULES = {"as-emitted": [], "canonicalized": ["canonicalize", "cse"]}
REMARK = "vectorized two-finger loop"
JAMMED = "unroll-and-jam 2"
AVX2 = ("-mcpu=x86-64-v3",)

Tools = tuple[dict[str, Any], Path]


@pytest.fixture
def tools(toolchain: dict[str, Any], pass_dir: Path) -> Tools:
    return toolchain, pass_dir


@pytest.mark.parametrize("first", range(len(MODULES)), ids=list(MODULES))
def test_lanes_give_the_result_of_the_scalar_loop(first: int, tmp_path: Path, tools: Tools) -> None:
    selection = f"random:{COUNT}:{SEED}:{first}:{len(MODULES)}"
    _check(selection, list(MODULES.values())[first], tmp_path, tools)


@pytest.mark.parametrize("part", PARTS)
def test_every_lane_on_every_length(part: str, tmp_path: Path, tools: Tools) -> None:
    _check(f"grid:{part}", MODULES["canonicalized"], tmp_path, tools)


def test_sums_of_more_than_a_buffer(tmp_path: Path, tools: Tools) -> None:
    _check("long", MODULES["canonicalized"], tmp_path, tools)


@pytest.mark.parametrize("width", WIDTHS)
def test_jammed_lanes_have_the_bits_of_the_lane_alone(
    width: int, tmp_path: Path, tools: Tools
) -> None:
    _check(f"jammed:{width}", MODULES["canonicalized"], tmp_path, tools)


@pytest.mark.skipif("avx2" not in cpu_flags(), reason="this processor has no AVX2")
@pytest.mark.parametrize("selection", [f"random:{COUNT}:{SEED}:0:2", "grid:masked-4"])
def test_lanes_without_masks_or_512_bits(selection: str, tmp_path: Path, tools: Tools) -> None:
    _check(selection + WITHOUT, MODULES["canonicalized"], tmp_path, tools, AVX2)
    text = disassemble(tools[0]["tools"]["llvm-objdump"], tmp_path / "lanes.o")
    assert "%ymm" in text
    assert "%zmm" not in text
    assert "%k" not in text


def _check(
    selection: str,
    prepare: list[str],
    folder: Path,
    tools: Tools,
    target: tuple[str, ...] = ("-mcpu=native",),
) -> None:
    """Compile the cases and what they are compared with, and run them in a worker."""
    cases = select(selection)
    reference, text = folder / "reference.mlir", folder / "kernels.mlir"
    functions = {c.reference_name: mlir_of(c, c.reference_name) for c in cases}
    reference.write_text("".join(functions.values()))
    text.write_text("".join(map(mlir_of, cases)))
    lanes = [f"splyce{{{case.options}}}" for case in cases]
    alone = [f"splyce{{{case.reference_options}}}" for case in cases if case.reference_options]
    baseline, _ = build(reference, "baseline", [*prepare, *alone], *tools, target)
    rewritten, remarks = build(text, "lanes", [*prepare, *lanes], *tools, target)
    assert remarks.count(REMARK) == len(cases), "a kernel has no lane, so nothing is tested"
    jammed = sum(case.beside_unjammed for case in cases)
    assert remarks.count(JAMMED) >= jammed, "a lane is not jammed, so nothing is tested"
    _run_worker([str(baseline), str(rewritten), selection], folder)


def _run_worker(arguments: list[str], kept: Path) -> None:
    worker = Path(__file__).with_name("fuzz_worker.py")
    command = [sys.executable, str(worker), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    again = f"SPLYCE_FUZZ_CASES={COUNT} SPLYCE_FUZZ_SEED={SEED}, IR in {kept}"
    failures = [line for line in done.stdout.splitlines() if line.startswith("FAIL")]
    assert not failures, "\n".join([again, *failures])
    last = done.stdout.splitlines()[-1:]
    assert done.returncode == 0, f"{again}\nended with {done.returncode} in {last}\n{done.stderr}"

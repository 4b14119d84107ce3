"""Random kernels with and without the pass: the same result, bit for bit where promised.

SPLYCE_FUZZ_CASES sets the number of cases and SPLYCE_FUZZ_SEED draws others; a failure prints
both, and the IR stays in the test's temporary folder.
"""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from compiling import build
from fuzz_cases import make_cases, mlir_of

COUNT = int(os.environ.get("SPLYCE_FUZZ_CASES", "48"))
SEED = int(os.environ.get("SPLYCE_FUZZ_SEED", "0"))
MODULES = {"as-emitted": [], "canonicalized": ["canonicalize", "cse"]}
REMARK = "vectorized two-finger loop"


@pytest.mark.parametrize("first", range(len(MODULES)), ids=list(MODULES))
def test_lanes_give_the_result_of_the_scalar_loop(
    first: int, tmp_path: Path, toolchain: dict[str, Any], pass_dir: Path
) -> None:
    cases = make_cases(COUNT, SEED)[first :: len(MODULES)]
    text = tmp_path / "kernels.mlir"
    text.write_text("".join(map(mlir_of, cases)))
    prepare = list(MODULES.values())[first]
    lanes = [f"splyce{{{case.options}}}" for case in cases]
    baseline, _ = build(text, "baseline", prepare, toolchain, pass_dir)
    rewritten, remarks = build(text, "lanes", [*prepare, *lanes], toolchain, pass_dir)
    assert remarks.count(REMARK) == len(cases), "a kernel has no fast lane, so nothing is tested"
    arguments = [baseline, rewritten, COUNT, SEED, first, len(MODULES)]
    _run_worker([str(argument) for argument in arguments], tmp_path)


def _run_worker(arguments: list[str], kept: Path) -> None:
    worker = Path(__file__).with_name("fuzz_worker.py")
    command = [sys.executable, str(worker), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    again = f"SPLYCE_FUZZ_CASES={COUNT} SPLYCE_FUZZ_SEED={SEED}, IR in {kept}"
    failures = [line for line in done.stdout.splitlines() if line.startswith("FAIL")]
    assert not failures, "\n".join([again, *failures])
    last = done.stdout.splitlines()[-1:]
    assert done.returncode == 0, f"{again}\nended with {done.returncode} in {last}\n{done.stderr}"

"""Kernels cross-compiled for AArch64 and run by qemu, where both tools are installed."""

import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from compiling import build_object, run
from fuzz_calls import encode
from fuzz_cases import mlir_of
from fuzz_check import compare
from fuzz_selection import WITHOUT, problems_of, select

CC, QEMU = "aarch64-linux-gnu-gcc", "qemu-aarch64"
TRIPLE = "-mtriple=aarch64-linux-gnu"
# SVE registers of any length from 256 bits; qemu's have 512.
TARGETS = {
    "neon": (TRIPLE, "-mcpu=generic"),
    "sve": (TRIPLE, "-mattr=+sve", "-aarch64-sve-vector-bits-min=256"),
}
RUNNER = Path(__file__).with_name("cross_runner.c")


@pytest.fixture(autouse=True)
def needs_the_tools(toolchain: dict[str, Any]) -> None:
    for tool in (CC, QEMU):
        if not shutil.which(tool):
            pytest.skip(f"no {tool}: apt-get install qemu-user gcc-aarch64-linux-gnu")
    llc = [toolchain["tools"]["llc"], "--version"]
    targets = subprocess.run(llc, capture_output=True, text=True, check=True).stdout
    if "aarch64" not in targets:
        # The pinned wheels have it: with them a skip would hide that it is gone.
        assert toolchain["provider"] != "wheels", targets
        pytest.skip(f"{llc[0]} was built without AArch64")


def _executable(folder: Path, name: str, functions: list[str], object_: Path) -> Path:
    table = folder / f"{name}.c"
    declared = "".join(f"struct returned {f}();\n" for f in functions)
    text = f"struct returned;\n{declared}struct returned (*const kernels[])() = {{"
    table.write_text(text + ", ".join(functions) + "};\n")
    run(CC, "-O1", "-std=gnu11", "-static", "-o", folder / name, RUNNER, table, object_)
    return folder / name


@pytest.mark.parametrize("target", list(TARGETS))
@pytest.mark.parametrize("selection", ["random:36:0:0:1", "grid:workspace-4"])
def test_lanes_give_the_result_of_the_scalar_loop(
    target: str, selection: str, tmp_path: Path, toolchain: dict[str, Any], pass_dir: Path
) -> None:
    cases = select(selection + WITHOUT)
    text, scalar = tmp_path / "kernels.mlir", tmp_path / "scalar.mlir"
    text.write_text("".join(map(mlir_of, cases)))
    scalar.write_text(
        "".join({c.reference_name: mlir_of(c, c.reference_name) for c in cases}.values())
    )
    tools = (toolchain, pass_dir, TARGETS[target])
    lanes = [f"splyce{{{case.options}}}" for case in cases]
    with_lanes, _ = build_object(text, "with_lanes", ["canonicalize", "cse", *lanes], *tools)
    baseline, _ = build_object(scalar, "baseline", ["canonicalize", "cse"], *tools)
    calls = [
        (number, case, problem, at_start)
        for number, case in enumerate(cases)
        for problem in problems_of(case)
        for at_start in (False, True)
    ]
    stream = b"".join(encode(*call) for call in calls)
    outputs = []
    for name, functions, object_ in (
        ("scalar", [c.reference_name for c in cases], baseline),
        ("lanes", [c.name for c in cases], with_lanes),
    ):
        command = [QEMU, "-cpu", "max", str(_executable(tmp_path, name, functions, object_))]
        done = subprocess.run(command, input=stream, capture_output=True, check=False)
        assert done.returncode == 0, f"{name}: {done.returncode} {done.stderr.decode()}"
        outputs.append(memoryview(done.stdout))
    for _, case, problem, _ in calls:
        size, shape = problem.output.nbytes, problem.output.shape
        expected, found = (
            np.frombuffer(output[:size], problem.output.dtype).reshape(shape) for output in outputs
        )
        outputs = [output[size:] for output in outputs]
        assert not compare(case, problem, expected, found), f"{case.name} {case.options}"
    assert not any(map(len, outputs))

"""Compiled kernels called again and again: other inputs in one process, and flat memory."""

import os
import subprocess
import sys

import numpy as np
import pytest

from splyce_bench.measure.calls import make_call, output_type
from splyce_bench.measure.check import compare
from splyce_bench.measure.oracle import expected_result
from splyce_bench.measure.runtime import Runtime, load_kernel

KERNELS = ("spgemm", "spmspv", "spmttkrp", "spmmh", "spttspm")


@pytest.mark.parametrize("pipeline", ["baseline", "config5", "auto"])
@pytest.mark.parametrize("name", KERNELS)
def test_other_inputs_in_one_process(plan, compiled, runtime, make_operands, name, pipeline):
    """A buffer that keeps what an earlier call wrote shows in a later one (llvm#218091)."""
    kernel, function = plan.kernels[name], load_kernel(compiled(name, pipeline))
    timer, memory = Runtime(runtime), np.full(60 * 40 * 50, np.nan, output_type(kernel))
    # Large, empty of matches, small, and large again, all into the same memory.
    for seed, (density, size) in enumerate([(30, 20), (1, 12), (60, 3), (30, 20)]):
        sizes = dict.fromkeys(kernel.assignment.indices, size)
        operands = make_operands(kernel, f"in{seed}", seed % 3, density, sizes)
        call = make_call(kernel, operands, memory)
        for _ in range(3):
            timer.sample(function, call, 1)
            assert compare(call.output, *expected_result(kernel, operands))["ok"]


MANY_CALLS = """
import resource, sys
import numpy as np
from pathlib import Path
from splyce_bench.inputs.storage import open_tensor
from splyce_bench.kernels.catalog import load_kernels
from splyce_bench.measure.calls import make_call
from splyce_bench.measure.runtime import Runtime, load_kernel

name, root, folder, runtime, library = sys.argv[1:]
kernel = load_kernels(Path(root) / "config" / "kernels.yaml")[name]
operands = {a.tensor: open_tensor(Path(folder) / a.tensor) for a in kernel.operands}
call, timer = make_call(kernel, operands), Runtime(Path(runtime))
function = load_kernel(Path(library))
resource.setrlimit(resource.RLIMIT_AS, (512 << 20, 512 << 20))
def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()
for _ in range(500):
    timer.sample(function, call, 1)
before, first = resident(), call.output.copy()
for _ in range(10_000):
    timer.sample(function, call, 1)
assert np.array_equal(first, call.output)
print(resident() - before)
"""


@pytest.mark.parametrize("pipeline", ["baseline", "config5", "auto"])
@pytest.mark.parametrize("name", KERNELS)
def test_memory_is_flat_over_ten_thousand_calls(
    plan, root, compiled, runtime, make_operands, tmp_path, name, pipeline
):
    """Below 512 MB; neither a leak nor a double free of the operands (llvm#85729)."""
    sizes = dict.fromkeys("ijklr", 6)
    make_operands(plan.kernels[name], sizes=sizes)
    arguments = [name, root, tmp_path / "in", runtime, compiled(name, pipeline)]
    result = subprocess.run(
        [sys.executable, "-c", MANY_CALLS, *map(str, arguments)],
        env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr[-2000:]
    assert int(result.stdout) < 1 << 20

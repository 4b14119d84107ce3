"""The outermost loop in parallel: the bits of one thread, and really more than one of them."""

import os
from pathlib import Path

import numpy as np
import pytest

from splyce_bench.errors import UserError
from splyce_bench.kernels.catalog import make_kernel
from splyce_bench.measure.oracle import expected_result
from splyce_bench.measure.session import Session

KERNELS = ("spgemm", "spmspv", "spmttkrp", "spmmh", "spttspm")


def checks(plan, name, cpus, objects, folder, runtime, output):
    """Check each object in a process pinned to some processors."""
    entry = {"name": name, **plan.kernel_entries[name]}
    load = {"do": "load", "cpus": cpus, "kernel": entry, "input": str(folder / "in")}
    load |= {"runtime": str(runtime), "objects": {n: str(path) for n, path in objects.items()}}
    load |= {"panels": [[0, output.shape[0]]], "output_bytes": output.nbytes}
    with Session(cpus) as session:
        session.ask(load, 60)
        command = {"do": "check", "panel": 0, "oracle": str(folder)}
        return {n: session.ask({**command, "pipeline": n}, 60) for n in objects}


@pytest.mark.parametrize("name", KERNELS)
def test_two_threads_give_the_bits_of_one(plan, compiled, runtime, make_operands, tmp_path, name):
    allowed = sorted(os.sched_getaffinity(0))
    if len(allowed) < 2:
        pytest.skip("two threads need two processors")
    kernel = plan.kernels[name]
    expected, bound = expected_result(kernel, make_operands(kernel))
    np.save(tmp_path / "expected.npy", expected)
    np.save(tmp_path / "bound.npy", bound)

    def checked(cpus):
        names = ("baseline", "config5", "auto")
        objects: dict[str, Path] = {n: compiled(name, n, len(cpus) > 1) for n in names}
        return checks(plan, name, cpus, objects, tmp_path, runtime, expected)

    one, two = checked(allowed[:1]), checked(allowed[:2])
    for pipeline, found in two.items():
        assert found["ok"], found["message"]
        assert found["checksum"] == one[pipeline]["checksum"]
        assert found["threads"]["count"] == 2
        assert one[pipeline]["threads"]["count"] == 1


def test_a_parallel_loop_over_a_summed_index_is_refused(compiled, plan, monkeypatch):
    """With the summed k outermost the sparsifier makes it parallel: its threads race for A."""
    entry = {**plan.kernel_entries["spmmh"], "loops": ["k", "j", "i"]}
    monkeypatch.setitem(plan.kernels, "summed", make_kernel("summed", entry, "test"))
    with pytest.raises(UserError, match=r"kernel summed: .* over a summed index"):
        compiled("summed", "baseline", parallel=True)

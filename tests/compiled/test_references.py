"""References by hand against the oracle, and against the sparsifier's own bits."""

import ctypes
import shutil
import subprocess

import numpy as np
import pytest

from splyce_bench.compile import reference
from splyce_bench.measure.calls import make_call
from splyce_bench.measure.check import compare
from splyce_bench.measure.oracle import expected_result
from splyce_bench.measure.runtime import load_kernel

KERNELS = ("spgemm", "spmspv", "spmttkrp")
REFERENCES = ("ref-masked", "ref-workspace", "ref-workspace-4")
# Segments from none to several blocks of 8, whole blocks among them.
SHAPES = [(100, 8), (100, 16), (100, 3), (40, 60), (10, 50), (1, 40), (60, 1)]


@pytest.fixture(scope="session")
def by_hand(plan, tmp_path_factory):
    """Return the shared object of a reference; `flags` are more flags of the compiler."""
    root, made = tmp_path_factory.mktemp("by_hand"), {}

    def make(kernel, pipeline, flags=()):
        place = (kernel, pipeline, *flags)
        if place not in made:
            folder = root / "-".join(place)
            folder.mkdir()
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(reference, "FLAGS", [*reference.FLAGS, *flags])
                choice = plan.kernels[kernel], plan.pipelines[pipeline], False
                reference.compile_reference(*choice, folder, folder / "log")
            made[place] = folder / "kernel.so"
        return made[place]

    return make


def result(kernel, operands, path, start=0.0):
    call = make_call(kernel, operands)
    call.output[...] = start
    load_kernel(path)(ctypes.c_void_p(call.words.ctypes.data))
    return call.output


def check(kernel, operands, path):
    verdict = compare(result(kernel, operands, path), *expected_result(kernel, operands))
    assert verdict["ok"], verdict["message"]


@pytest.mark.parametrize("flags", [(), ("-DPORTABLE",)])
@pytest.mark.parametrize("pipeline", REFERENCES)
@pytest.mark.parametrize("name", KERNELS)
def test_every_reference_computes_the_kernel(plan, by_hand, make_operands, name, pipeline, flags):
    """PORTABLE is what a processor without AVX-512 runs."""
    kernel, path = plan.kernels[name], by_hand(name, pipeline, flags)
    for seed, (density, size) in enumerate(SHAPES):
        sizes = dict(zip(kernel.assignment.indices, (7, size, 9, size), strict=False))
        operands = make_operands(kernel, f"in{seed}", seed, density, sizes)
        check(kernel, operands, path)


def test_the_portable_object_has_no_wide_register(by_hand):
    objdump = shutil.which("objdump")
    if not objdump:
        pytest.skip("no objdump on this machine")

    def wide(path):
        command = [objdump, "-d", str(path)]
        return "%zmm" in subprocess.run(command, capture_output=True, text=True, check=True).stdout

    assert not wide(by_hand("spgemm", "ref-masked", ("-DPORTABLE",)))


@pytest.mark.parametrize("name", KERNELS)
def test_one_accumulator_has_the_bits_of_the_sparsifier(
    plan, by_hand, compiled, make_operands, name
):
    kernel = plan.kernels[name]
    operands = make_operands(kernel, density_pct=40.0)
    paths = by_hand(name, "ref-workspace"), compiled(name, "baseline")
    for start in (0.0, -0.0, 3.0):
        one, two = (result(kernel, operands, path, start) for path in paths)
        assert np.array_equal(one.view(np.uint64), two.view(np.uint64))


@pytest.mark.parametrize("pipeline", REFERENCES)
@pytest.mark.parametrize("special", [np.inf, np.nan, -0.0])
def test_what_meets_no_partner_reaches_no_result(plan, by_hand, make_operands, pipeline, special):
    """Every element of B whose column x does not store is special."""
    kernel = plan.kernels["spmspv"]
    operands = make_operands(kernel, density_pct=40.0)
    values = np.array(operands["B"].values)
    lonely = ~np.isin(operands["B"].coordinates[1], operands["x"].coordinates[0])
    values[lonely] = special
    operands["B"].values = values
    assert lonely.any()
    check(kernel, operands, by_hand("spmspv", pipeline))

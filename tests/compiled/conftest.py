"""The paper's kernels compiled as the workflow does, once for all tests of the folder."""

import pytest

from splyce_bench.compile.build import Build, Settings, build_kernel
from splyce_bench.inputs.recipe import build_input
from splyce_bench.inputs.storage import open_tensor
from splyce_bench.measure.runtime import build_runtime

KERNELS = ("spgemm", "spmspv", "spmttkrp", "spmmh", "spttspm")
PIPELINES = ("baseline", "config5")
SIZES = {"i": 60, "j": 40, "k": 50, "l": 30, "r": 20}


@pytest.fixture(scope="session")
def runtime(tmp_path_factory):
    path = tmp_path_factory.mktemp("runtime") / "runtime.so"
    build_runtime(path)
    return path


@pytest.fixture(scope="session")
def compiled(plan, toolchain, pass_dir, tmp_path_factory):
    """Return the shared object of a kernel and pipeline."""
    root, made = tmp_path_factory.mktemp("compiled"), {}
    config = plan.config["compile"]
    settings = Settings(config["cpu"], tuple(config["opt_flags"]), tuple(config["llc_flags"]))
    plugin = pass_dir / "lib" / "SplycePlugin.so"

    def make(kernel, pipeline, parallel=False):
        folder = root / kernel / pipeline / ("parallel" if parallel else "serial")
        if folder not in made:
            choice = (plan.kernels[kernel], plan.pipelines[pipeline], parallel)
            build_kernel(Build(*choice, toolchain, plugin, settings), folder, root / "log")
            made[folder] = folder / "kernel.so"
        return made[folder]

    return make


@pytest.fixture
def make_operands(tmp_path):
    """Make synthetic operands of a kernel below tmp_path and map them."""

    def make(kernel, name="in", seed=1, density_pct=20.0, sizes=SIZES):
        operands = {}
        for number, access in enumerate(kernel.operands):
            format = kernel.formats[access.tensor]
            recipe = {"source": "synthetic", "shape": list(kernel.shape_of(access, sizes))}
            recipe |= {"density_pct": 100.0 if format.is_dense else density_pct}
            recipe |= {"seed": 100 * seed + number}
            operands[access.tensor] = {"recipe": recipe, "format": format.to_json()}
        build_input({"operands": operands}, tmp_path / name)
        return {a.tensor: open_tensor(tmp_path / name / a.tensor) for a in kernel.operands}

    return make

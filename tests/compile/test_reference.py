"""Building references by hand: what there is none of, and what decides the object."""

import pytest

from splyce_bench.compile.build import Build, Settings, build_kernel
from splyce_bench.compile.pipelines import Pipeline, load_pipelines
from splyce_bench.kernels.catalog import make_kernel
from splyce_bench.measure.key import _object_key

ENTRY = {"description": "d", "expression": "A[i,j] = B[i,k] * C[k,j]"}


@pytest.fixture
def build(toolchain, root, tmp_path, monkeypatch):
    monkeypatch.chdir(root)

    def make(kernel, name="ref-workspace", parallel=False, folder="out", **fields):
        pipeline = load_pipelines(root / "config" / "pipelines.yaml")[name]
        pipeline = Pipeline(**{**vars(pipeline), **fields})
        settings = Settings("native", (), ())
        choice = Build(kernel, pipeline, parallel, toolchain, tmp_path / "no.so", settings)
        return build_kernel(choice, tmp_path / folder, tmp_path / "log")

    return make


def test_a_reference_is_a_kernel_without_our_plugin(plan, build, tmp_path):
    record = build(plan.kernels["spgemm"], "ref-masked")
    assert (tmp_path / "out" / "kernel.so").exists()
    assert record["object"]["fma"] == 0
    assert record["object"]["packed"] > 0
    assert "references/masked_avx512.h" in record["sources"]
    assert Pipeline.from_json(record["pipeline"]).source


@pytest.mark.parametrize(
    ("kernel", "parallel", "reason"),
    [
        ("spmmh", False, "no reference by hand for spmmh (no file references/spmmh.c)"),
        ("spgemm", True, "references by hand run on one core"),
    ],
)
def test_what_there_is_no_reference_for_says_so(plan, build, tmp_path, kernel, parallel, reason):
    record = build(plan.kernels[kernel], parallel=parallel)
    assert record["not_available"] == reason
    assert _object_key(tmp_path / "out") == reason


@pytest.mark.parametrize(
    "formats",
    [
        {"B": "csr", "C": "csr"},
        {"B": {"levels": ["dense", "compressed"], "coordinate_bits": 32}, "C": "csc"},
    ],
)
def test_other_formats_under_the_same_name_are_not_read_as_the_papers(build, formats):
    record = build(make_kernel("spgemm", {**ENTRY, "formats": formats}, "t"))
    assert "is written for the expression and formats of the paper's" in record["not_available"]


def test_what_is_included_decides_the_object(plan, build):
    one = build(plan.kernels["spgemm"], "ref-workspace", folder="one")
    four = build(plan.kernels["spgemm"], "ref-workspace-4", folder="four")
    assert one["key"] != four["key"]
    assert one["sha256"]["kernel.so"] != four["sha256"]["kernel.so"]

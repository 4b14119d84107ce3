"""The pipelines of the configuration, and compiling through the real toolchain."""

import json
import re
import shutil
from itertools import product

import pytest

from splyce_bench.compile import build
from splyce_bench.compile.build import Build, Settings, build_kernel
from splyce_bench.compile.pipelines import Pipeline, load_pipelines
from splyce_bench.errors import UserError
from splyce_bench.kernels.catalog import make_kernel
from splyce_bench.measure.host import cpu_model

PHASES = {"match": 4, "compute": 2, "advance": 1}
PAPER_KERNELS = ["spgemm", "spmspv", "spmttkrp", "spmmh", "spttspm"]


@pytest.fixture(scope="module")
def pipelines(root):
    return load_pipelines(root / "config" / "pipelines.yaml")


@pytest.fixture
def build_with(toolchain, pass_dir):
    """Make a Build of a kernel and a pipeline with the configured flags."""

    def make(kernel, pipeline, parallel=False):
        plugin = pass_dir / "lib" / "SplycePlugin.so"
        settings = Settings(
            "native", ("-O3", "-vectorize-loops=false", "-vectorize-slp=false"), ("-O3",)
        )
        return Build(kernel, pipeline, parallel, toolchain, plugin, settings)

    return make


def changed(pipeline, **fields):
    return Pipeline(**{**vars(pipeline), **fields})


@pytest.mark.parametrize("number", range(1, 9))
def test_the_number_of_a_configuration_says_its_phases(pipelines, number):
    (text,) = pipelines[f"config{number}"].transform
    phases = text.split("vectorize=")[1].split()[0].split(",")
    assert number == 1 + sum(PHASES[phase] for phase in phases if phase in PHASES)


@pytest.mark.parametrize(
    ("features", "chosen"),
    [("", ""), ("+avx512vl", ""), ("+avx512f", "permvar"), ("+avx512vp2intersect", "vp2intersect")],
)
def test_the_masked_lane_intersects_by_what_the_target_has(
    plan, pipelines, build_with, tmp_path, features, chosen
):
    transform = ("splyce{lane=masked vector-width=8 fp-order=tree}",)
    pipeline = changed(pipelines["masked-w8"], transform=transform, features=features, cpu="znver5")
    build_kernel(build_with(plan.kernels["spgemm"], pipeline), tmp_path / "out", tmp_path / "log")
    text = (tmp_path / "out" / "transformed.mlir").read_text()
    called = set(re.findall(r'"llvm\.x86\.avx512\.(\w+)', text))
    assert (chosen in called) if chosen else not called
    assert f'"{features}' in (tmp_path / "out" / "kernel.ll").read_text() or not features


def test_labels_do_not_recompile(pipelines):
    pipeline = pipelines["config5"]
    assert pipeline.to_json() == changed(pipeline, label="x", description="y").to_json()
    assert Pipeline.from_json(json.loads(json.dumps(pipeline.to_json()))).transform


@pytest.mark.parametrize("name", PAPER_KERNELS)
@pytest.mark.parametrize("pipeline", ["baseline", "baseline-oneshot", "config5", "config8-free"])
def test_every_kernel_of_the_paper_has_exactly_one_loop(
    plan, pipelines, build_with, tmp_path, name, pipeline
):
    build = build_with(plan.kernels[name], pipelines[pipeline])
    record = build_kernel(build, tmp_path / "out", tmp_path / "log")
    assert record["rewritten"] == (1 if pipeline.startswith("config") else 0)


@pytest.mark.parametrize("name", PAPER_KERNELS)
@pytest.mark.parametrize(
    ("pipeline", "parallel"),
    [
        *product(["masked", "masked-w8", "masked-jam", "workspace"], [False, True]),
        # In parallel: a known limit, see splyce_pass/README.md.
        *product(["masked-vp2", "masked-vp2-jam"], [False]),
    ],
)
def test_a_lane_in_place_of_the_loop_compiles_for_every_kernel(
    plan, pipelines, build_with, tmp_path, name, pipeline, parallel
):
    build = build_with(plan.kernels[name], pipelines[pipeline], parallel)
    record = build_kernel(build, tmp_path / "out", tmp_path / "log")
    assert record["rewritten"] == 1
    # Where there is no memory for a workspace the scalar loop runs.
    scalar = (tmp_path / "out" / "transformed.mlir").read_text().count("splyce_epilogue")
    assert scalar == (1 if pipeline == "workspace" else 0)


# SpMMH has no parallel form: see tests/compiled/test_parallel.py.
@pytest.mark.parametrize("name", ["spgemm", "spmspv", "spmttkrp", "spttspm"])
def test_parallel_kernels_call_the_openmp_runtime(plan, pipelines, build_with, tmp_path, name):
    build = build_with(plan.kernels[name], pipelines["config5"], parallel=True)
    record = build_kernel(build, tmp_path / "out", tmp_path / "log")
    assert record["object"]["openmp_calls"] > 0


def test_contraction_is_the_same_on_both_sides(plan, pipelines, build_with, tmp_path):
    for name in ("baseline", "config5", "config7", "config7-free"):
        build = build_with(plan.kernels["spgemm"], pipelines[name])
        assert build_kernel(build, tmp_path / name, tmp_path / "log")["object"]["fma"] == 0


def test_a_failing_pass_shows_the_command_and_keeps_the_ir(plan, pipelines, build_with, tmp_path):
    broken = changed(pipelines["config5"], name="broken", transform=("splyce{vector-width=3}",))
    with pytest.raises(UserError) as caught:
        build_kernel(build_with(plan.kernels["spgemm"], broken), tmp_path / "out", tmp_path / "log")
    message = str(caught.value)
    assert "splyce{vector-width=3}" in message
    assert "broken" in message
    assert "last lines" in message
    assert (tmp_path / "out.failed" / "loops.mlir").exists()
    assert not (tmp_path / "out").exists()


def test_a_pipeline_that_rewrites_nothing_though_it_must(plan, pipelines, build_with, tmp_path):
    lazy = changed(pipelines["config5"], name="lazy", transform=("canonicalize",))
    with pytest.raises(UserError, match="lazy did not do its work on kernel spgemm.*rewrites: 1"):
        build_kernel(build_with(plan.kernels["spgemm"], lazy), tmp_path / "out", tmp_path / "log")


def test_a_plugin_that_does_not_load(plan, pipelines, build_with, tmp_path):
    lost = changed(pipelines["config5"], plugins=(str(tmp_path / "nowhere.so"),))
    with pytest.raises(UserError, match=r"(?s)nowhere\.so.*last lines"):
        build_kernel(build_with(plan.kernels["spgemm"], lost), tmp_path / "out", tmp_path / "log")


def test_a_lowering_without_the_vector_conversion_names_the_dialect(
    plan, pipelines, build_with, tmp_path, monkeypatch
):
    from splyce_bench.compile import lowering

    kept = tuple(p for p in lowering._TO_LLVM if p != "convert-vector-to-llvm")
    monkeypatch.setattr(lowering, "_TO_LLVM", kept)
    with pytest.raises(UserError, match=r"left over.*vector\."):
        build_kernel(
            build_with(plan.kernels["spgemm"], pipelines["config5"]),
            tmp_path / "out",
            tmp_path / "log",
        )


def test_f32_and_narrow_coordinates_compile(pipelines, build_with, tmp_path):
    format = {
        "levels": ["dense", "compressed"],
        "coordinate_bits": 32,
        "position_bits": 32,
        "value_type": "f32",
    }
    entry = {
        "description": "d",
        "expression": "A[i,j] = B[i,k] * C[k,j]",
        "formats": {
            "A": {"levels": ["dense", "dense"], "value_type": "f32"},
            "B": format,
            "C": {**format, "order": [1, 0]},
        },
    }
    build = build_with(make_kernel("narrow", entry, "t"), pipelines["config7"])
    assert build_kernel(build, tmp_path / "out", tmp_path / "log")["rewritten"] == 1


def test_the_same_inputs_give_the_same_object(plan, pipelines, build_with, tmp_path):
    build = build_with(plan.kernels["spgemm"], pipelines["config5"])
    first, second = (build_kernel(build, tmp_path / n, tmp_path / "log") for n in ("a", "b"))
    assert first["key"] == second["key"]
    assert first["sha256"]["kernel.o"] == second["sha256"]["kernel.o"]
    shutil.rmtree(tmp_path / "a")


def test_what_native_meant_is_recorded_and_a_named_processor_is_not(
    plan, pipelines, build_with, tmp_path
):
    """On a cluster the node that measures may have another processor."""
    kernel, named = plan.kernels["spgemm"], changed(pipelines["baseline"], cpu="x86-64-v3")
    native = build_kernel(
        build_with(kernel, pipelines["baseline"]), tmp_path / "native", tmp_path / "log"
    )
    assert native["native_cpu"] == cpu_model()
    other = build_kernel(build_with(kernel, named), tmp_path / "named", tmp_path / "log")
    assert "native_cpu" not in other


@pytest.mark.parametrize(
    ("name", "cpu", "features", "told"),
    [
        ("auto", "native", "", "+avx2,+avx512vp2intersect"),
        ("auto", "native", "-avx512vp2intersect", "-avx512vp2intersect,+avx2"),
        ("auto", "x86-64-v3", "", ""),
        ("baseline", "native", "", ""),
    ],
)
def test_passes_are_told_what_this_processor_has_where_code_is_for_it(
    plan, pipelines, build_with, monkeypatch, name, cpu, features, told
):
    monkeypatch.setattr(build, "cpu_flags", lambda: ["avx2", "avx512_vp2intersect", "bmi2"])
    pipeline = changed(pipelines[name], cpu=cpu, features=features)
    assert build.told_features(build_with(plan.kernels["spgemm"], pipeline)) == told

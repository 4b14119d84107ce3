"""Whole runs of a tiny study: what is done again, what survives a kill, what a fault costs."""

import os
import re
import signal
import subprocess
import time
from pathlib import Path

import pandas as pd
import pytest
import yaml

from splyce_bench.files import read_json


def failures(result):
    return result.stdout[-3000:] + result.stderr[-6000:]


@pytest.fixture(scope="module")
def finished(make_clone, tmp_path_factory):
    """A clone, in a folder with awkward letters, in which figure13 was run to its end."""
    clone = make_clone(tmp_path_factory.mktemp("runs") / "sp lyce é's")
    result = clone.snakemake("figure13")
    assert result.returncode == 0, failures(result)
    clone.first = result
    return clone


def test_a_run_ends_with_the_figure_and_says_where(finished):
    run = finished.folder / "results/tiny"
    for kind in ("pdf", "svg", "png"):
        assert (run / f"figures/figure13.{kind}").stat().st_size > 1000
    assert "results/tiny/figures: figure13" in finished.first.stdout + finished.first.stderr
    rows = pd.read_csv(run / "tidy/figure13.csv")
    assert len(rows) == 12
    assert rows["speedup"].notna().all()


def test_nothing_is_done_twice(finished):
    result = finished.snakemake("figure13")
    assert result.returncode == 0
    assert "Nothing to be done" in result.stdout + result.stderr


@pytest.mark.parametrize("name", ["Snakefile", "workflow/rules/measure.smk", "config/default.yaml"])
def test_a_comment_measures_nothing(finished, name):
    path = finished.folder / name
    path.write_text(path.read_text() + "\n# a remark\n")
    assert "Nothing to be done" in finished.planned("figure13")


def test_editing_a_plot_style_only_draws_again(finished):
    (finished.folder / "splyce_bench/report/splyce.mplstyle").open("a").write("font.size: 8\n")
    text = finished.planned("figure13")
    assert "plot_figure" in text
    assert "measure_group" not in text
    assert "summarize" not in text


def test_a_changed_report_key_only_draws_again(finished):
    text = finished.planned("figure13", config=(*finished.tiny, "report={style: ggplot}"))
    assert "plot_figure" in text
    assert "measure_group" not in text


def test_editing_a_pipeline_measures_what_uses_it(finished):
    path = finished.folder / "config/pipelines.yaml"
    before = path.read_text()
    table = yaml.safe_load(before)
    table["config7"]["transform"] = ["splyce{vectorize=match,compute vector-width=8}"]
    path.write_text(yaml.safe_dump(table))
    assert "measure_group" not in finished.planned("figure13")
    table["config5"]["transform"] = ["splyce{vectorize=match vector-width=8}"]
    path.write_text(yaml.safe_dump(table))
    text = finished.planned("figure13")
    path.write_text(before)
    assert re.search(r"compile_kernel +1\b", text)
    assert re.search(r"measure_group +6\b", text)


def test_the_same_objects_are_not_measured_again(finished):
    """Compiling anew to the same bytes keeps the samples: the key is of the content."""
    raw = finished.folder / "results/tiny/raw/figure13/spgemm/d5/c1.json"
    before = read_json(raw)["samples"]
    result = finished.snakemake("figure13", "--forcerun", "compile_kernel")
    assert result.returncode == 0, failures(result)
    assert "kept: the same objects" in result.stdout + result.stderr
    assert read_json(raw)["samples"] == before


def test_nothing_overwrites_another_run(finished):
    text = finished.planned("figure13", config=("run=other", *finished.tiny[1:]))
    assert re.search(r"measure_group +6\b", text)
    assert "results/other" in text


def test_two_at_a_time_in_one_run_are_refused(finished):
    import fcntl

    with (finished.folder / "results/tiny/.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        result = finished.snakemake("figure13")
        assert result.returncode != 0
        assert "another snakemake is working in results/tiny" in result.stderr
        assert finished.snakemake("-n", "figure13").returncode == 0


def measuring(folder):
    """Process ids of measuring processes working in a folder."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if b"splyce_bench.measure" in path.read_bytes():
                cwd = path.with_name("cwd").readlink()
                found += [int(path.parent.name)] if cwd == folder else []
        except OSError:
            continue
    return found


def wait_for(condition, seconds=120.0):
    end = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.05)
    return found


@pytest.mark.parametrize("victim", ["snakemake", "worker"])
def test_a_killed_run_goes_on_with_the_same_command(make_clone, tmp_path, victim):
    clone = make_clone(tmp_path / "clone")
    driver = subprocess.Popen(
        clone.command("figure13"),
        cwd=clone.folder,
        env=clone.environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    pids = wait_for(lambda: measuring(clone.folder))
    if victim == "snakemake":
        driver.send_signal(signal.SIGKILL)
    else:
        os.kill(pids[0], signal.SIGKILL)
    driver.wait(timeout=300)
    wait_for(lambda: not measuring(clone.folder))
    parts = list((clone.folder / "results").rglob("*.part"))
    result = clone.snakemake("figure13")
    assert result.returncode == 0, failures(result)
    rows = pd.read_csv(clone.folder / "results/tiny/tidy/figure13.csv")
    assert rows["outcome"].eq("measured").all()
    assert len(rows) == 12
    # What a kill left under a temporary name is never read.
    assert not [p for p in parts if p.name in rows.to_string()]


def test_a_failing_cell_is_told_and_tried_again(make_clone, tmp_path):
    """A pipeline that may not finish in time fails; the rest is drawn; the next call tries it."""
    clone = make_clone(tmp_path / "clone")
    slow = (*clone.tiny[:2], clone.tiny[2].replace("}", ", timeout_seconds: 0.000001}"))
    result = clone.snakemake("table1", config=slow)
    assert result.returncode != 0
    output = result.stdout + result.stderr
    told = r"failed: table1/spgemm/d5/c1/baseline, .* and \d+ more: no answer within"
    assert re.search(told, output)
    assert (clone.folder / "results/tiny/tables/table1.md").exists()
    assert list((clone.folder / "results/tiny/failed").rglob("*.json"))
    again = clone.snakemake("table1")
    assert again.returncode == 0, failures(again)


def test_fewer_cores_than_asked_is_not_relabelled(clone):
    path = clone.folder / "experiments/figure13.yaml"
    table = yaml.safe_load(path.read_text())
    table["groups"][0]["cores"] = [4]
    table["groups"][0]["inputs"] = {"density_pct": [5]}
    path.write_text(yaml.safe_dump(table))
    result = clone.snakemake("--cores", "2", "figure13")
    assert result.returncode == 0, failures(result)
    told = r"not available: figure13/spgemm/d5/c4/baseline, .*: asked for 4 cores"
    assert re.search(told, result.stdout + result.stderr)


PLUGIN = """
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
namespace {
struct Mark : mlir::PassWrapper<Mark, mlir::OperationPass<mlir::func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Mark)
  llvm::StringRef getArgument() const override { return "mark"; }
  void runOnOperation() override {
    getOperation()->setAttr("marked", mlir::UnitAttr::get(&getContext()));
    getOperation().emitRemark("marked");
  }
};
} // namespace
extern "C" LLVM_ATTRIBUTE_WEAK mlir::PassPluginLibraryInfo mlirGetPassPluginInfo() {
  return {MLIR_PLUGIN_API_VERSION, "Mark", "1", [] { mlir::PassRegistration<Mark>(); }};
}
"""


def test_a_users_own_plugin(clone, toolchain, tmp_path):
    """A second tiny plugin, built here, is a pipeline in a few lines of YAML."""
    source, plugin = tmp_path / "Mark.cpp", tmp_path / "Mark.so"
    source.write_text(PLUGIN)
    includes = [
        str(Path(toolchain[key]).parents[2] / "include") for key in ("mlir_dir", "llvm_dir")
    ]
    command = ["c++", "-std=c++17", "-O0", "-fPIC", "-shared", *(f"-I{i}" for i in includes)]
    command += [] if toolchain["rtti"] else ["-fno-rtti"]
    subprocess.run([*command, str(source), "-o", str(plugin)], check=True)
    path = clone.folder / "config/pipelines.yaml"
    table = yaml.safe_load(path.read_text())
    mine = {"description": "mine", "plugins": [str(plugin)], "rewrites": 1}
    table["mine"] = {**mine, "transform": ["func.func(mark)"]}
    path.write_text(yaml.safe_dump(table))
    path = clone.folder / "experiments/table1.yaml"
    table = yaml.safe_load(path.read_text())
    table["groups"][0]["pipelines"] = ["baseline", "mine"]
    table["claims"] = []
    path.write_text(yaml.safe_dump(table))
    result = clone.snakemake("table1")
    assert result.returncode == 0, failures(result)
    rows = pd.read_csv(clone.folder / "results/tiny/tidy/table1.csv").set_index("pipeline")
    assert rows.loc["mine", "rewritten"] == 1
    assert rows.loc["mine", "outcome"] == "measured"


def test_a_plugin_that_does_not_exist_stops_before_a_row_appears(clone):
    path = clone.folder / "config/pipelines.yaml"
    table = yaml.safe_load(path.read_text())
    table["config5"]["plugins"] = ["/nonexistent.so"]
    path.write_text(yaml.safe_dump(table))
    result = clone.snakemake("figure13")
    assert result.returncode != 0
    assert "/nonexistent.so" in result.stdout + result.stderr
    assert not list((clone.folder / "results").rglob("raw/**/*.json"))


def test_measuring_jobs_do_not_overlap(finished):
    logs = list((finished.folder / ".snakemake/log").glob("*.log"))
    text = min(logs, key=lambda p: p.stat().st_mtime).read_text()
    running, most = 0, 0
    for line in text.splitlines():
        running += line.startswith("Job ") and "Measuring" in line
        running -= "Finished jobid" in line and "measure_group" in line
        most = max(most, running)
    assert most == 1


def with_matrix(clone, path):
    experiment = clone.folder / "experiments/table4.yaml"
    table = yaml.safe_load(experiment.read_text())
    table["groups"] = [table["groups"][0] | {"inputs": {"matrices": [str(path)]}}]
    experiment.write_text(yaml.safe_dump(table))
    return clone.snakemake("table4")


def test_a_matrix_file_of_ones_own(clone, tmp_path):
    path = tmp_path / "mine.mtx"
    header = "%%MatrixMarket matrix coordinate real general\n"
    path.write_text(header + "3 3 4\n1 1 1\n1 3 2\n2 2 3\n3 1 4\n")
    result = with_matrix(clone, path)
    assert result.returncode == 0, failures(result)
    rows = pd.read_csv(clone.folder / "results/tiny/tidy/table4.csv")
    assert rows["outcome"].eq("measured").all()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "mine.mtx:1: the file is empty"),
        ("3 3 2\n1 1 1\n", "2 entries declared and 1 found"),
        ("3 3 1\n1 4 1\n", "mine.mtx:3: column 4 is outside 1..3"),
    ],
)
def test_a_bad_matrix_file_is_one_message(clone, tmp_path, text, expected):
    path = tmp_path / "mine.mtx"
    header = "%%MatrixMarket matrix coordinate real general\n"
    path.write_text(header + text if text else "")
    result = with_matrix(clone, path)
    assert result.returncode != 0
    assert expected in result.stdout + result.stderr
    assert "Traceback" not in result.stdout + result.stderr
    assert not list((clone.folder / "results").rglob("raw/**/*.json"))

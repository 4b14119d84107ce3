"""One study, one CPU model: who begins it, and who is refused."""

import json
import platform
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from splyce_bench.errors import UserError
from splyce_bench.files import read_json, write_json
from splyce_bench.measure.study_cpu import FILE, hold_to_study


@pytest.fixture
def on_cpu(monkeypatch):
    """Make this machine one of the named CPU model."""
    return lambda name: monkeypatch.setattr(
        "splyce_bench.measure.study_cpu.cpu_model", lambda: name
    )


@pytest.fixture
def store(tmp_path):
    folder = tmp_path / "results" / "monday" / "store"
    folder.mkdir(parents=True)
    return folder


def test_the_first_job_fixes_the_model_and_the_same_goes_on(store, on_cpu):
    on_cpu("A")
    hold_to_study(store, [])
    assert read_json(store / FILE) == {"cpu": "A", "node": platform.node()}
    hold_to_study(store, [])
    assert [path.name for path in store.iterdir()] == [FILE]


def test_another_model_is_refused_with_what_to_do(store, on_cpu):
    on_cpu("A")
    hold_to_study(store, [])
    on_cpu("B")
    with pytest.raises(UserError) as refused:
        hold_to_study(store, [])
    said = str(refused.value)
    for part in (
        f"this node, {platform.node()}, has the processor 'B'",
        "results/monday was begun on 'A'",
        "--config slurm='{constraint: FEATURE}'",
        "--config run=NAME",
    ):
        assert part in said
    assert read_json(store / FILE)["cpu"] == "A"


def test_of_jobs_that_begin_at_once_one_decides(store, on_cpu, monkeypatch):
    """Each sees no file yet; a link is made by one of them only."""
    models = iter("ABCDEFGH")
    monkeypatch.setattr("splyce_bench.measure.study_cpu.cpu_model", lambda: next(models))

    def job(_):
        try:
            hold_to_study(store, [])
        except UserError as error:
            return str(error)
        return ""

    with ThreadPoolExecutor(8) as jobs:
        said = list(jobs.map(job, range(8)))
    begun = read_json(store / FILE)["cpu"]
    assert said.count("") == 1
    assert all(f"was begun on '{begun}'" in text for text in said if text)


def with_kernel(folder, **record):
    folder.mkdir(parents=True)
    write_json(folder / "kernel.json", record)
    return folder


def test_kernels_built_natively_elsewhere_are_refused(store, on_cpu, tmp_path):
    kernel = with_kernel(tmp_path / "kernels/spgemm/baseline/serial", native_cpu="B")
    on_cpu("A")
    with pytest.raises(UserError, match=r"native on a 'B'.* has the processor 'A'") as refused:
        hold_to_study(store, [kernel])
    assert f"remove {tmp_path / 'kernels'} and" in str(refused.value)


@pytest.mark.parametrize("record", [{"native_cpu": "A"}, {}])
def test_kernels_built_here_or_for_a_named_processor_are_measured(store, on_cpu, tmp_path, record):
    on_cpu("A")
    hold_to_study(store, [with_kernel(tmp_path / "kernels/spgemm/baseline/serial", **record)])


def test_the_measuring_command_refuses_in_one_message(store, group_of, tmp_path):
    """The command that the workflow runs, on this node, in a study of another CPU model."""
    write_json(store / FILE, {"cpu": "Another CPU", "node": "elsewhere"})
    task = group_of({"baseline": ""})
    names = ("experiment", "group", "kernel", "baseline", "control", "input_label", "cores", "seed")
    asked = {name: getattr(task, name) for name in (*names, "settings")}
    asked["pipelines"] = {name: str(path) for name, path in task.pipelines.items()}
    command = [sys.executable, "-m", "splyce_bench.measure", "group", "--task", json.dumps(asked)]
    out = tmp_path / "out.json"
    for name, value in {
        "threads": 1,
        "input": task.input,
        "toolchain": task.toolchain,
        "runtime": task.runtime,
        "store": store,
        "log": tmp_path / "log",
        "out": out,
    }.items():
        command += [f"--{name}", str(value)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 1
    assert re.match(r"error: this node, \S+, has the processor '", result.stderr)
    assert "was begun on 'Another CPU' (node elsewhere" in result.stderr
    assert "Traceback" not in result.stderr
    # A job of a cluster has no terminal: Snakemake shows its log.
    assert (tmp_path / "log").read_text() == result.stderr
    assert not out.exists()
    assert [path.name for path in store.iterdir()] == [FILE]

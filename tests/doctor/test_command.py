"""`splyce-bench doctor` on the plan of this clone: what a target needs, verdict, exit code."""

import os
import shutil

import pytest

from splyce_bench.cli import doctor
from splyce_bench.doctor import tools
from splyce_bench.doctor.examine import brief, tell
from splyce_bench.doctor.finding import Finding, judged
from splyce_bench.doctor.needs import needs_of
from splyce_bench.doctor.network import collection
from splyce_bench.doctor.room import disk
from splyce_bench.doctor.tools import compilers, toolchain
from splyce_bench.errors import UserError
from splyce_bench.plan import load_run


@pytest.fixture
def smoke(root, monkeypatch):
    monkeypatch.chdir(root)
    return lambda *config: load_run(["scale=smoke", "run=of-a-test", *config])


def test_the_paper_scale_needs_more(smoke):
    small = needs_of(smoke(), "figure13")
    large = needs_of(smoke("scale=paper"), "figure13")
    assert small.disk < large.disk
    assert max(small.memory.values()) < max(large.memory.values())


def test_a_density_sweep_holds_two_of_its_largest_inputs(smoke):
    plan = smoke("sizes={spgemm: {i: 1000, j: 1000, k: 5000}}")
    needs = needs_of(plan, "figure13")
    # 10 % of two operands of 5 million elements, 16 bytes each, for two inputs.
    assert needs.disk > 2 * 0.1 * 2 * 5e6 * 16
    assert needs.disk < 2 * 0.1 * 2 * 5e6 * 16 + 400e6


def test_matrices_that_are_not_cached_are_to_be_fetched(smoke, tmp_path):
    needs = needs_of(smoke("scale=paper", f"cache_dir={tmp_path}"), "all")
    assert needs.collection
    assert needs.cache > 1e9


def test_an_unknown_target_names_the_near_one(smoke):
    with pytest.raises(UserError, match="unknown target 'figre13'; did you mean 'figure13'"):
        needs_of(smoke(), "figre13")


def test_overrides_are_checked_like_snakemakes(smoke):
    with pytest.raises(UserError, match="'smoke' is not KEY=VALUE"):
        load_run(["smoke"])
    with pytest.raises(UserError, match="unknown key 'sede'; did you mean 'seed'"):
        smoke("sede=1")
    assert smoke("seed=3").config["seed"] == 3


def test_a_full_disk_is_a_problem(tmp_path):
    (found,) = disk({tmp_path / "results": 10**18, tmp_path / "cache": 10**9}, "figure13")
    assert found.level == "problem"
    assert "figure13 needs" in found.found
    assert "splyce-bench clean" in found.advice


def test_a_missing_compiler_is_a_problem(smoke, tmp_path, monkeypatch):
    plan = smoke(f"toolchain={{provider: path, prefix: {tmp_path}}}")
    monkeypatch.setattr(shutil, "which", lambda _: None)
    monkeypatch.delenv("CXX", raising=False)
    found = compilers(plan)
    assert [(f.name, f.level) for f in found] == [
        ("C++ compiler", "problem"), ("C compiler", "problem"),
    ]  # fmt: skip
    assert "install g++" in found[0].advice


def test_a_pass_that_is_built_needs_no_compiler_until_its_source_changes(
    smoke, tmp_path, monkeypatch
):
    plan = smoke(f"toolchain={{provider: path, prefix: {tmp_path}}}")
    source = tmp_path / "x.cpp"
    source.touch()
    monkeypatch.setattr(tools, "pass_sources", lambda: [str(source)])
    monkeypatch.setattr(type(plan), "build", tmp_path / "build")
    plugin = plan.build / "pass" / "lib" / "SplycePlugin.so"
    plugin.parent.mkdir(parents=True)
    plugin.touch()
    assert "C++ compiler" not in [found.name for found in compilers(plan)]
    os.utime(source, (2e9, 2e9))
    assert "C++ compiler" in [found.name for found in compilers(plan)]


def test_a_prefix_without_llvm_is_a_problem(smoke, tmp_path):
    plan = smoke(f"toolchain={{provider: path, prefix: {tmp_path}}}")
    found, needed = toolchain(plan)
    assert (found.level, needed) == ("problem", 0)
    assert "has no mlir-opt" in found.found


def test_wheels_not_installed_need_disk_and_are_left_alone(smoke, tmp_path):
    plan = smoke("toolchain={provider: auto, prefix: /nowhere}", f"cache_dir={tmp_path}")
    shown, needed = toolchain(plan)
    if "wheels" in shown.found:
        assert needed > 1e9
    assert list(tmp_path.iterdir()) == []


def test_no_network_counts_only_for_targets_that_fetch():
    address = "http://127.0.0.1:9"
    assert collection(address, needed=False).level == "ok"
    assert collection(address, needed=True).level == "warning"


def test_the_verdict_and_the_exit_code(capsys):
    fine = Finding("ok", "governor", "performance", "why")
    slow = judged(False, "load", "3.2", "why", "wait")
    full = judged(False, "disk", "0 GiB", "why", "splyce-bench clean", "problem")
    assert tell([fine, slow], "figure13") == 0
    assert "figure13 can run here; warnings: load" in capsys.readouterr().out
    assert tell([fine, slow, full], "figure13") == 1
    text = capsys.readouterr().out
    assert "problem  disk: 0 GiB; why\n         try: splyce-bench clean\n" in text
    assert "figure13 cannot run here: disk; warnings: load" in text


def test_the_command_changes_nothing(smoke, root, capsys):
    before = sorted(path.name for path in root.iterdir())
    assert doctor("figure13", ["scale=smoke", "run=of-a-test"]) in (0, 1)
    assert "figure13 can" in capsys.readouterr().out
    assert sorted(path.name for path in root.iterdir()) == before
    assert not (root / "results" / "of-a-test").exists()


def test_before_a_run_problems_are_whole_and_warnings_are_named(smoke, make_machine):
    machine = make_machine({"sys/fs/cgroup/user/memory.max": "1000"})
    text = brief(smoke(), "figure13", machine)
    assert text.startswith("problem  memory: ")
    machine = make_machine(
        {"sys/fs/cgroup/user/memory.max": None, "proc/loadavg": "3.20 1 1 1/2 3"}
    )
    assert brief(smoke(), "figure13", machine).startswith("warnings of `splyce-bench doctor fig")

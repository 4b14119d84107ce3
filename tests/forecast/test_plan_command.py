"""`splyce-bench plan` on this clone: it tells, and changes nothing but its history."""

import os
import re
import subprocess
import sys
from dataclasses import replace

import pytest

from splyce_bench.configuration import load_yaml
from splyce_bench.errors import UserError
from splyce_bench.forecast.calibration import Calibration
from splyce_bench.forecast.command import configured, duration
from splyce_bench.forecast.forecast import make_forecast, why_unfit
from splyce_bench.forecast.history import History
from splyce_bench.forecast.jobs import Jobs, read_dry_run
from splyce_bench.forecast.model import Model
from splyce_bench.plan import load_plan

DRY_RUN = """
Job stats:
job                     count
--------------------  -------
generate_input              1
measure_group               1
fetch_matrix                1
total                       3


[Mon Nov 30 09:01:03 2026]
Job 14: Making input d2 of spgemm
Job 3: Fetching Bai/cdde1
Job 17: Measuring figure13: spgemm on d2, 1 core(s)
Reason: Missing output files: results/x/raw/figure13/spgemm/d10/c1.json
"""


def test_a_dry_run_is_read():
    jobs = read_dry_run(DRY_RUN)
    assert jobs.counts == {"generate_input": 1, "measure_group": 1, "fetch_matrix": 1}
    assert jobs.measured == [("figure13", "spgemm", "d2", 1)]
    assert jobs.made == [("d2", "spgemm")]
    assert jobs.fetched == ["Bai/cdde1"]


def test_messages_that_no_longer_fit_the_rules_are_our_mistake():
    with pytest.raises(AssertionError, match="0 messages of 1 jobs measure_group"):
        read_dry_run(DRY_RUN.replace("Measuring", "Timing"))


def test_the_configuration_is_that_of_snakemake(root, monkeypatch):
    monkeypatch.chdir(root)
    config = configured(["scale=smoke", "run=x", "measure={max_seconds: 1}"])
    smoke = load_yaml(root / "config" / "smoke.yaml")
    assert config["sizes"]["spgemm"] == smoke["sizes"]["spgemm"]
    assert config["measure"] == {**config["measure"], **smoke["measure"], "max_seconds": 1}
    with pytest.raises(UserError, match="'smoke' is not KEY=VALUE"):
        configured(["smoke"])


@pytest.fixture
def figure14(plan):
    return plan.experiments["figure14"].groups


def forecast_of(plan, groups, **counts):
    measured = [(g.experiment, g.kernel, g.input.id, g.cores) for g in groups]
    made = [(g.input.id, g.kernel) for g in groups]
    fetched = [g.input.member.id for g in groups if g.input.member]
    jobs = Jobs({"measure_group": len(groups), **counts}, measured, made, fetched)
    model = Model(Calibration(2.0, 0.5), plan.config["measure"])
    return make_forecast(plan, jobs, History(plan.cache / "none.json"), model, 2)


def test_downloads_and_the_peak_of_the_disk(plan, figure14, tmp_path, monkeypatch):
    monkeypatch.setenv("SPLYCE_CACHE", str(tmp_path))
    groups = [g for g in figure14 if g.input.member.name in ("3elt", "G2_circuit")]
    found = forecast_of(plan, groups, build_toolchain=1)
    assert found.downloads["2 matrices"] == 6 * (27444 + 726674)
    assert "LLVM/MLIR wheels" in found.downloads
    largest = max(found.groups, key=lambda name: found.groups[name])
    assert "G2_circuit" in largest
    alone = forecast_of(plan, [g for g in groups if g.input.member.name == "G2_circuit"])
    # One input at a time is on the disk.
    assert found.inputs == alone.inputs


def test_a_matrix_in_the_cache_is_not_fetched(plan, figure14, tmp_path, monkeypatch):
    monkeypatch.setenv("SPLYCE_CACHE", str(tmp_path))
    group = next(g for g in figure14 if g.input.member.name == "3elt")
    path = tmp_path / "matrices" / group.input.member.group / "3elt.mtx"
    path.parent.mkdir(parents=True)
    path.touch()
    assert forecast_of(plan, [group]).downloads == {}


def test_what_does_not_fit_is_told_with_its_reason(plan):
    group = plan.experiments["figure17"].groups[0]
    reason = "needs 1.0 GiB of memory for its operands, has 0.1 GiB"
    recipe = {**group.input.recipe, "too_large": reason}
    group = replace(group, input=replace(group.input, recipe=recipe))
    assert why_unfit(plan, group) == f"too large: {reason}"


def test_a_matrix_that_does_not_fit_costs_no_time(plan, monkeypatch):
    monkeypatch.setattr("splyce_bench.inputs.spec.usable_memory", lambda: 1 << 20)
    small = load_plan(plan.config)
    group = next(g for g in small.experiments["figure14"].groups if "too_large" in g.input.recipe)
    found = forecast_of(small, [group])
    assert "too large: needs" in found.unfit[0]
    assert found.seconds < 10


def test_more_cores_than_the_machine_has(plan):
    group = next(g for g in plan.experiments["figure17"].groups if g.cores == 32)
    if (os.cpu_count() or 1) < 32:
        assert "asked for 32 cores" in why_unfit(plan, group)


@pytest.mark.parametrize(
    ("seconds", "text"), [(12.4, "12 s"), (119, "119 s"), (150, "2.5 min"), (9000, "2.5 h")]
)
def test_durations(seconds, text):
    assert duration(seconds) == text


def call(root, cache, *arguments):
    command = [sys.executable, "-c", "from splyce_bench.cli import main; main()", "plan"]
    environment = {**os.environ, "SPLYCE_CACHE": str(cache), "PYTHONPATH": str(root)}
    return subprocess.run(
        [*command, *arguments],
        cwd=root,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_command_tells_and_changes_nothing(root, tmp_path):
    config = ("--config", "scale=smoke", "run=planned-only")
    result = call(root, tmp_path, "figure13", *config)
    assert (result.returncode, result.stderr) == (0, "")
    assert result.stdout.startswith("figure13 into results/planned-only, scale smoke\nJobs: ")
    assert re.search(r"^Time: about [\d.]+ (s|min) \(", result.stdout, re.M)
    assert re.search(r"^Memory: at most .*, usable ", result.stdout, re.M)
    assert not (root / "results" / "planned-only").exists()
    assert [p.name for p in tmp_path.iterdir()] == ["history.json"]


def test_an_unknown_target_ends_in_one_message(root, tmp_path):
    result = call(root, tmp_path, "figure99")
    assert result.returncode == 1
    assert result.stderr.startswith("error: plan: snakemake refuses figure99:")
    assert "Traceback" not in result.stderr

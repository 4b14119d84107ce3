"""The profile for SLURM without a cluster; scripts/try-slurm.sh starts one."""

import os
import re

import pytest

from splyce_bench.configuration import load_yaml
from splyce_bench.errors import UserError
from splyce_bench.workflow import LOCK, hold_run, print_failures_of


@pytest.fixture(scope="module")
def slurm(root):
    return load_yaml(root / "profiles/slurm/config.yaml")


@pytest.fixture(scope="module")
def rules(root):
    """The text of each rule by its name."""
    found = {}
    for path in sorted((root / "workflow/rules").glob("*.smk")):
        parts = re.split(r"^rule (\w+):$", path.read_text(), flags=re.M)
        found.update(zip(parts[1::2], parts[2::2], strict=True))
    return found


def test_what_keeps_a_run_whole_is_the_same_as_on_one_machine(root, slurm):
    local = load_yaml(root / "profiles/default/config.yaml")
    # Each job counts the cores of its own node.
    assert local.pop("cores") == "all"
    assert {name: slurm.get(name) for name in local} == local
    assert "cores" not in slurm


def local_rules(root):
    text = (root / "workflow/rules/common.smk").read_text()
    return re.findall(r"\w+", re.search(r"^localrules:\n((?: .*\n)+)", text, re.M)[1])


def test_the_report_is_made_where_snakemake_runs(root):
    """Seconds each: in the queue they would wait longer than they take."""
    text = (root / "workflow/rules/report.smk").read_text()
    assert set(re.findall(r"^rule (\w+):$", text, re.M)) <= set(local_rules(root))


def test_no_rule_asks_a_node_for_the_cores_of_another_machine(root, slurm, rules):
    asking = {name for name, text in rules.items() if "threads: MACHINE_CORES" in text}
    assert {"measure_group", "count_group"} < asking
    for name in asking - set(local_rules(root)):
        assert "cpus_per_task" in slurm["set-resources"][name], name


def test_what_measures_has_a_node_to_itself(slurm):
    for name in ("measure_group", "count_group"):
        wanted = slurm["set-resources"][name]
        assert "--exclusive" in wanted["slurm_extra"]
        assert wanted["cpus_per_task"] == "0 - 1"
    others = {n: r for n, r in slurm["set-resources"].items() if "slurm_extra" not in r}
    assert set(others) == {"build_pass", "generate_input"}


def asked_for(expression, attempt):
    """What an attempt asks for; a plain number is the same for all."""
    return eval(str(expression), {"attempt": attempt})


def test_what_was_killed_for_time_or_memory_gets_more_of_both(slurm):
    """A measuring job has the whole memory of its node (0) from the first."""
    wanted = {"default": slurm["default-resources"], **slurm["set-resources"]}
    for name, resources in wanted.items():
        for amount in ("runtime", "mem_mb"):
            if name in ("measure_group", "count_group") and amount == "mem_mb":
                assert resources[amount] == 0
            elif amount in resources:
                first, last = (asked_for(resources[amount], n) for n in (1, 1 + slurm["retries"]))
                assert last > first, f"{name}: {amount}"


def test_what_depends_on_the_processor_asks_for_its_model(rules):
    dependent = {name for name, text in rules.items() if "constraint=CONSTRAINT" in text}
    assert dependent == {"compile_kernel", "measure_group", "count_group"}


@pytest.mark.parametrize("constraint", ["null", "zen5&ib"])
def test_a_constraint_may_be_given_or_not(clone, constraint):
    assert "measure_group" in clone.planned(
        "figure13", config=(*clone.tiny, f"slurm={{constraint: {constraint}}}")
    )


def test_a_check_is_not_retried(root, rules):
    """It has set the failed groups aside: a second attempt would find nothing to check."""
    assert load_yaml(root / "profiles/slurm/config.yaml")["retries"] > 0
    assert "retries: 0" in rules["check_results"]


def test_the_memory_of_the_nodes_decides_what_is_too_large(clone):
    # Table 3 at paper scale has SpMSpV operands of some gigabytes.
    small = clone.planned("table3", "-p", config=("slurm={memory_gib: 1}",))
    large = clone.planned("table3", "-p", config=("slurm={memory_gib: 1000}",))
    assert '"too_large"' in small
    assert '"too_large"' not in large


def test_the_lock_file_pins_what_the_extra_asks_for(root):
    pinned = re.findall(r"^([a-z-]+)==", (root / "requirements-slurm.lock").read_text(), re.M)
    plugin = "snakemake-executor-plugin-slurm"
    assert sorted(pinned) == [plugin, f"{plugin}-jobstep"]


def test_a_file_system_without_locks_is_one_message(plan, monkeypatch, tmp_path):
    def refuse(*_):
        raise OSError(37, "No locks available")

    class Workflow:
        exec_mode = "default"

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.argv", ["snakemake", "figure13"])
    monkeypatch.setattr("fcntl.flock", refuse)
    with pytest.raises(UserError, match=r"no locks \(No locks available\).*mount option flock"):
        hold_run(plan, Workflow())


def test_what_many_jobs_say_is_repeated_once(plan, monkeypatch, tmp_path, capsys):
    monkeypatch.chdir(tmp_path)
    for name in ("a", "b", "c"):
        log = plan.run / "logs" / f"{name}.log"
        log.parent.mkdir(parents=True, exist_ok=True)
        log.write_text("working\nerror: this node is of another model\n")
    (plan.run / LOCK).touch()
    os.utime(plan.run / LOCK, (0, 0))
    print_failures_of(plan)
    said = capsys.readouterr().err
    assert said.count("error: this node is of another model") == 1
    assert ".log and 2 more)" in said

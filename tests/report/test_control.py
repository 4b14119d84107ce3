"""The A/A control: judged over the run, and by group after a correction; told where it fails."""

import random
import re

import pytest

from splyce_bench.configuration import load_yaml
from splyce_bench.errors import UserError
from splyce_bench.files import write_json
from splyce_bench.report.control import FAILED, PASSED, control_lines, judge_controls
from splyce_bench.report.headline import headline
from splyce_bench.report.page import render
from splyce_bench.report.records import records_of
from splyce_bench.report.tidy import tidy


def run_of(record, biases, **changes):
    return [record(density=1 + n, bias=bias, **changes) for n, bias in enumerate(biases)]


def test_the_same_kernel_is_the_same(record):
    control = judge_controls(run_of(record, [1.0] * 5))
    assert control.verdict == PASSED
    assert control.trusted
    assert [group.verdict for group in control.groups] == ["equal"] * 5
    assert re.match(r"A/A control passed: .* 1.00x \[1.00, 1.00\] over 60 pairs of 5 groups",
                    control_lines(control)[0])  # fmt: skip


def test_one_group_that_differs_fails_the_run(record):
    control = judge_controls(run_of(record, [1, 1, 1.05, 1, 1]))
    assert control.verdict == FAILED
    assert [group.verdict == FAILED for group in control.groups] == [0, 0, 1, 0, 0]
    told = control_lines(control)[1]
    assert told.startswith("A/A failed in table1: spgemm on 3 %, 1 core: 0.95x")
    assert "outside of 1 by more than 1.0 %" in told


def test_a_shift_too_small_for_any_claim_passes(record):
    assert judge_controls(run_of(record, [1.004] * 5)).verdict == PASSED


def test_a_bias_that_no_group_shows_alone_fails_when_pooled(record):
    """Eight repetitions of twelve groups cannot reach 5 % one by one."""
    control = judge_controls(run_of(record, [1.05] * 12, noise=0.05, repetitions=8))
    assert all(group.verdict != FAILED for group in control.groups)
    assert control.verdict == FAILED


def test_noise_alone_rarely_fails(record):
    """Two copies that lie 0.3 % apart by their place, on a machine with 3 % of noise."""
    source = random.Random(3)
    failed = 0
    for trial in range(60):
        biases = [1 + source.gauss(0, 0.003) for _ in range(6)]
        records = [
            record(experiment=f"e{trial}", density=n + 1, bias=bias, noise=0.03)
            for n, bias in enumerate(biases)
        ]
        failed += judge_controls(records).verdict == FAILED
    assert failed <= 3


def test_a_group_kept_in_two_experiments_counts_once(record):
    data = run_of(record, [1.0] * 3)
    assert len(judge_controls([*data, {**data[0], "experiment": "table2"}]).groups) == 3


def test_too_noisy_to_tell_is_told(record):
    lines = control_lines(judge_controls(run_of(record, [1.0] * 3, noise=0.1)))
    assert "3 too noisy to tell" in lines[0]
    assert lines[1].startswith("Widest A/A interval: table1: spgemm on ")


def test_no_control_no_trust_check(record):
    lines = control_lines(judge_controls([record(times={"baseline": None, "config5": 1})]))
    assert lines == ["A/A control not judged: no group measured its baseline twice."]


@pytest.fixture
def run(record, tmp_path):
    for number, bias in enumerate((1.0, 1.1)):
        write_json(tmp_path / f"raw/table1/{number}.json", record(density=1 + number, bias=bias))
    return tmp_path


def test_the_closing_lines_and_the_first_screen_say_so(run, root):
    assert "Not to be trusted" in headline(run).splitlines()[-1]
    entries = {"table1": load_yaml(root / "experiments" / "table1.yaml")}
    text = render(run, "smoke", entries, records_of(run))
    assert text.index("Not to be trusted") < text.index("At a glance")
    trusted = render(run, "smoke", entries, records_of(run)[:1])
    assert "Not to be trusted" not in trusted
    assert trusted.index("A/A control passed") < trusted.index("At a glance")


def test_the_control_is_no_row_of_a_table(record):
    assert set(tidy([record()])["pipeline"]) == {"baseline", "config5"}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('{"schema": 1}', "a record of version 1, expected 2; remove it"),
        ("[]", "not the record of a group"),
        ("{", "not the record of a group"),
    ],
)
def test_a_record_of_another_version_is_refused(tmp_path, text, told):
    path = tmp_path / "raw" / "x.json"
    path.parent.mkdir()
    path.write_text(text)
    with pytest.raises(UserError, match=f"{path}: {told}"):
        records_of(tmp_path)

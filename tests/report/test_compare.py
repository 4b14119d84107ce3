"""Two runs side by side: what differs, which ratios agree, which verdicts flip."""

import math
import subprocess
import sys

import pytest

from splyce_bench.compare.command import DISAGREE, compare
from splyce_bench.compare.ratios import APART, CLOSE, INSIDE, agreement
from splyce_bench.compare.run import load_run
from splyce_bench.errors import UserError
from splyce_bench.files import write_json
from splyce_bench.stats import Estimate


@pytest.fixture
def run_of(tmp_path, record):
    def make(name, config5=0.4, density=5.0, **changes):
        data = record(times={"baseline": 1.0, "config5": config5}, density=density, **changes)
        write_json(tmp_path / name / "raw" / "table1" / f"{density}.json", data)
        return tmp_path / name

    return make


def estimate(value, low, high):
    return Estimate(value, low, high, 10)


@pytest.mark.parametrize(
    ("ours", "theirs", "expected"),
    [
        ((2.0, 1.5, 2.5), (2.4, 2.39, 2.41), INSIDE),
        ((2.4, 2.39, 2.41), (2.0, 1.5, 2.5), INSIDE),
        ((2.0, 1.99, 2.01), (2.09, 2.08, 2.1), CLOSE),
        ((2.0, 1.9, 2.1), (2.2, 2.15, 2.3), APART),
        ((2.0, 0.0, math.inf), (3.0, 0.0, math.inf), APART),
    ],
)
def test_agreement(ours, theirs, expected):
    assert agreement(estimate(*ours), estimate(*theirs)) == expected


def test_the_same_run_agrees_with_itself(run_of, capsys):
    folder = run_of("a")
    assert compare(folder, folder) == 0
    out = capsys.readouterr().out
    assert "Provenance: the same." in out
    assert "1 ratios: 1 in the other's interval, 0 within 5 %, 0 APART; 0 verdicts flip" in out
    assert out.endswith("The runs agree.\n")
    assert "A/A control passed" in out


def test_what_differs_in_provenance_comes_first(run_of, capsys):
    host = {**load_run(run_of("x")).records[0]["host"], "cpu": "Other CPU"}
    a, b = run_of("a"), run_of("b", host=host, seed=2)
    assert compare(a, b) == 0
    out = capsys.readouterr().out
    assert "  host.cpu: Test CPU | Other CPU\n" in out
    assert "  seed: 1 | 2\n" in out
    assert out.index("host.cpu") < out.index("2.50x")


def test_a_ratio_apart_is_told_first_and_by_the_exit_code(run_of, capsys):
    a, b = run_of("a"), run_of("b", 0.3)
    run_of("a", density=1.0)
    run_of("b", density=1.0)
    assert compare(a, b) == DISAGREE
    rows = [
        line for line in capsys.readouterr().out.splitlines() if "x [" in line and "config5" in line
    ]
    assert "APART" in rows[0]
    assert "+33" in rows[0]
    assert "5 %, c1, config5" in rows[0]
    assert INSIDE in rows[1]


def test_a_verdict_that_flips_is_told(run_of, capsys):
    assert compare(run_of("a", 0.96), run_of("b", 1.05)) == DISAGREE
    out = capsys.readouterr().out
    assert "FLIPS faster -> slower" in out
    assert "THE RUNS DO NOT AGREE" in out


def test_what_others_kept_from_running_is_held_against_neither(run_of, capsys):
    """Two threads beside a busy process on two processors, a group that flips included."""
    beside = {"state": {"others": 0.9}, "cores": 2}
    assert compare(run_of("a", 0.9, cores=2), run_of("b", 1.3, **beside)) == 0
    out = capsys.readouterr().out
    assert "beside others            faster -> slower" in out
    assert "0 APART, 1 beside others; 0 verdicts flip" in out
    assert "B: Other processes used up to 0.9 processors beside 1 of 1 groups; 1 of these" in out


def test_with_a_processor_left_a_ratio_apart_is_apart(run_of, capsys):
    assert compare(run_of("a"), run_of("b", 0.3, state={"others": 1.0})) == DISAGREE
    assert "1 APART;" in capsys.readouterr().out


def test_a_cell_that_failed_in_one_run_is_a_disagreement(run_of, capsys):
    a, b = run_of("a"), run_of("b")
    run_of("a", density=1.0)
    run_of("b", None, density=1.0)
    assert compare(a, b) == DISAGREE
    out = capsys.readouterr().out
    assert "in one run only: table1: spgemm, 1 %, c1, config5: measured | failed: crashed" in out


def test_a_run_that_is_not_to_be_trusted_agrees_with_none(run_of, capsys):
    assert compare(run_of("a"), run_of("b", bias=1.1)) == DISAGREE
    assert "A/A control failed" in capsys.readouterr().out


def test_groups_of_one_run_only_are_told(run_of, capsys):
    a, b = run_of("a"), run_of("b")
    run_of("b", density=1.0)
    assert compare(a, b) == 0
    assert f"only in {b}: 1 groups: table1: spgemm, 1 %, c1" in capsys.readouterr().out


def test_nothing_in_common(run_of):
    with pytest.raises(UserError, match="no measured cell in common: table1 | table1"):
        compare(run_of("a"), run_of("b", density=1.0))


def test_no_such_folder(run_of, tmp_path):
    folder = run_of("a")
    with pytest.raises(
        UserError, match=f"no such folder; give a results folder; there is: {folder}"
    ):
        load_run(tmp_path / "b")
    (tmp_path / "empty").mkdir()
    with pytest.raises(UserError, match="no measurement in"):
        load_run(tmp_path / "empty")


def test_the_command(run_of, root):
    command = [sys.executable, "-c", "from splyce_bench.cli import main; main()", "compare"]
    command += [str(run_of("a")), str(run_of("b", 0.3))]
    result = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stderr) == (DISAGREE, "")

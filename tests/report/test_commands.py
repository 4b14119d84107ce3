"""The commands of the stage, one after the other on the files of a run."""

import os
import subprocess
import sys

import pandas as pd
import pytest

from splyce_bench.files import write_json


@pytest.fixture
def call(root):
    def run(*arguments):
        command = [sys.executable, "-m", "splyce_bench.report", *map(str, arguments)]
        environment = {**os.environ, "PYTHONPATH": str(root)}
        return subprocess.run(
            command, cwd=root, env=environment, capture_output=True, text=True, check=False
        )

    return run


def test_a_run_that_has_only_figure_13(record, call, tmp_path):
    raw = []
    for density, time in ((0.01, 1.0), (1, 0.4), (10, None)):
        raw.append(tmp_path / "raw" / "figure13" / f"{density}.json")
        write_json(raw[-1], record("figure13", {"baseline": 1, "config5": time}, density))
    tidy, stem = tmp_path / "tidy" / "figure13.csv", tmp_path / "figures" / "figure13"
    page = tmp_path / "report.html"
    for arguments in (
        ("tidy", "--experiment", "figure13", "--out", tidy, "--raw", *raw),
        ("figure", "--name", "figure13", "--tidy", tidy, "--style", "splyce")
        + ("--out-stem", stem),
        ("claims", "--scale", "smoke", "--out", tmp_path / "tidy" / "claims.csv", "--raw", *raw),
        ("html", "--run", tmp_path, "--scale", "smoke", "--out", page),
    ):
        result = call(*arguments)
        assert (result.returncode, result.stderr) == (0, "")
    verdicts = pd.read_csv(tmp_path / "tidy" / "claims.csv").set_index("claim")["verdict"]
    assert verdicts["parity-sparsest"] == "reproduced"
    assert verdicts["config5-best"] == "not testable here"
    assert "figure13, 10 %, config5: failed: crashed with SIGSEGV" in page.read_text()
    told = call("headline", "--run", tmp_path)
    assert "failed" in told.stdout
    assert "configuration 5 at 10 %, published 2.94x" in told.stdout


def test_an_experiment_that_does_not_exist_ends_in_one_line(call, tmp_path):
    result = call("tidy", "--experiment", "table99", "--out", tmp_path / "t.csv")
    assert result.returncode == 1
    assert result.stderr.startswith("error: ")
    assert "table99.yaml: no such file" in result.stderr
    assert not (tmp_path / "t.csv").exists()

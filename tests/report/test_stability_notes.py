"""What is unstable, drifts or falls in two modes is told beside the numbers."""

import math

import pandas as pd
import pytest

from splyce_bench.compile.pipelines import load_pipelines
from splyce_bench.configuration import load_yaml
from splyce_bench.report.cell_verdict import cell_verdict
from splyce_bench.report.page import render
from splyce_bench.report.stability_notes import stability_notes, stability_summary
from splyce_bench.report.tables import Heading, write_table
from splyce_bench.report.tidy import tidy
from splyce_bench.stats import Estimate


@pytest.mark.parametrize(
    ("value", "low", "high", "verdict"),
    [
        (2.0, 1.9, 2.1, "faster"),
        (0.8, 0.79, 0.81, "slower"),
        (1.05, 0.95, 1.2, "unstable"),
        (1.10, 1.01, 1.25, "unstable"),
        (1.001, 0.995, 1.005, "equal"),
        (2.0, 0.0, math.inf, "unstable"),
    ],
)
def test_cell_verdict(value, low, high, verdict):
    assert cell_verdict(Estimate(value, low, high, 10), 0.02) == verdict


def with_times(data, pipeline, factor_of):
    """The same record with a pipeline's times multiplied by a function of the repetition."""
    samples = [
        {**s, "kernel_ns": s["kernel_ns"] * factor_of(s["repetition"])}
        if s["pipeline"] == pipeline
        else s
        for s in data["samples"]
    ]
    return {**data, "samples": samples}


def test_a_quiet_cell_has_no_note(record):
    rows = tidy([record()])
    assert not [n for n in stability_notes(rows) if "config5" in n and "speedup" in n]
    assert rows.set_index("pipeline").loc["config5", "verdict"] == "faster"
    assert rows.set_index("pipeline")["verdict"].isna()["baseline"]


def test_a_ratio_that_drifts_is_told(record):
    rows = tidy([with_times(record(), "config5", lambda n: 1 - 0.01 * n)])
    told = [n for n in stability_notes(rows) if "speedup drifts" in n]
    assert told[0].startswith("5 %: speedup drifts over the repetitions: config5 +1")


def test_two_modes_of_a_ratio_are_told(record):
    rows = tidy([with_times(record(), "config5", lambda n: 1.2 if n % 3 else 1)])
    told = [n for n in stability_notes(rows) if "speedup falls in two groups" in n]
    assert "config5 2" in told[0]
    assert "% apart, 33 % in the upper" in told[0]


def noisy(record):
    return record(times={"baseline": 1.0, "config5": 0.98}, noise=0.1)


def test_the_notes_stand_below_the_table(record, root, tmp_path):
    pipelines = load_pipelines(root / "config" / "pipelines.yaml")
    write_table(tidy([noisy(record)]), pipelines, tmp_path / "t", Heading("T", "c", "smoke"))
    text = (tmp_path / "t.md").read_text()
    assert "5 %: unstable, the interval is wider than the difference from 1: config5 1." in text
    assert pd.read_csv(tmp_path / "t.csv").set_index("pipeline")["verdict"]["config5"] == "unstable"


def test_the_notes_stand_below_a_figure_of_the_page(record, root, tmp_path):
    rows = tidy([{**noisy(record), "experiment": "figure13"}])
    (tmp_path / "tidy").mkdir()
    rows.to_csv(tmp_path / "tidy" / "figure13.csv", index=False)
    entries = {"figure13": load_yaml(root / "experiments" / "figure13.yaml")}
    text = render(tmp_path, "smoke", entries, [noisy(record)])
    assert "5 %: unstable, the interval is wider" in text
    assert "Of 2 measured cells: 1 unstable" in text


def test_a_summary_without_findings(record):
    quiet = with_times(record(noise=0.0), "baseline", lambda n: 1)
    rows = tidy([quiet]).assign(time_drift=None, time_modes_ratio=None)
    assert "none unstable" in stability_summary(rows)
    assert stability_summary(rows.iloc[:0]) == ""

"""Goals beyond the paper: judged as claims are, in words of their own, and never among them."""

import pandas as pd
import pytest

from splyce_bench.configuration import load_yaml
from splyce_bench.report.claims import judge_all
from splyce_bench.report.comparison import write_comparison
from splyce_bench.report.goals import COLUMNS, goal_lines, goals_of, judge_goals
from splyce_bench.report.headline import headline
from splyce_bench.report.page import render
from splyce_bench.report.tables import Heading
from splyce_bench.report.tidy import tidy

TIMES = {"baseline": 1.0, "config5": 0.4, "auto": 0.2}


def goal(id, value, pipeline="auto"):
    text = f"{pipeline} is {value} times as fast as configuration 5."
    ratio = {"kind": "mean_at_least", "pipeline": pipeline, "over": "config5", "value": value}
    return {"id": id, "text": text, **ratio}


@pytest.fixture
def entry(root):
    """An experiment with a goal of each verdict."""
    goals = [goal("far", 4.0), goal("near", 1.5), goal("even", 2.0), goal("lost", 2.0, "workspace")]
    return {**load_yaml(root / "experiments" / "lanes.yaml"), "goals": goals, "claims": []}


@pytest.fixture
def records(record):
    return [record("lanes", {**TIMES, "workspace": None}, density) for density in (1, 5)]


def test_each_verdict_has_a_word_and_what_is_missing_a_figure(entry, records):
    table = judge_goals("lanes", entry, records, "smoke").set_index("goal")
    assert table["verdict"].to_dict() == {
        "far": "not reached",
        "near": "reached",
        "even": "undecided",
        "lost": "not testable here",
    }
    assert table.loc["far", "short_by_pct"] == pytest.approx(50, abs=1)
    assert table["short_by_pct"].notna().sum() == 1
    lines = goal_lines(table.reset_index())
    assert lines[0].startswith("not reached by 50.0 %: auto is 4.0 times as fast as configur")
    assert "configuration 5: geometric mean of 2: 2.0" in lines[0]
    assert lines[1].startswith("reached: ")
    assert lines[3].startswith("not testable here: ")


def test_goals_are_not_among_the_claims(entry, records):
    assert judge_all({"lanes": entry}, records).empty


def test_an_experiment_without_goals_has_an_empty_table(records):
    assert list(judge_goals("lanes", {"claims": []}, records, "smoke")) == COLUMNS


@pytest.fixture
def run(entry, records, tmp_path):
    (tmp_path / "tidy" / "goals").mkdir(parents=True)
    table = judge_goals("lanes", entry, records, "smoke")
    table.to_csv(tmp_path / "tidy" / "goals" / "lanes.csv", index=False)
    tidy(records).to_csv(tmp_path / "tidy" / "lanes.csv", index=False)
    return tmp_path


def test_the_closing_lines_and_the_page_tell_them_apart_from_the_claims(entry, records, run):
    told = headline(run)
    assert "goals beyond the paper: 1 reached, 1 not reached, 1 undecided, 1 not testable" in told
    assert "claims:" not in told
    text = render(run, "smoke", {"lanes": entry}, records)
    assert "No claim was judged in this run." in text
    goals = text.partition('id="goals"')[2]
    assert '<td class="verdict not-reached">not reached by 50' in goals
    assert '<td class="verdict reached">reached</td>' in goals
    assert text.index('id="beyond"') < text.index('id="goals"') < text.index('id="lanes"')


def test_a_run_without_goals_says_nothing_of_them(record, tmp_path):
    assert goals_of(tmp_path).empty
    text = render(tmp_path, "smoke", {}, [record()])
    assert 'id="goals"' not in text


def test_a_table_ends_with_them(records, run, tmp_path):
    lines = tuple(goal_lines(goals_of(run)))
    write_comparison(tidy(records), tmp_path / "t", Heading("T", "c", "smoke", lines))
    text = (tmp_path / "t.md").read_text().rstrip().splitlines()
    assert text[-1].startswith("not testable here: ")
    assert len([line for line in text if ": geometric mean of 2: " in line]) == 3


def test_the_goals_of_lanes_are_about_what_is_measured_there(root):
    """A typing error in a density or kernel would leave one untestable for ever."""
    experiments = [load_yaml(path) for path in sorted((root / "experiments").glob("*.yaml"))]
    with_goals = [entry for entry in experiments if "goals" in entry]
    assert len(with_goals) == 3
    for entry in with_goals:
        kernels = {group["kernel"]: group for group in entry["groups"]}
        assert len({g["id"] for g in entry["goals"]}) == len(entry["goals"])
        for wanted in entry["goals"]:
            mine = [kernels[wanted["kernel"]]] if "kernel" in wanted else kernels.values()
            pipelines = {name for group in mine for name in group["pipelines"]}
            named = {wanted.get("pipeline"), wanted.get("over"), *wanted.get("among", [])}
            assert named - {None} <= pipelines, wanted["id"]
            for density in wanted.get("density_pct", []):
                assert all(density in group["inputs"]["density_pct"] for group in mine)


def test_goals_are_read_as_they_were_written(entry, records, run):
    written = judge_goals("lanes", entry, records, "smoke")
    pd.testing.assert_frame_equal(goals_of(run), written, check_dtype=False)

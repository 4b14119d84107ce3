"""What was measured corrects what is planned, and earlier plans are held to what they said."""

import json
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from splyce_bench.errors import UserError
from splyce_bench.files import key_of
from splyce_bench.forecast.calibration import Calibration
from splyce_bench.forecast.history import load_history
from splyce_bench.forecast.model import Model
from splyce_bench.forecast.work import Work

SETTINGS = {
    "processes": 1,
    "min_repetitions": 10,
    "max_repetitions": 50,
    "max_seconds": 300,
    "min_sample_ms": 2,
    "timeout_seconds": 100,
}
WORK = Work("spgemm", False, 1e9, 100, 1000, 800, 2, 1, 1)
MODEL = Model(Calibration(2.0, 0.5), SETTINGS)


def entry(work, factor, cpu="this"):
    seconds = factor * MODEL.group_s(work)
    return {"cpu": cpu, "settings": key_of(SETTINGS), "seconds": seconds, "work": asdict(work)}


@pytest.fixture
def history(tmp_path):
    return load_history(tmp_path)


def test_without_a_history_the_model_stands(history):
    assert history.factor(WORK, "this", MODEL) == 1.0


def test_the_same_input_counts_before_the_kernel_and_the_kernel_before_others(history):
    history.groups["other"] = entry(replace(WORK, kernel="spmspv"), 4.0)
    assert history.factor(WORK, "this", MODEL) == pytest.approx(4.0)
    history.groups["kernel"] = entry(replace(WORK, steps=1e7), 3.0)
    assert history.factor(WORK, "this", MODEL) == pytest.approx(3.0)
    history.groups["same"] = entry(replace(WORK, steps=1.02e9), 2.0)
    assert history.factor(WORK, "this", MODEL) == pytest.approx(2.0)


def test_a_history_from_before_libraries_were_counted_is_read(history):
    old = entry(WORK, 2.0)
    del old["work"]["libraries"]
    history.groups["old"] = old
    assert history.factor(WORK, "this", MODEL) == pytest.approx(2.0)


def test_another_processor_teaches_nothing(history):
    history.groups["a"] = entry(WORK, 3.0, cpu="that")
    assert history.factor(WORK, "this", MODEL) == 1.0


def test_a_synthetic_input_teaches_nothing_about_a_matrix(history):
    history.groups["a"] = entry(WORK, 3.0)
    assert history.factor(replace(WORK, real=True), "this", MODEL) == 1.0


def record(group, seconds, finished):
    found = {"experiment": "figure13", "group": group}
    return {**found, "seconds": seconds, "finished": finished}


def test_an_earlier_plan_is_held_to_what_it_said(history, tmp_path):
    run = str(tmp_path / "results" / "smoke")
    plan = {"target": "figure13", "run": run, "groups": {"figure13/a": 10, "figure13/b": 20}}
    history.remember(plan)
    again = load_history(tmp_path)
    made = again.plans[0]["made"]
    records = [record("a", 15, made + 5), record("b", 99, made - 5), record("c", 1, made + 5)]
    found = again.errors({Path(run): records})
    assert [(e.about, e.groups, e.planned, e.taken) for e in found] == [
        ("figure13 in smoke", 1, 10, 15)
    ]
    assert found[0].factor == pytest.approx(1.5)
    assert again.errors({}) == []


@pytest.mark.parametrize("text", ["{", "[]", json.dumps({"groups": {}})])
def test_a_damaged_history_is_named(tmp_path, text):
    (tmp_path / "history.json").write_text(text)
    with pytest.raises(UserError, match="history.json: not the history that .* remove it"):
        load_history(tmp_path)

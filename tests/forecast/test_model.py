"""Expected seconds on a machine whose calibration is given."""

from dataclasses import replace

import pytest

from splyce_bench.forecast.calibration import Calibration, calibrate
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


@pytest.fixture
def model():
    return Model(Calibration(step_ns=2.0, start_s=0.5), SETTINGS)


def test_a_call_is_its_steps(model):
    assert model.call_s(WORK) == pytest.approx(2.0)
    assert model.call_s(replace(WORK, cores=2)) == pytest.approx(1.0)


def test_a_group_takes_at_least_its_repetitions(model):
    # Two calls of 2 s and one of 1 s, ten times, and checked twice.
    assert 60 < model.group_s(WORK) < 120


def test_the_cap_holds_after_the_least_repetitions(model):
    long = replace(WORK, steps=1e10)
    assert 10 * 50 < model.group_s(long) < 10 * 50 + 2 * 50 + 20


def test_short_calls_cost_their_batches(model):
    assert model.group_s(replace(WORK, steps=1.0)) == pytest.approx(1.5 + 16 * 3 * 0.002, abs=0.01)


def test_a_call_beyond_the_time_limit_costs_the_limit(model):
    # 400 s scalar and 200 s vectorized: each is stopped after 100 s, and none is sampled.
    assert model.group_s(replace(WORK, steps=2e11)) < 2 * 3 * 100 + 400


def test_a_library_takes_less_than_one_more_pipeline(model):
    own = model.group_s(WORK)
    library = model.group_s(replace(WORK, libraries=1)) - own
    assert 0 < library < model.group_s(replace(WORK, vectorized=2)) - own
    assert model.group_s(replace(WORK, libraries=2)) == pytest.approx(own + 2 * library)


def test_jobs_side_by_side_share_the_cores(model):
    jobs = {"compile_kernel": 40}
    assert model.others_s(jobs, 4) < model.others_s(jobs, 1) / 2


def test_the_calibration_is_of_this_machine():
    found = calibrate()
    assert found.step_ns > 0
    assert found.start_s > 0

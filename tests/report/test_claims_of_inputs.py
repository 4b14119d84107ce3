"""Kinds of claim over all inputs: means, the lowest ratio, the fastest rival, bits."""

import pytest

from splyce_bench.report.claims import judge

TIMES = {"baseline": 1.0, "config5": 0.5, "workspace": 0.25, "auto": 0.2}


@pytest.fixture
def on(record):
    """A record of an input, with checksums: those in `other` have other bits than the rest."""

    def make(label="G/a", other=(), noise=0.002, repetitions=12, **times):
        data = record("x", {**TIMES, **times}, noise=noise, repetitions=repetitions)
        data["input"] = {"label": label, "density_pct": None, "matrix": label}
        data["checks"] = {n: {"checksum": n if n in other else "same"} for n in data["cells"]}
        return data

    return make


def judged(claim, *records, scale=""):
    return judge({"id": "c", "text": "t", **claim}, list(records), scale)


@pytest.mark.parametrize(
    ("value", "expected"), [(2.4, "reproduced"), (2.6, "not reproduced"), (2.5, "undecided")]
)
def test_a_mean_over_another_pipeline(on, value, expected):
    claim = {"kind": "mean_at_least", "pipeline": "auto", "over": "config5", "value": value}
    verdict, seen = judged(claim, on("G/a", config5=0.4), on("G/b", auto=0.16))
    assert verdict == expected
    assert "geometric mean of 2: 2.5" in seen
    assert " over config5, lowest 2.0" in seen
    assert seen.endswith("on G/a")


def test_a_kind_of_each_group_over_another_pipeline(on):
    claim = {"kind": "at_least", "pipeline": "auto", "over": "config5", "value": 2.0}
    assert judged(claim, on())[0] == "reproduced"
    assert judged(claim, on(config5=0.3))[0] == "not reproduced"


def test_an_input_without_a_ratio_leaves_a_mean_open_or_is_left_out(on):
    claim = {"kind": "mean_at_least", "pipeline": "auto", "value": 4.0}
    records = [on("G/a"), on("G/b", auto=None)]
    assert judged(claim, *records)[0] == "not testable here"
    verdict, seen = judged({**claim, "missing": "left_out"}, *records)
    assert verdict == "reproduced"
    assert "geometric mean of 1 of 2: " in seen
    nothing = judged({**claim, "missing": "left_out"}, on(auto=None))
    assert nothing == ("not testable here", "auto not measured on G/a")


NONE_BELOW = {"kind": "none_below", "pipeline": "auto", "value": 0.97}


@pytest.mark.parametrize(
    ("time", "noise", "expected"),
    [
        (1.01, 0.0, "reproduced"),
        (1.10, 0.0, "not reproduced"),
        # Lower than the limit, but the interval includes 1.
        (1.06, 0.3, "reproduced"),
    ],
)
def test_no_input_is_surely_slower(on, time, noise, expected):
    records = [on("G/a"), on("G/b", auto=time, noise=noise)]
    verdict, seen = judged(NONE_BELOW, *records)
    assert verdict == expected
    assert "lowest: G/b " in seen
    lost = 1 if expected == "not reproduced" else 0
    below = 1 if time > 1.03 else 0
    assert f"{below} of 2 below 0.97" in seen
    assert (f", {lost} of them with an interval below 1" in seen) == bool(below)


def test_a_slow_input_without_an_interval_is_undecided(on):
    few = on("G/b", auto=2.0, repetitions=3)
    assert judged(NONE_BELOW, on("G/a"), few)[0] == "undecided"
    assert judged(NONE_BELOW, on("G/a"), few, on("G/c", auto=2.0))[0] == "not reproduced"
    assert judged(NONE_BELOW, on(auto=None))[0] == "not testable here"


NEAR = {"kind": "near_best", "pipeline": "auto", "among": ["baseline", "workspace"]}


@pytest.mark.parametrize(
    ("value", "expected"), [(1.3, "reproduced"), (1.1, "not reproduced"), (1.2, "undecided")]
)
def test_the_fastest_rival_is_chosen_on_each_input(on, value, expected):
    """On one the workspace is the fastest, on the other the baseline: 0.36 / 0.25, 1 / 1."""
    records = [on("G/a", auto=0.36), on("G/b", auto=1.0, workspace=3.0)]
    verdict, seen = judged({**NEAR, "value": value}, *records)
    assert verdict == expected
    assert seen.startswith("auto takes 1.20x [")
    assert "geometric mean of 2, worst 1.44x [" in seen
    assert seen.endswith("on G/a beside workspace")


def test_a_rival_that_a_group_does_not_have_is_none(on):
    claim = {**NEAR, "value": 1.3, "among": ["workspace", "ref-workspace"]}
    assert judged(claim, on())[0] == "reproduced"
    assert judged({**claim, "among": ["ref-workspace"]}, on())[0] == "not testable here"
    lost = on("G/b", workspace=None)
    assert judged(claim, on(), lost)[0] == "not testable here"
    verdict, seen = judged({**claim, "missing": "left_out"}, on(), lost)
    assert verdict == "reproduced"
    assert "geometric mean of 1 of 2" in seen


def test_a_rival_without_an_interval_decides_nothing(on):
    verdict, seen = judged({**NEAR, "value": 1.3}, on(repetitions=3))
    assert verdict == "undecided"
    assert "[few repetitions]" in seen


def test_the_bits_of_the_baseline(on):
    claim = {"kind": "same_bits", "pipelines": ["auto"]}
    verdict, seen = judged(claim, on("G/a"), on("G/b"), on("G/c", auto=None))
    assert (verdict, seen) == ("reproduced", "auto: the same bits on 2 of 2")
    verdict, seen = judged(claim, on("G/a"), on("G/b", other=["auto"]))
    assert (verdict, seen) == ("not reproduced", "auto: the same bits on 1 of 2; others on G/b")
    assert judged(claim, on(auto=None))[0] == "not testable here"
    other = on(other=["auto", "config5"])
    other["checks"]["config5"] = other["checks"]["auto"]
    assert judged({**claim, "over": "config5"}, other)[0] == "reproduced"


def test_a_claim_about_the_papers_scale(on):
    claim = {"kind": "mean_at_least", "pipeline": "auto", "value": 4.0, "needs": ["paper scale"]}
    assert judged(claim, on(), scale="paper")[0] == "reproduced"
    verdict, seen = judged(claim, on(), scale="smoke")
    assert verdict == "not testable here"
    assert seen == "it is about the paper's scale, this run is 'smoke'"

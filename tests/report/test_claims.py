"""Verdicts: one test a kind, and one a verdict."""

import pytest

from splyce_bench.report.claims import judge, judge_all

GAIN = {"kind": "sign", "pipeline": "config5", "expect": "gain"}


def verdict(claim, *records):
    return judge({"id": "c", "text": "t", "section": "1", **claim}, list(records))[0]


def test_a_gain_and_a_loss(record):
    assert verdict(GAIN, record(times={"baseline": 1, "config5": 0.5})) == "reproduced"
    assert verdict(GAIN, record(times={"baseline": 1, "config5": 2})) == "not reproduced"
    loss = {**GAIN, "expect": "loss"}
    assert verdict(loss, record(times={"baseline": 1, "config5": 2})) == "reproduced"


def test_an_interval_that_straddles_is_undecided(record):
    noisy = record(times={"baseline": 1, "config5": 1}, noise=0.05)
    assert verdict(GAIN, noisy) == "undecided"


def test_too_few_repetitions_decide_nothing(record):
    few = record(times={"baseline": 1, "config5": 0.2}, repetitions=3)
    assert verdict(GAIN, few) == "undecided"


@pytest.mark.parametrize(
    ("times", "expected"),
    [
        ({"baseline": 1, "config5": 0.3, "config7": 0.4}, "reproduced"),
        ({"baseline": 1, "config5": 0.4, "config7": 0.3}, "not reproduced"),
        ({"baseline": 1, "config5": 0.3, "config7": 0.3}, "undecided"),
    ],
)
def test_the_best_of_several(record, times, expected):
    claim = {"kind": "best", "pipeline": "config5", "among": ["config7"]}
    assert verdict(claim, record(times=times, noise=0.01)) == expected


def test_the_slowest(record):
    claim = {"kind": "slowest", "pipelines": ["config2"], "among": ["config1"]}
    times = {"baseline": 1, "config1": 0.4, "config2": 0.5}
    assert verdict(claim, record(times=times)) == "reproduced"
    times = {"baseline": 1, "config1": 0.5, "config2": 0.4}
    assert verdict(claim, record(times=times)) == "not reproduced"


@pytest.mark.parametrize(("ratio", "expected"), [(1.0, "reproduced"), (1.3, "not reproduced")])
def test_within_a_tolerance(record, ratio, expected):
    claim = {"kind": "within", "pipeline": "config5", "value": 1.0, "tolerance": 0.05}
    times = {"baseline": 1, "config5": 1 / ratio}
    assert verdict(claim, record(times=times)) == expected


def test_at_least_and_range(record):
    times = {"baseline": 1, "config5": 0.4}
    assert verdict({**GAIN, "kind": "at_least", "value": 2.0}, record(times=times)) == "reproduced"
    assert verdict({**GAIN, "kind": "range", "range": [3, 4]}, record(times=times)) == (
        "not reproduced"
    )


def test_object_code(record):
    data = record(times={"baseline": 1, "config5": 0.4, "config5-w8": 0.4})
    spills = {"kind": "object", "pipeline": "config5-w8", "fact": "mask_spills"}
    assert verdict({**spills, "relation": "some"}, data) == "reproduced"
    assert verdict({**spills, "relation": "more", "than": "config5"}, data) == "reproduced"
    assert verdict({**spills, "relation": "none"}, data) == "not reproduced"


@pytest.mark.parametrize(("need", "why"), [("avx512", "AVX-512"), ("32 cores", "2 cores")])
def test_what_the_machine_lacks_is_said(record, need, why):
    found, reason = judge({**GAIN, "needs": [need]}, [record()])
    assert found == "not testable here"
    assert why in reason


def test_a_failed_cell_makes_a_claim_untestable(record):
    found, reason = judge(GAIN, [record(times={"baseline": 1, "config5": None})])
    assert found == "not testable here"
    assert "config5 not measured" in reason


def test_a_pipeline_that_rewrote_nothing_supports_no_claim(record):
    lazy = record()
    lazy["compiled"]["config5"]["rewritten"] = 0
    assert verdict(GAIN, lazy) == "not testable here"


def test_only_the_densities_it_is_about(record):
    claim = {**GAIN, "density_pct": [5]}
    slow = record(times={"baseline": 1, "config5": 2}, density=0.01)
    assert verdict(claim, slow, record()) == "reproduced"


def test_an_experiment_that_did_not_run(record):
    claim = {"id": "c", "text": "t", "section": "1", **GAIN}
    table = judge_all({"figure13": {"claims": [claim]}}, [record()])
    assert table["verdict"].tolist() == ["not testable here"]
    assert "not part of this run" in table["seen"][0]


def test_one_loss_decides_although_another_cell_is_missing(record):
    claim = {"kind": "sign", "pipelines": ["config1", "config5"], "expect": "gain"}
    data = record(times={"baseline": 1, "config1": None, "config5": 2})
    found, seen = judge(claim, [data])
    assert found == "not reproduced"
    assert "config5 0.50x" in seen


def test_a_density_that_was_not_measured_leaves_a_gap(record):
    found, reason = judge({**GAIN, "density_pct": [5, 10]}, [record()])
    assert found == "not testable here"
    assert reason == "10 % is not part of this run"


def test_an_unmeasured_rival_leaves_the_ranking_open(record):
    claim = {"kind": "best", "pipeline": "config5", "among": ["config6", "config7"]}
    times = {"baseline": 1, "config5": 0.3, "config6": 0.4, "config7": None}
    assert verdict(claim, record(times=times)) == "not testable here"
    assert verdict(claim, record(times={**times, "config6": 0.2})) == "not reproduced"


@pytest.mark.parametrize(
    ("time", "size"), [(0.25, "larger than"), (0.5, "smaller than"), (1 / 2.78, "as")]
)
def test_a_ranking_is_judged_by_its_direction_and_the_size_is_told(record, time, size):
    claim = {"kind": "best", "pipeline": "config5", "among": ["config7"], "published": 2.78}
    times = {"baseline": 1, "config5": time, "config7": 0.9}
    found, seen = judge(claim, [record(times=times, noise=0.01)])
    assert found == "reproduced"
    assert f"{size} the published 2.78x" in seen
    assert "against its closest rival, config7" in seen


def test_rivals_are_paired_with_each_other_within_repetitions(record):
    """Single times drift by 30 %; 1 % between two pipelines is seen all the same."""
    claim = {"kind": "best", "pipeline": "config5", "among": ["config7"]}
    times = {"baseline": 1, "config5": 0.400, "config7": 0.404}
    assert verdict(claim, record(times=times, noise=0.001)) == "reproduced"


@pytest.mark.parametrize("lack", ["pipeline", "fact"])
def test_an_object_claim_without_its_count(record, lack):
    claim = {"kind": "object", "pipeline": "config5", "fact": "mask_spills", "relation": "some"}
    claim |= {"pipeline": {"pipeline": "config9"}, "fact": {"fact": "nonsense"}}[lack]
    found, reason = judge(claim, [record()])
    assert found == "not testable here"
    assert "no count of" in reason


def counted(**misses):
    """A group of simulated counters, or of none where a count is None."""
    kinds = {
        name: {
            **{"kind": "simulated" if count else "unavailable", "model": "callgrind"},
            **{"branch_misses": count, "instructions": None, "cycles": None, "topdown_l1": None},
            "unavailable": {} if count else {"all": "no valgrind"},
        }
        for name, count in misses.items()
    }
    return {"baseline": "baseline", "counters": kinds, **INPUT}


INPUT = {"kernel": "spgemm", "cores": 1, "input": {"density_pct": 5, "matrix": None}}
FEWER = {"kind": "counter_ratio", "fact": "branch_misses", "value": 6.4, "tolerance": 0.25}


@pytest.mark.parametrize(
    ("misses", "expected"),
    [(100, "reproduced"), (640, "not reproduced"), (None, "not testable here")],
)
def test_a_ratio_of_counters(misses, expected):
    group = counted(baseline=640, config5=misses)
    group["host"] = {"vector_extensions": [], "physical_cores": 2}
    found, seen = judge({**FEWER, "pipelines": ["config5"]}, [group])
    assert found == expected
    assert ("simulated by callgrind" in seen) == bool(misses)


def test_more_of_a_counter_than_another():
    claim = {"kind": "counter_more", "fact": "branch_misses"}
    group = counted(baseline=640, config1=200, config5=100)
    group["host"] = {"vector_extensions": [], "physical_cores": 2}
    more = {**claim, "pipelines": ["config1"], "others": ["config5"]}
    assert judge(more, [group])[0] == "reproduced"
    fewer = {**claim, "pipelines": ["config5"], "others": ["config1"]}
    assert judge(fewer, [group])[0] == "not reproduced"
    best = {"kind": "counter_best", "fact": "ipc", "pipeline": "config1", "among": ["config5"]}
    assert judge(best, [group])[0] == "not testable here"


def test_verdicts_carry_the_scale(record):
    claim = {"id": "c", "text": "t", "section": "1", **GAIN}
    table = judge_all({"table1": {"claims": [claim]}}, [record()], "smoke")
    assert table["scale"].tolist() == ["smoke"]
    assert table["verdict"].tolist() == ["reproduced"]


def on(record, label, time, kernel="spgemm", cores=1, checksum="a", **changes):
    """A record of another input, kernel or core count."""
    data = record(times={"baseline": 1.0 / cores, "config5": time / cores}, **changes)
    data["input"] = {"label": label, "density_pct": None, "matrix": label}
    checks = {name: {"checksum": checksum} for name in data["cells"]}
    return {**data, "kernel": kernel, "cores": cores, "checks": checks}


@pytest.mark.parametrize(
    ("value", "expected"), [(2.2, "reproduced"), (2.4, "not reproduced"), (5**0.5, "undecided")]
)
def test_the_geometric_mean(record, value, expected):
    claim = {"kind": "mean_at_least", "pipeline": "config5", "value": value}
    records = [on(record, "G/a", 0.4), on(record, "G/b", 0.5)]
    assert verdict(claim, *records) == expected
    assert "geometric mean of 2: 2.2" in judge(claim, records)[1]


def test_a_mean_with_a_gap_or_of_nothing_is_not_testable(record):
    claim = {"kind": "mean_at_least", "pipeline": "config5", "value": 1.0}
    gap = record(times={"baseline": 1, "config5": None})
    assert verdict(claim, on(record, "G/a", 0.4), gap) == "not testable here"
    assert verdict({**claim, "kernel": "spmmh"}, record()) == "not testable here"


FEW = {"kind": "few_below", "pipeline": "config5", "value": 0.95, "share": 0.25}


@pytest.mark.parametrize(
    ("times", "expected"),
    [
        ((0.4, 0.5, 0.6, 2.0), "reproduced"),
        ((0.4, 0.5, 2.0, 2.0), "not reproduced"),
        ((0.4, 0.5, 1 / 0.95, 2.0), "undecided"),
    ],
)
def test_few_lose_speed(record, times, expected):
    records = [on(record, f"G/{number}", time) for number, time in enumerate(times)]
    assert verdict(FEW, *records) == expected
    assert "G/3 0.50x [0.50, 0.50]" in judge(FEW, records)[1]


def test_the_same_matrix_counts_once_a_kernel(record):
    records = [on(record, "G/a", 2.0), on(record, "G/a", 2.0, "spmspv"), on(record, "G/b", 0.5)]
    found, seen = judge(FEW, records)
    assert found == "not reproduced"
    assert seen.startswith("2 of 3 below 0.95; lowest: spgemm, G/a")


def test_only_what_was_measured_is_counted(record):
    lost = record(times={"baseline": 1, "config5": None})
    assert verdict(FEW, on(record, "G/a", 0.5), lost) == "reproduced"
    assert verdict(FEW, lost) == "not testable here"


SCALING = {"kind": "scaling", "pipeline": "config5", "value": 0.8}


@pytest.mark.parametrize(
    ("gain", "expected"), [(1.9, "reproduced"), (1.2, "not reproduced"), (1.6, "undecided")]
)
def test_scaling_is_judged_on_the_counts_there_are(record, gain, expected):
    """The times of two processes drift apart by up to 30 %, and so their interval is wide."""
    two = on(record, "5 %", 0.4 * 2 / gain, cores=2, repetitions=200)
    one = on(record, "5 %", 0.4, repetitions=200)
    lost = {**on(record, "5 %", 0.4, cores=4), "samples": [], "cells": {}}
    found, seen = judge(SCALING, [one, two, lost])
    assert found == expected
    assert "on 2 cores, 5 %" in seen


@pytest.mark.parametrize("gain", [1.9, 1.2])
def test_scaling_beside_others_is_open_and_says_so(record, gain):
    """Two threads and a busy process on two processors: neither finding is the kernel's."""
    two = on(record, "5 %", 0.4 * 2 / gain, cores=2, repetitions=200, state={"others": 0.94})
    found, seen = judge(SCALING, [on(record, "5 %", 0.4, repetitions=200), two])
    assert found == "undecided"
    assert "on 2 cores, 5 %: others used 0.9 of 2 processors beside it" in seen


def test_scaling_with_a_processor_left_is_judged(record):
    beside = {"state": {"others": 1.0}, "host": {**record()["host"], "logical_cpus": 4}}
    two = on(record, "5 %", 0.4 * 2 / 1.9, cores=2, repetitions=200, **beside)
    assert judge(SCALING, [on(record, "5 %", 0.4, repetitions=200), two])[0] == "reproduced"


def test_scaling_without_two_counts_or_its_own_count(record):
    one, two = on(record, "5 %", 0.4), on(record, "5 %", 0.4, cores=2)
    assert verdict(SCALING, one) == "not testable here"
    assert verdict({**SCALING, "cores": 32}, one, two) == "not testable here"


def test_the_same_bits_on_every_count(record):
    claim = {"kind": "same_result", "pipelines": ["baseline", "config5"]}
    one, two = on(record, "5 %", 0.4), on(record, "5 %", 0.4, cores=2)
    assert verdict(claim, one, two) == "reproduced"
    other = on(record, "5 %", 0.4, cores=4, checksum="b")
    found, seen = judge(claim, [one, two, other])
    assert found == "not reproduced"
    assert "config5 different bits on 1, 2, 4 cores, 5 %" in seen
    assert verdict(claim, one) == "not testable here"


def test_a_claim_about_one_matrix_of_one_kernel(record):
    claim = {**GAIN, "matrix": "G/a", "kernel": "spmspv"}
    records = [on(record, "G/a", 2.0), on(record, "G/a", 0.5, "spmspv"), on(record, "G/b", 2.0)]
    assert verdict(claim, *records) == "reproduced"
    assert verdict(claim, records[0]) == "not testable here"

"""perf's output of many versions says the same through one parser; what it lacks is never 0."""

import pytest

from splyce_bench.counters.perf_output import event_name, parse_perf
from splyce_bench.counters.record import add_counts, empty_record
from splyce_bench.counters.topdown import METHODS1, METHODS2
from splyce_bench.errors import UserError

INTEL, PIPELINE, TOPDOWN, DISPATCH = METHODS1


@pytest.mark.parametrize("name", ["perf-6.1-software.json", "perf-6.1-software.csv"])
def test_real_recordings(recording, name):
    found = recording(name)
    assert set(found.readings) == {"task-clock", "context-switches", "page-faults"}
    assert found.value("task-clock") > 0
    assert found.least_share == 100
    assert found.notes() == {}


@pytest.mark.parametrize("name", ["perf-6.1-no-pmu.json", "perf-6.1-no-pmu.csv"])
def test_not_supported_is_no_number_and_no_share(recording, name):
    found = recording(name)
    events = ("cycles", "instructions", "branches", "branch-misses")
    assert found.notes() == dict.fromkeys(events, "not supported")
    assert found.least_share is None


def test_columns_of_versions(recording):
    old, new, newest = (recording(f"documented-{v}.csv") for v in ("5.15", "6.8", "6.11"))
    for found in (old, new, newest):
        assert (found.value("cycles"), found.value("instructions")) == (3.0e9, 3.9e9)
    assert old.notes() == {"branches": "not supported", "branch-misses": "not counted"}
    assert new.metrics["tma_frontend_bound"] == 24.9
    assert newest.least_share is None, "a missing share is unknown, not 100 %"


def test_decimal_commas(recording):
    found = recording("documented-german-5.15.csv")
    assert found.value("task-clock") == 0.31
    assert found.least_share == 66.67
    with pytest.raises(UserError, match=r"no-separator\.csv:3: .*LC_ALL=C"):
        recording("documented-no-separator.csv")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"counter-value" : "1", "event" : "cycles", "pcnt-running" : 100,00}', "LC_ALL=C"),
        ("12;;", "x"),
        ("abc;;cycles;1;100.00", "expected a number, found 'abc'"),
        ("hello", "expected value, unit, event"),
    ],
)
def test_what_cannot_be_read_is_told_with_its_line(text, message):
    if message == "x":
        assert parse_perf(text, "perf.txt").readings == {}
        return
    with pytest.raises(UserError, match=r"perf\.txt:1: ") as error:
        parse_perf(text, "perf.txt")
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("cycles:u", "cycles"),
        ("cpu_core/cpu-cycles/u", "cycles"),
        ("branch-instructions", "branches"),
        ("cpu/event=0x1a0,umask=0x01,name=frontend/u", "frontend"),
        ("ls_not_halted_cyc:uk", "ls_not_halted_cyc"),
    ],
)
def test_event_names(text, name):
    assert event_name(text) == name


def test_multiplexed_values_are_marked_or_refused(recording):
    record = empty_record("measured", "CPU")
    add_counts(record, recording("documented-multiplexed-6.8.json"), 2, 75)
    assert record["cycles"] == 1.5e9
    assert record["scaled"] == ["instructions"]
    assert record["branches"] is None
    assert "33.3 % of the time only, 75 %" in record["unavailable"]["branches"]
    assert record["unavailable"]["branch_misses"].startswith("not counted: too many events")


def test_hybrid_events_lose_their_pmu(recording):
    assert recording("documented-hybrid-6.8.json").value("instructions") == 6.0e9


def test_intel_levels(recording):
    folder = "documented-intel-sapphire-rapids-6.8"
    level1 = INTEL.compute(recording(f"{folder}/level1.json"))
    assert level1 == pytest.approx(
        {"retiring": 20, "bad_speculation": 10, "frontend_bound": 5, "backend_bound": 65}
    )
    level2 = METHODS2[0].compute(recording(f"{folder}/level2.json"))
    assert sum(level2.values()) == pytest.approx(100)
    assert level2["branch_mispredicts"] == pytest.approx(9)


def test_metric_groups(recording):
    found = TOPDOWN.compute(recording("documented-tma-metrics-6.8.json"))
    assert found["backend_bound"] == 60
    assert "core_bound" not in found


def test_amd_events_agree_with_perfs_own_metrics(recording):
    folder = "documented-amd-zen4-6.8"
    own = PIPELINE.compute(recording(f"{folder}/PipelineL1.json"))
    assert own == pytest.approx(DISPATCH.compute(recording(f"{folder}/dispatch.json")))
    level2 = METHODS2[1].compute(recording(f"{folder}/PipelineL2.json"))
    assert level2["backend_bound_cpu"] == 8


def test_amd_before_zen4_is_told(recording):
    found = recording("documented-amd-zen4-6.8/dispatch.json")
    for name in ("frontend", "backend"):
        reading = found.readings[name]
        found.readings[name] = type(reading)(name, 0.0, 100.0)
    assert "Zen 4 or later" in DISPATCH.compute(found)


def test_a_group_too_large_divides_nothing(recording):
    why = INTEL.compute(recording("documented-watchdog-5.15.csv"))
    assert why.startswith("slots, topdown-retiring, ")
    assert "not counted: too many events for the free counters (the NMI watchdog and SMT" in why

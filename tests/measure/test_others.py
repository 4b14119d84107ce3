"""What other processes used meanwhile, on a made-up /proc."""

import resource
from types import SimpleNamespace

import pytest

from splyce_bench.measure.others import OthersWatch
from splyce_bench.report.others import crowded, others_lines


def stat(user: int, idle: int) -> str:
    return f"cpu  {user} 0 0 {idle} 0 0 0 0 0 0\ncpu0 0 0 0 0 0 0 0 0 0 0\n"


@pytest.fixture
def used(monkeypatch):
    """Own processor seconds, to be set by a test."""
    own = {"s": 0.0}
    counts = {resource.RUSAGE_SELF: 1.0, resource.RUSAGE_CHILDREN: 0.0}
    monkeypatch.setattr(
        "splyce_bench.measure.others.resource.getrusage",
        lambda who: SimpleNamespace(ru_utime=counts[who] * own["s"], ru_stime=0.0),
    )
    return own


@pytest.mark.parametrize(("own_s", "others"), [(0.0, 1.5), (10.0, 0.5), (20.0, 0.0)])
def test_own_time_is_not_others(tmp_path, monkeypatch, used, own_s, others):
    clock = iter([100.0, 110.0])
    monkeypatch.setattr("splyce_bench.measure.others.time.monotonic", lambda: next(clock))
    monkeypatch.setattr("splyce_bench.measure.others.os.sysconf", lambda _: 100)
    (tmp_path / "stat").write_text(stat(1000, 5000))
    watch = OthersWatch(tmp_path)
    (tmp_path / "stat").write_text(stat(2500, 5500))
    used["s"] = own_s
    assert watch.processors() == pytest.approx(others)


def test_a_system_that_does_not_say(tmp_path):
    assert OthersWatch(tmp_path).processors() is None


def group(others, cores=1):
    return {"state": {"others": others}, "cores": cores, "host": {"logical_cpus": 2}}


def test_only_much_use_is_told():
    assert others_lines([group(0.2), group(None)]) == []
    told = others_lines([group(0.2), group(1.04)])
    assert told == ["Other processes used up to 1.0 processors beside 1 of 2 groups."]


@pytest.mark.parametrize(
    ("cores", "others", "told"),
    [
        (1, 1.1, ""),
        (2, 0.2, ""),
        (2, None, ""),
        (2, 0.7, "others used 0.7 of 2 processors beside it"),
    ],
)
def test_a_group_is_crowded_where_processors_are_short(cores, others, told):
    assert crowded(group(others, cores)) == told


def test_crowded_groups_are_told():
    (line,) = others_lines([group(1.0), group(0.8, cores=2), group(0.1)])
    assert "beside 2 of 3 groups; 1 of these wanted more processors than were left" in line

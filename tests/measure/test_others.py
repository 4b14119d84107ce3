"""What other processes used meanwhile, on a made-up /proc."""

import resource
from types import SimpleNamespace

import pytest

from splyce_bench.measure.others import OthersWatch
from splyce_bench.report.others import others_lines


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


def test_only_much_use_is_told():
    quiet, loud = {"state": {"others": 0.2}}, {"state": {"others": 1.04}}
    assert others_lines([quiet, {"state": {"others": None}}]) == []
    assert "up to 1.0 processors beside 1 of 2 groups" in others_lines([quiet, loud])[0]

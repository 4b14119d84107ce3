"""Groups are counted by perf or callgrind; what goes wrong costs its own record."""

import json
import os
import shutil
import sys
import textwrap

import pytest

from splyce_bench.counters.group import CounterGroup
from splyce_bench.counters.valgrind import missing_valgrind

needs_valgrind = pytest.mark.skipif(bool(missing_valgrind()), reason=missing_valgrind())

# A perf that counts nothing: it answers as the recordings do, and acknowledges as told.
FAKE = """\
#!{python} -S
import json, os, select, signal, sys
a = sys.argv[1:]
if a == ["--version"]:
    print("perf version 6.99"); sys.exit()
out = a[a.index("-o") + 1]
def write(*_):
    events = a[a.index("-e") + 1] if "-e" in a else ""
    with open(out, "w") as file:
        file.write("# started on\\n\\n")
        for name in events.strip("{{}}").split(","):
            row = {{"counter-value": "1000.0", "event": name, "pcnt-running": 100.0}}
            file.write(json.dumps(row) + "\\n")
if "-M" in a:
    sys.exit("Cannot find metric or group")
if "-p" not in a:
    write(); sys.exit()
def finish(*_):
    write(); os._exit(0)
signal.signal(signal.SIGINT, finish)
control, ack = a[a.index("--control") + 1].removeprefix("fifo:").split(",")
{before}
c, k = os.open(control, os.O_RDWR), os.open(ack, os.O_RDWR)
while True:
    os.read(c, 64)
    {answer}
"""
ANSWER = 'os.write(k, b"ack\\n\\0")'


@pytest.fixture
def fake_perf(tmp_path, monkeypatch):
    def install(answer: str = ANSWER, before: str = "") -> None:
        folder = tmp_path / "bin"
        folder.mkdir()
        perf = folder / "perf"
        text = FAKE.format(python=sys.executable, answer=answer, before=before)
        perf.write_text(textwrap.dedent(text))
        perf.chmod(0o755)
        monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
        monkeypatch.setattr("splyce_bench.counters.measured.ACK_MS", 300)

    return install


def count(task):
    lines = []
    task.toolchain.write_text('{"tools": {}}')
    record = CounterGroup(task, task, lines.append, 75).measure()
    json.dumps(record, allow_nan=False)
    return record, lines


def outcomes(record):
    return {name: cell["outcome"] for name, cell in record["cells"].items()}


def test_perf_counts_each_pipeline(group_of, fake_perf):
    fake_perf()
    record, _ = count(group_of({"baseline": "", "other": ""}))
    assert outcomes(record) == {"baseline": "measured", "other": "measured"}
    found = record["counters"]["other"]
    assert found["kind"] == "measured"
    assert found["calls"] > 1
    assert found["cycles"] == pytest.approx(1000 / found["calls"])
    assert found["topdown_l1"] == dict.fromkeys(found["topdown_l1"], 25.0)
    assert record["perf"] == "perf version 6.99"


def test_perf_writes_decimal_points_whatever_the_callers_locale(group_of, fake_perf, monkeypatch):
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    fake_perf(before='if os.environ["LC_ALL"] != "C": sys.exit("decimal commas")')
    record, _ = count(group_of({"baseline": ""}))
    assert outcomes(record) == {"baseline": "measured"}


@pytest.mark.parametrize(
    ("answer", "before", "reason"),
    [
        ("pass", "", "no word from perf on the start within 0.3 s"),
        ("os.kill(os.getpid(), 9)", "", "perf ended with SIGKILL"),
        (ANSWER, 'sys.exit("Access is limited")', "Access is limited"),
        (ANSWER, "os.unlink(control); os._exit(1)", "ended with exit code 1"),
    ],
)
def test_a_failing_perf_costs_its_records(group_of, fake_perf, answer, before, reason):
    fake_perf(answer, before)
    record, _ = count(group_of({"baseline": ""}))
    assert outcomes(record) == {"baseline": "failed"}
    assert reason in record["cells"]["baseline"]["reason"]
    assert record["counters"]["baseline"]["kind"] == "unavailable"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("__builtin_trap();", "crashed with SIGILL"),
        ("for (;;) sleep(1);", "no answer within 2 s"),
        ("y[3] += 1e-3;", "wrong result"),
    ],
)
def test_a_bad_kernel_costs_its_own_record(group_of, fake_perf, line, reason):
    fake_perf()
    record, _ = count(group_of({"baseline": "", "bad": line, "other": ""}))
    assert outcomes(record) == {"baseline": "measured", "bad": "failed", "other": "measured"}
    assert reason in record["cells"]["bad"]["reason"]


def test_a_count_stands_without_the_baselines(group_of, fake_perf):
    fake_perf()
    record, _ = count(group_of({"baseline": "__builtin_trap();", "other": ""}))
    assert outcomes(record) == {"baseline": "failed", "other": "measured"}
    assert set(record["checks"]) == {"other"}, "no A/A control is asked for"


def no_tools(monkeypatch, *hidden):
    real = shutil.which
    monkeypatch.setattr(shutil, "which", lambda name: None if name in hidden else real(name))


@needs_valgrind
def test_callgrind_counts_the_kernel_only(group_of, monkeypatch):
    no_tools(monkeypatch, "perf")
    more = "for (volatile int i = 0; i < 1000; ++i);"
    record, lines = count(group_of({"baseline": "", "more": more}))
    assert outcomes(record) == {"baseline": "measured", "more": "measured"}
    assert any("no perf program; install it" in line for line in lines)
    plain, longer = record["counters"]["baseline"], record["counters"]["more"]
    assert plain["kind"] == "simulated"
    assert "callgrind" in plain["model"]
    assert plain["cycles"] is None
    assert "simulates no pipeline" in plain["unavailable"]["cycles"]
    # 40 rows x about 20 + 100 elements; neither Python nor the zeroing is in it.
    assert 1000 < plain["branches"] < plain["instructions"] < 200_000
    assert 1000 <= longer["branches"] - plain["branches"] <= 1100


@needs_valgrind
def test_a_pipeline_for_avx512_is_not_simulated(group_of, monkeypatch):
    no_tools(monkeypatch, "perf")
    task = group_of({"baseline": "", "wide": ""})
    path = task.pipelines["wide"] / "kernel.json"
    path.write_text(path.read_text().replace('"features": ""', '"features": "+avx512f"'))
    monkeypatch.setattr("splyce_bench.measure.cells.cpu_flags", lambda: ["avx512f"])
    record, _ = count(task)
    assert outcomes(record) == {"baseline": "measured", "wide": "not_available"}
    assert "AVX-512" in record["counters"]["wide"]["unavailable"]["all"]


def test_without_perf_and_valgrind_the_record_says_so(group_of, monkeypatch):
    no_tools(monkeypatch, "perf", "valgrind")
    record, _ = count(group_of({"baseline": ""}))
    assert outcomes(record) == {"baseline": "not_available"}
    reason = record["counters"]["baseline"]["unavailable"]["all"]
    assert "no perf program" in reason
    assert "no valgrind program; install it" in reason


@pytest.mark.skipif(shutil.which("perf") is None, reason="no perf program on PATH")
def test_the_real_perf_is_switched_on_around_the_kernel(group_of, tmp_path):
    from splyce_bench.counters.discovery import Offer
    from splyce_bench.counters.measured import Counting
    from splyce_bench.counters.perf import PerfError, find_perf
    from splyce_bench.measure.group import Group
    from splyce_bench.measure.session import Session

    try:
        perf = find_perf(tmp_path)
    except PerfError as error:
        pytest.skip(f"perf counts nothing here: {error}")
    group = Group(group_of({"baseline": ""}), print)
    assert group._fits(["baseline"])
    assert group._oracle(0, ["baseline"])
    counting = Counting(perf, Offer(events=["task-clock"]), tmp_path, 5, 75)
    with Session(group.cpus) as session:
        session.ask(group._load_command(["baseline"]), 60)
        output = counting._events(session, "baseline", 2000)
    assert output.value("task-clock") > 0

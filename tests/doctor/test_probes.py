"""Each probe on a made-up machine: a quiet server is ok, and one changed file is noticed."""

import shutil

import pytest

from splyce_bench.doctor import clock, counters, processor, room
from splyce_bench.doctor.busy import load, others, snapshot, stolen
from splyce_bench.doctor.needs import Needs

GIB = 2**30
CPU = "sys/devices/system/cpu"
NEEDS = Needs("figure13", {"figure13/a": 2 * GIB, "figure13/b": 4 * GIB}, GIB, 0, 2)


@pytest.fixture(autouse=True)
def perf_installed(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}")


PROBES = {
    "vectors": processor.vectors,
    "cores": lambda machine: processor.cores(machine, 4, None),
    "numa": processor.numa,
    "quota": processor.quota,
    "governor": clock.governor,
    "turbo": clock.turbo,
    "clock_source": clock.clock_source,
    "memory": lambda machine: room.memory(machine, NEEDS),
    "huge_pages": room.huge_pages,
    "perf": counters.perf,
    "watchdog": counters.watchdog,
    "load": load,
}


@pytest.mark.parametrize("probe", PROBES)
def test_a_quiet_server_is_ok(make_machine, probe):
    found = PROBES[probe](make_machine())
    assert (found.level, found.advice) == ("ok", ""), found


@pytest.mark.parametrize(
    ("probe", "files", "found", "advice"),
    [
        ("vectors", {"proc/cpuinfo": "flags : fpu avx2\n"}, "with avx2", "AVX-512"),
        ("vectors", {"proc/cpuinfo": "Features : asimd\n"}, "no AVX", "AVX-512"),
        (
            "cores",
            {
                f"{CPU}/cpu{n}/topology/thread_siblings_list": f"{n % 2},{n % 2 + 2}"
                for n in range(4)
            },
            "2 physical of 4 processors, 4 wanted",
            "more cores",
        ),
        ("numa", {"sys/devices/system/node/node1/cpulist": "4-7"}, "2 node(s)", 'cpus: "0-3"'),
        ("quota", {"sys/fs/cgroup/user/cpu.max": "150000 100000"}, "1.5 of 4", "--cpuset-cpus"),
        (
            "quota",
            {
                "proc/self/cgroup": "4:cpu,cpuacct:/c\n",
                "sys/fs/cgroup/cpu/c/cpu.cfs_quota_us": "50000",
            },
            "0.5 of 4",
            "--cpuset-cpus",
        ),
        (
            "governor",
            {f"{CPU}/cpu2/cpufreq/scaling_governor": "powersave"},
            "powersave",
            "cpupower",
        ),
        ("turbo", {f"{CPU}/cpufreq/boost": "1"}, "on", "cpufreq/boost"),
        (
            "turbo",
            {f"{CPU}/cpufreq/boost": None, f"{CPU}/intel_pstate/no_turbo": "0"},
            "on",
            "echo 1 |",
        ),
        (
            "clock_source",
            {"sys/devices/system/clocksource/clocksource0/current_clocksource": "hpet"},
            "hpet",
            "echo tsc |",
        ),
        (
            "memory",
            {"proc/meminfo": "MemTotal: 33554432 kB\nMemAvailable: 1048576 kB\n"},
            "1.00 GiB free of 32 GiB, figure13 needs 4.00 GiB",
            "ps aux",
        ),
        (
            "memory",
            {"sys/fs/cgroup/user/memory.max": str(3 * GIB)},
            "3.00 GiB free of 3.00 GiB, figure13 needs 4.00 GiB; too large: figure13/b",
            "scale=smoke",
        ),
        (
            "huge_pages",
            {"sys/kernel/mm/transparent_hugepage/enabled": "always madvise [never]"},
            "never",
            "echo madvise",
        ),
        ("perf", {"sys/bus/event_source/devices/cpu/type": None}, "no PMU", "kernel"),
        ("watchdog", {"proc/sys/kernel/nmi_watchdog": "1"}, "1, SMT 0", "nmi_watchdog=0"),
        ("load", {"proc/loadavg": "3.20 1 1 1/2 3"}, "3.20 in the last minute", "ps aux"),
    ],
)
def test_what_differs_is_a_warning(make_machine, probe, files, found, advice):
    machine = make_machine(files)
    if any(text is None for text in files.values()):
        shutil.rmtree(machine.sys / "bus/event_source/devices/cpu", ignore_errors=probe != "perf")
    finding = PROBES[probe](machine)
    assert finding.level == "warning"
    assert found in finding.found or probe == "perf"
    assert advice in finding.advice


def test_a_machine_that_fits_no_group_is_a_problem(make_machine):
    machine = make_machine({"sys/fs/cgroup/user/memory.max": str(GIB)})
    assert room.memory(machine, NEEDS).level == "problem"


@pytest.mark.parametrize(
    ("content", "level", "said"),
    [
        ("4", "warning", "perf_event_paranoid 4"),
        ("2", "ok", "perf_event_paranoid 2"),
        ("-1", "ok", "perf_event_paranoid -1"),
        (None, "warning", "no perf_event_paranoid"),
    ],
)
def test_perf_event_paranoid(make_machine, content, level, said):
    finding = counters.perf(make_machine({"proc/sys/kernel/perf_event_paranoid": content}))
    assert finding.level == level
    assert said in finding.found
    assert bool(finding.advice) == (level == "warning")


def test_files_that_are_hidden_are_no_warning(make_machine):
    machine = make_machine()
    shutil.rmtree(machine.sys / "devices/system")
    for probe in ("governor", "turbo", "numa", "clock_source"):
        assert PROBES[probe](machine).level == "ok"


def process(name: str, user: int) -> str:
    return f"7 ({name}) R 1 1 1 0 -1 0 0 0 0 0 {user} 5 0 0 20 0 1 0 9 0 0"


def test_a_process_that_burns_a_core_is_named(make_machine):
    before = snapshot(make_machine({"proc/70/stat": process("burn (er)", 10)}).proc)
    after = snapshot(make_machine({"proc/70/stat": process("burn (er)", 60)}).proc)
    finding = others(before, after, ticks=50)
    assert finding.level == "warning"
    assert finding.found == "burn (er) (70) 100%"
    assert "kill -STOP 70" in finding.advice


def test_an_idle_process_is_not(make_machine):
    before = snapshot(make_machine({"proc/70/stat": process("idle", 10)}).proc)
    after = snapshot(make_machine({"proc/70/stat": process("idle", 14)}).proc)
    assert others(before, after, ticks=50).level == "ok"


def test_stolen_time(make_machine):
    before = snapshot(make_machine().proc)
    after = snapshot(make_machine({"proc/stat": "cpu  150 0 100 840 0 0 0 10 0 0\n"}).proc)
    finding = stolen(before, after)
    assert (finding.level, finding.found) == ("warning", "10.0%")

"""Made-up machines: folders that look like /sys and /proc."""

from pathlib import Path

import pytest

from splyce_bench.doctor.machine import Machine

# A server in good order; tests change one file of it.
QUIET = {
    "proc/cpuinfo": "model name : Some CPU\nflags : fpu avx2 avx512f avx512vl\n",
    "proc/meminfo": "MemTotal: 33554432 kB\nMemAvailable: 31457280 kB\n",
    "proc/loadavg": "0.01 0.02 0.00 1/90 7\n",
    "proc/stat": "cpu  100 0 100 800 0 0 0 0 0 0\ncpu0 1 2\n",
    "proc/self/cgroup": "0::/user\n",
    "proc/self/status": "CapEff:\t0000000000000000\nSeccomp:\t0\n",
    "proc/sys/kernel/perf_event_paranoid": "2\n",
    "proc/sys/kernel/nmi_watchdog": "0\n",
    "sys/bus/event_source/devices/cpu/type": "4\n",
    "sys/devices/system/cpu/smt/active": "0\n",
    "sys/devices/system/cpu/cpufreq/boost": "0\n",
    "sys/devices/system/clocksource/clocksource0/current_clocksource": "tsc\n",
    "sys/devices/system/clocksource/clocksource0/available_clocksource": "tsc hpet acpi_pm\n",
    "sys/devices/system/node/node0/cpulist": "0-3\n",
    "sys/kernel/mm/transparent_hugepage/enabled": "always [madvise] never\n",
    **{
        f"sys/devices/system/cpu/cpu{cpu}/{name}": text
        for cpu in range(4)
        for name, text in (
            ("cpufreq/scaling_governor", "performance\n"),
            ("topology/thread_siblings_list", f"{cpu}\n"),
        )
    },
}


def fake_files(folder: Path, files: dict[str, str | None]) -> None:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if text is None:
            path.unlink(missing_ok=True)
        else:
            path.write_text(text)


@pytest.fixture
def make_machine(tmp_path, monkeypatch):
    """Make a quiet server, with some files changed, or removed by None."""

    def make(files: dict[str, str | None] | None = None) -> Machine:
        fake_files(tmp_path, {**QUIET, **(files or {})})
        cpus = [0, 1, 2, 3]
        monkeypatch.setattr("os.sched_getaffinity", lambda _: set(cpus))
        return Machine(tmp_path / "sys", tmp_path / "proc", cpus)

    return make

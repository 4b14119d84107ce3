"""Clocks: the one that the processor runs at, and the one that time is read from."""

import re

from splyce_bench.doctor.finding import Finding, judged
from splyce_bench.doctor.machine import Machine, as_root, write_setting
from splyce_bench.measure.host import UNKNOWN, read

SLOW_CLOCKS = ("hpet", "acpi_pm", "jiffies")
HIDDEN = "not shown (virtual machine or container)"
CPU = "/sys/devices/system/cpu"


def governor(machine: Machine) -> Finding:
    """Governors of the processors that may be used."""
    files = (machine.cpu_file(f"cpu{cpu}/cpufreq/scaling_governor") for cpu in machine.cpus)
    names = sorted(set(files) - {UNKNOWN})
    return judged(
        names in ([], ["performance"]),
        "governor",
        ", ".join(names) or HIDDEN,
        "other governors than performance change the clock while a call is timed",
        as_root("cpupower frequency-set -g performance"),
    )


def turbo(machine: Machine) -> Finding:
    """Turbo depends on the temperature and on what other cores do."""
    boost, no_turbo = machine.cpu_file("cpufreq/boost"), machine.cpu_file("intel_pstate/no_turbo")
    # intel_pstate says it the other way round.
    on = boost == "1" or no_turbo == "0"
    known = {boost, no_turbo} != {UNKNOWN}
    file, off = ("intel_pstate/no_turbo", "1") if no_turbo == "0" else ("cpufreq/boost", "0")
    return judged(
        not on,
        "turbo",
        "on" if on else "off" if known else HIDDEN,
        "turbo follows the temperature and the other cores; ratios hold, times do not",
        write_setting(off, f"{CPU}/{file}"),
    )


def clock_source(machine: Machine) -> Finding:
    """The timer: some cost a microsecond a read."""
    folder = machine.sys / "devices/system/clocksource/clocksource0"
    name = read(folder / "current_clocksource")
    fast = re.search(r"\b(tsc|kvm-clock)\b", read(folder / "available_clocksource"))
    return judged(
        name not in SLOW_CLOCKS,
        "clock source",
        name,
        "reading this timer takes about a microsecond; short calls are batched against it"
        if name in SLOW_CLOCKS
        else "reading it takes nanoseconds",
        write_setting(fast.group(), f"{folder}/current_clocksource")
        if fast
        else "another machine, or the kernel parameter tsc=reliable",
    )

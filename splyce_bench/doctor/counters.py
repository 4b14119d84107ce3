"""Hardware counters: may they be read, and what takes some of them away."""

import shutil

from splyce_bench.counters.access import NO_PERF, Obstacle, counter_thieves, obstacle, paranoid
from splyce_bench.doctor.finding import Finding, judged
from splyce_bench.doctor.machine import Machine, as_root

WHY = "Figure 11 and the counter columns need hardware counters"


def perf(machine: Machine) -> Finding:
    """Access to hardware counters; timings do not need them."""
    value = paranoid(machine.proc)
    setting = "no perf_event_paranoid" if value is None else f"perf_event_paranoid {value}"
    blocked: Obstacle | None = obstacle(machine.proc, machine.sys)
    if blocked is None and shutil.which("perf") is None:
        blocked = NO_PERF
    if blocked is None:
        return Finding("ok", "counters", f"perf, {setting}", WHY)
    return Finding("warning", "counters", f"{setting}: {blocked.reason}", WHY, blocked.remedy)


def watchdog(machine: Machine) -> Finding:
    """The NMI watchdog holds one counter; SMT halves them on some processors."""
    thieves = counter_thieves(machine.proc, machine.sys)
    return judged(
        thieves["nmi_watchdog"] != "1",
        "NMI watchdog",
        f"{thieves['nmi_watchdog']}, SMT {thieves['smt']} (1 is on)",
        "either takes counters away, and then events share the rest in turns",
        as_root("sysctl kernel.nmi_watchdog=0"),
    )

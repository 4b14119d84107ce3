"""Who else uses the processor: load, processes, and what a virtual machine's host takes away."""

import os
import time
from dataclasses import dataclass
from pathlib import Path

from splyce_bench.doctor.finding import Finding, judged
from splyce_bench.doctor.machine import Machine
from splyce_bench.measure.host import UNKNOWN, read

# Shares of one processor.
BUSY = 0.10
STOLEN = 0.01
SECONDS = 0.5
SHOWN = 3


@dataclass(frozen=True)
class Snapshot:
    """Processor time used so far: of each process in ticks, and of the whole machine."""

    processes: dict[int, tuple[str, int]]
    stolen: int
    all: int


def snapshot(proc: Path) -> Snapshot:
    """Read the counters of /proc; processes that end meanwhile are left out."""
    processes = {}
    for folder in proc.glob("[0-9]*"):
        head, _, tail = read(folder / "stat").rpartition(")")
        if fields := tail.split():
            processes[int(folder.name)] = (head.partition("(")[2], sum(map(int, fields[11:13])))
    first = read(proc / "stat").partition("\n")[0].split()
    total = [int(field) for field in first[1:9]] if first[0] == "cpu" else []
    return Snapshot(processes, total[7] if len(total) == 8 else 0, sum(total))


def busy(machine: Machine) -> list[Finding]:
    """Watch the machine for half a second."""
    before = snapshot(machine.proc)
    time.sleep(SECONDS)
    after = snapshot(machine.proc)
    ticks = os.sysconf("SC_CLK_TCK") * SECONDS
    return [load(machine), others(before, after, ticks), stolen(before, after)]


def load(machine: Machine) -> Finding:
    """The load of the last minute; its own fade is slow, so it is judged by half a processor."""
    text = read(machine.proc / "loadavg").split()[0]
    return judged(
        text == UNKNOWN or float(text) < 0.5 * len(machine.cpus),
        "load",
        f"{text} in the last minute, {len(machine.cpus)} processors",
        "what else ran lately disturbs caches, clock and memory",
        "wait a minute, or see `ps aux --sort=-%cpu`",
    )


def others(before: Snapshot, after: Snapshot, ticks: float) -> Finding:
    """Processes above a tenth of a processor; `ticks` is what one processor had meanwhile."""
    shares = []
    for pid, (name, used) in after.processes.items():
        _, earlier = before.processes.get(pid, (name, used))
        if pid != os.getpid() and used - earlier > BUSY * ticks:
            shares.append(((used - earlier) / ticks, pid, name))
    shares.sort(reverse=True)
    listed = ", ".join(f"{name} ({pid}) {share:.0%}" for share, pid, name in shares[:SHOWN])
    more = f" and {len(shares) - SHOWN} more" if len(shares) > SHOWN else ""
    return judged(
        not shares,
        "other processes",
        listed + more if shares else f"none above {BUSY:.0%} of a processor",
        "a process beside the measurement widens every interval",
        "wait for its end, or pause it: kill -STOP "
        + " ".join(str(pid) for _, pid, _ in shares[:SHOWN]),
    )


def stolen(before: Snapshot, after: Snapshot) -> Finding:
    """The time in which the host ran something else."""
    share = (after.stolen - before.stolen) / max(after.all - before.all, 1)
    return judged(
        share <= STOLEN,
        "stolen time",
        f"{share:.1%}",
        "the host of a virtual machine takes it without the guest's notice",
        "an instance with processors of its own, or a quieter hour",
    )

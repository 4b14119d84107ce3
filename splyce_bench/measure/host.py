"""What this machine is and what state it is in, read from the system without changing anything.

Unknown is a normal answer in a container or virtual machine and is recorded as "unknown".
"""

import os
import platform
import re
from pathlib import Path
from typing import Any

SYS = Path("/sys")
PROC = Path("/proc")
UNKNOWN = "unknown"


def read(path: Path) -> str:
    """Return a system file's text, or "unknown"."""
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return UNKNOWN


def cpu_model(proc: Path = PROC) -> str:
    """Return the processor's name."""
    found = re.search(r"^(?:model name|CPU part)\s*:\s*(.+)$", read(proc / "cpuinfo"), re.M)
    return found.group(1) if found else UNKNOWN


def cpu_flags(proc: Path = PROC) -> list[str]:
    """Return the vector extensions the processor names."""
    found = re.search(r"^(?:flags|Features)\s*:\s*(.+)$", read(proc / "cpuinfo"), re.M)
    flags = found.group(1).split() if found else []
    return [f for f in flags if re.match(r"avx|sse4|fma|bmi|sve|asimd", f)]


def llvm_features(flags: list[str]) -> set[str]:
    """Name extensions as LLVM does: Linux's avx512_vp2intersect is its avx512vp2intersect."""
    return {flag.replace("_", "") for flag in flags}


def describe_host() -> dict[str, Any]:
    """Return what does not change during a run."""
    cpu0 = SYS / "devices/system/cpu"
    return {
        "node": platform.node(),
        "cpu": cpu_model(),
        "vector_extensions": cpu_flags(),
        "machine": platform.machine(),
        "kernel": platform.release(),
        "logical_cpus": os.cpu_count(),
        "physical_cores": len(one_cpu_per_core(available_cpus())),
        "numa_nodes": len(list((SYS / "devices/system/node").glob("node[0-9]*"))) or 1,
        "governor": read(cpu0 / "cpu0/cpufreq/scaling_governor"),
        "boost": _boost(cpu0),
        "smt": read(cpu0 / "smt/active"),
        "clock_source": read(SYS / "devices/system/clocksource/clocksource0/current_clocksource"),
        "huge_pages": read(SYS / "kernel/mm/transparent_hugepage/enabled"),
        "memory_bytes": os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        "hypervisor": "hypervisor" in read(PROC / "cpuinfo"),
    }


def host_state() -> dict[str, Any]:
    """Return what may change while measuring: load and clock frequencies."""
    clocks = [float(mhz) for mhz in re.findall(r"cpu MHz\s*:\s*([\d.]+)", read(PROC / "cpuinfo"))]
    return {"load_average": read(PROC / "loadavg"), "cpu_mhz": clocks or UNKNOWN}


def _boost(cpu: Path) -> str:
    if (value := read(cpu / "cpufreq/boost")) != UNKNOWN:
        return value
    no_turbo = read(cpu / "intel_pstate/no_turbo")
    return {"0": "1", "1": "0"}.get(no_turbo, UNKNOWN)


def parse_cpu_list(text: str) -> list[int]:
    """Parse `2-5,8` into processor numbers."""
    numbers: list[int] = []
    for part in filter(None, text.strip().split(",")):
        first, _, last = part.partition("-")
        numbers += range(int(first), int(last or first) + 1)
    return numbers


def available_cpus() -> list[int]:
    """Return the processors this process may use."""
    return sorted(os.sched_getaffinity(0))


def one_cpu_per_core(cpus: list[int], sys: Path = SYS) -> list[int]:
    """Keep one processor of each physical core, by the kernel's own list of siblings."""
    chosen: dict[str, int] = {}
    for cpu in cpus:
        siblings = read(sys / f"devices/system/cpu/cpu{cpu}/topology/thread_siblings_list")
        chosen.setdefault(str(cpu) if siblings == UNKNOWN else siblings, cpu)
    return sorted(chosen.values())


def choose_cpus(cores: int, wanted: str | None, sys: Path = SYS) -> tuple[list[int], str]:
    """Choose the processors to measure on and say how; an empty list when there are too few.

    Without a wish, one processor a physical core, all in one NUMA node so that memory is near
    whoever touches it first, leaving out processor 0, which serves most interrupts, where there
    are enough.
    """
    allowed = available_cpus()
    if wanted:
        cpus = [cpu for cpu in parse_cpu_list(wanted) if cpu in allowed]
        return (cpus[:cores] if len(cpus) >= cores else []), "as configured"
    nodes = by_numa_node(one_cpu_per_core(allowed, sys), sys)
    for cpus in nodes:
        if len(without := [cpu for cpu in cpus if cpu != 0]) >= cores:
            return without[:cores], "one a physical core of one NUMA node, without processor 0"
    for cpus in nodes:
        if len(cpus) >= cores:
            return cpus[:cores], "one a physical core, processor 0 had to be used"
    total, most = sum(map(len, nodes)), max(map(len, nodes), default=0)
    inside = f", at most {most} in one NUMA node" if len(nodes) > 1 else ""
    return [], f"this machine has {total} physical cores{inside}"


def by_numa_node(cpus: list[int], sys: Path = SYS) -> list[list[int]]:
    """Return the processors of each NUMA node; one list where the system names no nodes."""
    nodes = sorted((sys / "devices/system/node").glob("node[0-9]*"))
    groups = [set(parse_cpu_list(read(node / "cpulist"))) for node in nodes]
    found = [[cpu for cpu in cpus if cpu in group] for group in groups]
    return [group for group in found if group] or [cpus]


def openmp_runtimes() -> list[str]:
    """Return the OpenMP runtimes mapped into this process; two of them disturb each other."""
    names = set(re.findall(r"/(libg?omp|libiomp5)[-.\w]*\.so", read(PROC / "self/maps")))
    return sorted(names)


def threads_that_ran(besides: int | None = None) -> dict[str, Any]:
    """Return how many threads of this process have used a processor, and which processors.

    The one with the number `besides` does not count. The times of `stat` come in ticks of 10 ms,
    which a short kernel does not reach; `schedstat` has nanoseconds.
    """
    cpus = []
    for task in (PROC / "self/task").iterdir():
        if task.name == str(besides):
            continue
        fields = read(task / "stat").rpartition(")")[2].split()
        ran = read(task / "schedstat").split()
        used = int(ran[0]) if ran and ran[0].isdigit() else int(fields[11]) + int(fields[12])
        if len(fields) > 36 and used > 0:
            cpus.append(int(fields[36]))
    return {"count": len(cpus), "cpus": sorted(set(cpus))}

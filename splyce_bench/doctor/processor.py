"""The processor: extensions, cores, SMT, NUMA nodes, and a container's share of it."""

from splyce_bench.doctor.finding import Finding, judged
from splyce_bench.doctor.machine import Machine
from splyce_bench.measure.host import (
    UNKNOWN,
    choose_cpus,
    cpu_flags,
    cpu_model,
    one_cpu_per_core,
    read,
)

# What the paper's code is compiled for.
PUBLISHED = ("avx512f", "avx512vl")


def vectors(machine: Machine) -> Finding:
    """The vector extensions; without AVX-512 some pipelines are not available."""
    flags = cpu_flags(machine.proc)
    missing = [name for name in PUBLISHED if name not in flags]
    widest = [
        n for n in ("avx512f", "avx512vl", "avx512_vp2intersect", "avx2", "sve") if n in flags
    ]
    return judged(
        not missing,
        "processor",
        f"{cpu_model(machine.proc)} with {', '.join(widest) or 'no AVX, no SVE'}",
        "the paper's code is for AVX-512"
        + (", so ratios here are of other code" if missing else ""),
        "a processor with AVX-512 (Intel Xeon since 2017, AMD Zen 4 or later); pipelines that ask "
        "for it by `features` are marked as not available here",
    )


def cores(machine: Machine, wanted: int, configured: str | None) -> Finding:
    """Physical cores against the largest core count of the target."""
    found = one_cpu_per_core(machine.cpus, machine.sys)
    chosen, how = choose_cpus(min(wanted, len(found)), configured, machine.sys)
    return judged(
        len(found) >= wanted,
        "cores",
        f"{len(found)} physical of {len(machine.cpus)} processors, {wanted} wanted, would measure "
        f"on {_listed(chosen)} ({how})",
        "cells that ask for more cores are not available here"
        if len(found) < wanted
        else "one thread a physical core",
        "a machine with more cores; the cells that fit are measured here",
    )


def smt(machine: Machine) -> Finding:
    """Two threads of one core share its execution units."""
    active = machine.cpu_file("smt/active")
    found = {"0": "off", "1": "on"}.get(active, active)
    return Finding("ok", "SMT", found, "one processor a physical core is used either way")


def numa(machine: Machine) -> Finding:
    """Memory of another node is slower."""
    nodes = sorted((machine.sys / "devices/system/node").glob("node[0-9]*"))
    first = read(nodes[0] / "cpulist") if nodes else UNKNOWN
    return judged(
        len(nodes) <= 1,
        "NUMA",
        f"{len(nodes) or 1} node(s)",
        "memory lies where it was first touched, and another node's is slower"
        if len(nodes) > 1
        else "all memory is equally near",
        f"--config measure='{{cpus: \"{first}\"}}' to stay on one node",
    )


def quota(machine: Machine) -> Finding:
    """A container's processor quota stops threads in the middle of a call."""
    allowed = machine.processors_allowed()
    return judged(
        allowed is None or allowed >= len(machine.cpus),
        "CPU quota",
        "none" if allowed is None else f"{allowed:g} of {len(machine.cpus)} processors",
        "a quota stops threads in the middle of a call",
        "start the container without --cpus and with --cpuset-cpus instead",
    )


def _listed(cpus: list[int]) -> str:
    return f"processor {', '.join(map(str, cpus))}" if cpus else "none"

"""All that the doctor looks at, in the order in which it is told."""

from pathlib import Path

from splyce_bench.doctor import clock, counters, processor, room
from splyce_bench.doctor.busy import busy, load
from splyce_bench.doctor.finding import Finding
from splyce_bench.doctor.machine import Machine
from splyce_bench.doctor.needs import Needs, needs_of
from splyce_bench.doctor.network import collection
from splyce_bench.doctor.tools import compilers, toolchain
from splyce_bench.plan import Plan


def examine(plan: Plan, target: str, machine: Machine) -> list[Finding]:
    """Look at everything; takes a second, and some more where the network is slow."""
    needs = needs_of(plan, target)
    found = glance(plan, needs, machine)
    found += busy(machine)
    return [*found, collection(plan.config["collection"]["mirror"], needs.collection)]


def glance(plan: Plan, needs: Needs, machine: Machine) -> list[Finding]:
    """Look at what files tell at once: nothing is waited for and no network is used."""
    tools, cache_bytes = toolchain(plan)
    places = {Path(): needs.disk, plan.cache: cache_bytes}
    return [
        processor.vectors(machine),
        processor.cores(machine, needs.cores, plan.config["measure"]["cpus"]),
        processor.smt(machine),
        processor.numa(machine),
        processor.quota(machine),
        clock.governor(machine),
        clock.turbo(machine),
        clock.clock_source(machine),
        room.memory(machine, needs),
        room.huge_pages(machine),
        *room.disk(places, needs.target),
        room.matrices(plan.cache, needs.cache),
        counters.perf(machine),
        counters.watchdog(machine),
        tools,
        *compilers(plan),
    ]


def tell(found: list[Finding], target: str) -> int:
    """Print every finding and the verdict; return 1 when the target cannot run."""
    print("\n".join(map(str, found)))
    problems = [finding.name for finding in found if finding.level == "problem"]
    warnings = [finding.name for finding in found if finding.level == "warning"]
    noted = f"; warnings: {', '.join(warnings)}" if warnings else ""
    if problems:
        print(f"{target} cannot run here: {', '.join(problems)}{noted}")
        return 1
    print(f"{target} can run here{noted}")
    return 0


def brief(plan: Plan, target: str, machine: Machine) -> str:
    """Return what to say before a run: every problem, and the names of the warnings."""
    found = [*glance(plan, needs_of(plan, target), machine), load(machine)]
    lines = [str(finding) for finding in found if finding.level == "problem"]
    if warnings := [finding.name for finding in found if finding.level == "warning"]:
        names = ", ".join(warnings)
        lines.append(f"warnings of `splyce-bench doctor {target}`: {names}")
    return "\n".join(lines)

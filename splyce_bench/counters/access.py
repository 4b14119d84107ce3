"""Why there are no hardware counters here, and what would grant them. Changes nothing."""

import re
from dataclasses import dataclass
from pathlib import Path

from splyce_bench.measure.host import PROC, SYS, UNKNOWN, read

# Bits of CapEff (linux/capability.h) that lift perf_event_paranoid.
CAPABILITIES = {"CAP_PERFMON": 38, "CAP_SYS_ADMIN": 21}
CORE_PMUS = ("cpu", "cpu_core", "cpu_atom", "armv8*", "apple_*")
SETTING = Path("sys/kernel/perf_event_paranoid")


@dataclass(frozen=True)
class Obstacle:
    """What stands in the way, and what removes it."""

    reason: str
    remedy: str

    def __str__(self) -> str:
        return f"{self.reason}; {self.remedy}"


NO_PERF = Obstacle(
    "no perf program",
    "install it (Debian: linux-perf, Ubuntu: linux-tools-generic, Fedora: perf)",
)


def obstacle(proc: Path = PROC, sys: Path = SYS) -> Obstacle | None:
    """Return what keeps this process from hardware counters, as far as the system tells."""
    return _setting(proc) or _no_pmu(proc, sys) or _confined(proc)


def paranoid(proc: Path = PROC) -> int | None:
    """Return perf_event_paranoid, or None where the kernel has no such setting."""
    text = read(proc / SETTING)
    return int(text) if re.fullmatch(r"-?\d+", text) else None


def counter_thieves(proc: Path = PROC, sys: Path = SYS) -> dict[str, str]:
    """Return the settings that take counters away: the NMI watchdog and SMT, '1' when on."""
    return {
        "nmi_watchdog": read(proc / "sys/kernel/nmi_watchdog"),
        "smt": read(sys / "devices/system/cpu/smt/active"),
    }


def _setting(proc: Path) -> Obstacle | None:
    value = paranoid(proc)
    if value is None:
        return Obstacle(
            "the kernel has no perf_event_paranoid: it is built without perf events, or a sandbox "
            "such as gVisor hides them",
            "run on a kernel with CONFIG_PERF_EVENTS, outside of the sandbox",
        )
    if value <= 2 or _capable(proc):
        return None
    return Obstacle(
        f"perf_event_paranoid is {value}: only root may count, this process may not",
        "sudo sysctl kernel.perf_event_paranoid=2 (until the next boot), or "
        "sudo setcap cap_perfmon+ep $(readlink -f $(which perf))",
    )


def _no_pmu(proc: Path, sys: Path) -> Obstacle | None:
    devices = sys / "bus/event_source/devices"
    if any(next(devices.glob(pattern), None) for pattern in CORE_PMUS):
        return None
    if "hypervisor" in read(proc / "cpuinfo"):
        return Obstacle(
            "virtual machine without a PMU: its host passes no hardware counters on",
            "give the guest one (KVM: -cpu host,pmu=on; VMware: vhv performance counters; cloud: a "
            "bare-metal instance), or measure on the host",
        )
    return Obstacle(
        f"the kernel drives no PMU of this processor ({devices} has none)",
        "a newer kernel, or the firmware setting that hides performance counters",
    )


def _confined(proc: Path) -> Obstacle | None:
    """A container's filter forbids perf_event_open in a container without CAP_PERFMON.

    The filter goes by what the container was given, which the bounding set tells: a user other
    than root has no capability in effect, and may count all the same.
    """
    mode = re.search(r"^Seccomp:\s*(\d+)", read(proc / "self/status"), re.M)
    if not mode or mode.group(1) != "2" or _capable(proc, "CapBnd"):
        return None
    return Obstacle(
        "container whose seccomp filter forbids perf_event_open without CAP_PERFMON",
        "start it with --cap-add PERFMON (docker, podman), and perf_event_paranoid 2 or less on "
        "the host",
    )


def _capable(proc: Path, kind: str = "CapEff") -> bool:
    found = re.search(rf"^{kind}:\s*([0-9a-fA-F]+)", read(proc / "self/status"), re.M)
    held = int(found.group(1), 16) if found else 0
    return any(held >> bit & 1 for bit in CAPABILITIES.values())


def unexplained(message: str) -> Obstacle:
    """Return an obstacle of which only perf's own words are known."""
    return Obstacle(f"perf: {message or UNKNOWN}", "try `perf stat -e cycles true` by hand")

"""The machine looked at: the system's folders, which tests replace by made-up ones."""

import os
import re
from dataclasses import dataclass, field
from pathlib import Path

from splyce_bench.cgroup import cgroup_values, memory_limits
from splyce_bench.measure.host import PROC, SYS, available_cpus, read


@dataclass(frozen=True)
class Machine:
    """Where /sys and /proc are, and the processors this process may use."""

    sys: Path = SYS
    proc: Path = PROC
    cpus: list[int] = field(default_factory=available_cpus)

    def cpu_file(self, name: str) -> str:
        """Return a file below /sys/devices/system/cpu, or "unknown"."""
        return read(self.sys / "devices/system/cpu" / name)

    @property
    def is_virtual(self) -> bool:
        """True in a virtual machine that says so."""
        return bool(re.search(r"^flags\s*:.*\bhypervisor\b", read(self.proc / "cpuinfo"), re.M))

    def memory(self) -> tuple[int, int]:
        """Return the bytes of memory that this process may use, and those free for it now."""
        text = read(self.proc / "meminfo")
        total, available = (_meminfo(text, key) for key in ("MemTotal", "MemAvailable"))
        limits = memory_limits(self.sys, self.proc)
        return min([total, *limits]), min([available, *limits])

    def processors_allowed(self) -> float | None:
        """Return how many processors' time a container's quota grants; None without a quota."""
        grants = []
        for value in cgroup_values("cpu", "max", "cfs_quota_us", self.sys, self.proc):
            quota, _, period = value.partition(" ")
            if int(quota) > 0:
                grants.append(int(quota) / int(period or 100_000))
        return min(grants, default=None)


def _meminfo(text: str, key: str) -> int:
    found = re.search(rf"^{key}:\s*(\d+) kB", text, re.M)
    return int(found.group(1)) * 1024 if found else 0


def gib(size: float) -> str:
    """Return a size for readers."""
    return f"{size / 2**30:.2f} GiB" if size < 10 * 2**30 else f"{size / 2**30:.0f} GiB"


def is_root() -> bool:
    """True when commands need no sudo."""
    return os.geteuid() == 0


def as_root(command: str) -> str:
    """Return a command that needs root, as this user has to give it."""
    return command if is_root() else f"sudo {command}"


def write_setting(value: str, path: str) -> str:
    """Return the command that writes a value into a system file."""
    return f"echo {value} | {as_root(f'tee {path}')}"

"""What control groups set for this process: the limits of a container, or of a cluster's job."""

from pathlib import Path

from splyce_bench.measure.host import PROC, SYS, UNKNOWN, read


def cgroup_values(
    controller: str, new: str, old: str, sys: Path = SYS, proc: Path = PROC
) -> list[str]:
    """Return the values of `controller.new` (version 2) or `controller.old` (version 1).

    They are those of this process's group and of every group above; "max" is left out.
    """
    folders = []
    own = read(proc / "self/cgroup")
    for line in [] if own == UNKNOWN else own.splitlines():
        _, controllers, path = line.split(":", 2)
        below = path.lstrip("/")
        if not controllers:
            folders.append((sys / "fs/cgroup", below, f"{controller}.{new}"))
        elif controller in controllers.split(","):
            root = sys / "fs/cgroup" / controller
            folders.append((root, below, f"{controller}.{old}"))
    values = [read(level / name) for root, below, name in folders for level in _levels(root, below)]
    return [value for value in values if value != UNKNOWN and not value.startswith("max")]


def memory_limits(sys: Path = SYS, proc: Path = PROC) -> list[int]:
    """Return the limits of memory in bytes; none where nothing limits it."""
    return [int(v) for v in cgroup_values("memory", "max", "limit_in_bytes", sys, proc)]


def _levels(root: Path, below: str) -> list[Path]:
    """A limit of any group above holds too; in a container the path above is not to be seen."""
    path = root / below
    return [root, *(p for p in (path, *path.parents) if root in p.parents)]

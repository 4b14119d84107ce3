"""What the control groups of this process (a container's, a batch job's) set, version 2 and 1."""

from pathlib import Path

from splyce_bench.measure.host import PROC, SYS, UNKNOWN, read


def limits(controller: str, new: str, old: str, sys: Path = SYS, proc: Path = PROC) -> list[str]:
    """Return the values set for a controller; `new` and `old` end its file's name in 2 and 1.

    A limit of any group above holds too, so there may be several.
    """
    folders = []
    for line in read(proc / "self/cgroup").splitlines():
        _, controllers, path = line.split(":", 2)
        below = path.lstrip("/")
        if not controllers:
            folders.append((sys / "fs/cgroup", below, f"{controller}.{new}"))
        elif controller in controllers.split(","):
            folders.append((sys / "fs/cgroup" / controller, below, f"{controller}.{old}"))
    values = [read(level / name) for root, below, name in folders for level in _levels(root, below)]
    return [value for value in values if value != UNKNOWN and not value.startswith("max")]


def _levels(root: Path, below: str) -> list[Path]:
    """Return a group and those above; in a container the path above is not to be seen."""
    path = root / below
    return [root, *(p for p in (path, *path.parents) if root in p.parents)]

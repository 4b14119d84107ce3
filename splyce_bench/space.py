"""Is there room on the disk and in the memory, asked before hours are spent."""

import os
import re
import shutil
from pathlib import Path

from splyce_bench.control_groups import limits
from splyce_bench.errors import UserError
from splyce_bench.measure.host import PROC, SYS, read


class TooLargeError(UserError):
    """What was asked for does not fit into this machine's memory or on its disk."""


# The rest is left to the system.
USABLE_SHARE = 0.9
LARGER_DISK = "set cache_dir to a folder on a larger disk"


def used_bytes(folder: Path) -> int:
    """Return the size of the files in a folder; 0 when there is no folder."""
    files = (Path(top) / name for top, _, names in os.walk(folder) for name in names)
    return sum(file.lstat().st_size for file in files)


def memory_bytes(sys: Path = SYS, proc: Path = PROC) -> tuple[int, int]:
    """Return the bytes of memory that this process may use, and those free for it now."""
    text = read(proc / "meminfo")
    total, available = (_meminfo(text, key) for key in ("MemTotal", "MemAvailable"))
    set_here = [int(value) for value in limits("memory", "max", "limit_in_bytes", sys, proc)]
    return min([total, *set_here]), min([available, *set_here])


def usable_memory(sys: Path = SYS, proc: Path = PROC) -> int:
    """Return nine tenths of the memory that this process may use, in bytes."""
    return int(USABLE_SHARE * memory_bytes(sys, proc)[0])


def _meminfo(text: str, key: str) -> int:
    found = re.search(rf"^{key}:\s*(\d+) kB", text, re.M)
    return int(found.group(1)) * 1024 if found else 0


def free_bytes(folder: Path) -> tuple[Path, int]:
    """Return the free disk of a folder, or of the nearest that exists above it, and which."""
    existing = next(p for p in (folder.absolute(), *folder.absolute().parents) if p.exists())
    return existing, shutil.disk_usage(existing).free


def check_space(folder: Path, needed_bytes: float, what: str, advice: str) -> None:
    """Refuse, with the figures, what does not fit on the disk of `folder`."""
    existing, free = free_bytes(folder)
    if free < needed_bytes:
        raise TooLargeError(
            f"{what} needs {needed_bytes / 2**30:.2f} GiB of disk, has {free / 2**30:.2f} GiB in "
            f"{existing}; free some space, or {advice}"
        )

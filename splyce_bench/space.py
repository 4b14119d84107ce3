"""Is there room on the disk and in the memory, asked before hours are spent."""

import os
import shutil
from pathlib import Path

from splyce_bench.cgroup import memory_limits
from splyce_bench.errors import UserError
from splyce_bench.measure.host import PROC, SYS


class TooLargeError(UserError):
    """What was asked for does not fit into this machine's memory or on its disk."""


# The rest is left to the system.
USABLE_SHARE = 0.9
LARGER_DISK = "set cache_dir to a folder on a larger disk"


def used_bytes(folder: Path) -> int:
    """Return the size of the files in a folder; 0 when there is no folder."""
    files = (Path(top) / name for top, _, names in os.walk(folder) for name in names)
    return sum(file.lstat().st_size for file in files)


def usable_memory(sys: Path = SYS, proc: Path = PROC) -> int:
    """Return nine tenths of the memory, or of the least limit around this process, in bytes."""
    total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return int(USABLE_SHARE * min([total, *memory_limits(sys, proc)]))


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

"""Is there room on the disk and in the memory, asked before hours are spent."""

import os
import shutil
from pathlib import Path

from splyce_bench.errors import UserError


class TooLargeError(UserError):
    """What was asked for does not fit into this machine's memory or on its disk."""


LARGER_DISK = "set cache_dir to a folder on a larger disk"


def used_bytes(folder: Path) -> int:
    """Return the size of the files in a folder; 0 when there is no folder."""
    files = (Path(top) / name for top, _, names in os.walk(folder) for name in names)
    return sum(file.lstat().st_size for file in files)


def usable_memory(root: Path = Path("/")) -> int:
    """Return nine tenths of the memory, or of the container's limit, in bytes."""
    total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    limit = root / "sys/fs/cgroup/memory.max"
    text = limit.read_text(encoding="ascii").strip() if limit.exists() else "max"
    return int(0.9 * min(total, int(text) if text.isdigit() else total))


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

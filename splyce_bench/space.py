"""Is there room on the disk, asked before hours are spent."""

import os
import shutil
from pathlib import Path

from splyce_bench.errors import UserError

LARGER_DISK = "set cache_dir to a folder on a larger disk"


def used_bytes(folder: Path) -> int:
    """Return the size of the files in a folder; 0 when there is no folder."""
    files = (Path(top) / name for top, _, names in os.walk(folder) for name in names)
    return sum(file.lstat().st_size for file in files)


def check_space(folder: Path, needed_bytes: float, what: str, advice: str) -> None:
    """Refuse, with the figures, what does not fit on the disk of `folder`."""
    existing = next(parent for parent in folder.absolute().parents if parent.exists())
    free = shutil.disk_usage(existing).free
    if free < needed_bytes:
        raise UserError(
            f"{what} needs {needed_bytes / 2**30:.2f} GiB of disk, has {free / 2**30:.2f} GiB in "
            f"{existing}; free some space, or {advice}"
        )

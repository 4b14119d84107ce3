"""The A/A control: the baseline once more, under another name and from another file.

Whatever the two differ by is the harness's own: place in memory, place in the order, other users
of the machine. `report/control.py` judges it.
"""

import shutil
from pathlib import Path


def control_name(baseline: str) -> str:
    """Return the name under which a baseline is measured a second time."""
    return f"{baseline}-again"


def copy_object(kernel: Path, scratch: Path) -> Path:
    """Copy a kernel's shared object, not as a link: one file is loaded only once."""
    target = scratch / "again" / kernel.name
    target.parent.mkdir(exist_ok=True)
    shutil.copyfile(kernel, target)
    return target

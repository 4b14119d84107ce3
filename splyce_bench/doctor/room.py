"""Room for a target: memory, huge pages, and disk where results and the cache lie."""

import os
import re
import shutil
from pathlib import Path

from splyce_bench.doctor.finding import Finding, judged
from splyce_bench.doctor.machine import Machine, gib, write_setting
from splyce_bench.doctor.needs import Needs
from splyce_bench.measure.host import UNKNOWN, read

HUGE_PAGES = "kernel/mm/transparent_hugepage/enabled"
EXAMPLES = 3


def memory(machine: Machine, needs: Needs) -> Finding:
    """Memory that is free, against the largest group; groups that never fit are named."""
    total, free = machine.memory()
    largest = max(needs.memory.values(), default=0)
    found = f"{gib(free)} free of {gib(total)}, {needs.target} needs {gib(largest)}"
    too_large = sorted(name for name, size in needs.memory.items() if size > total)
    if too_large:
        found += f"; too large: {', '.join(too_large[:EXAMPLES])}"
        found += f" and {len(too_large) - EXAMPLES} more" if len(too_large) > EXAMPLES else ""
    hopeless = bool(too_large) and len(too_large) == len(needs.memory)
    return judged(
        largest <= free,
        "memory",
        found,
        "kernels run on mapped arrays, which must stay in memory while they are timed",
        "--config scale=smoke, or a machine with more memory"
        if too_large
        else "end other programs: ps aux --sort=-rss",
        "problem" if hopeless else "warning",
    )


def huge_pages(machine: Machine) -> Finding:
    """Transparent huge pages: large outputs touch many pages."""
    chosen = re.search(r"\[(\w+)\]", read(machine.sys / HUGE_PAGES))
    found = chosen.group(1) if chosen else UNKNOWN
    return judged(
        found != "never",
        "huge pages",
        found,
        "without them, misses of the address translation are part of every time",
        write_setting("madvise", f"/sys/{HUGE_PAGES}"),
    )


def disk(needed: dict[Path, int], target: str) -> list[Finding]:
    """Free space of each disk; `needed` is bytes a folder, added up where a disk is the same."""
    disks: dict[int, list[Path]] = {}
    for folder in needed:
        disks.setdefault(_existing(folder).stat().st_dev, []).append(folder)
    return [_one_disk(sorted(f), sum(needed[x] for x in f), target) for f in disks.values()]


def matrices(cache: Path, needed: int) -> Finding:
    """Room for what is to be fetched; a matrix that does not fit is an outcome, not an error."""
    free = shutil.disk_usage(_existing(cache)).free
    return judged(
        free >= needed,
        "collection",
        f"{gib(needed)} to fetch into {cache}, {gib(free)} free",
        "matrices that do not fit are marked as too large",
        "splyce-bench clean; or --config cache_dir=FOLDER on a larger disk",
    )


def _one_disk(folders: list[Path], needed: int, target: str) -> Finding:
    usage = shutil.disk_usage(_existing(folders[0]))
    writable = all(os.access(_existing(folder), os.W_OK) for folder in folders)
    places = " and ".join(map(str, folders))
    return judged(
        usage.free >= needed and writable,
        "disk",
        f"{gib(usage.free)} free for {places}, {target} needs {gib(needed)}"
        + ("" if writable else ", and may not write there"),
        "toolchain, inputs and results are kept there",
        "splyce-bench clean; or --config cache_dir=FOLDER on a larger disk"
        if writable
        else f"chown or chmod {places}; or --config cache_dir=FOLDER",
        "problem",
    )


def _existing(folder: Path) -> Path:
    absolute = folder.absolute()
    return next(path for path in (absolute, *absolute.parents) if path.exists())

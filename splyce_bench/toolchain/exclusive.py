"""One process at a time makes a toolchain; the others wait and find it made."""

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def only_one(lock: Path) -> Iterator[None]:
    """Hold a lock file; the kernel releases it even when the process is killed."""
    lock.parent.mkdir(parents=True, exist_ok=True)
    with lock.open("w", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield

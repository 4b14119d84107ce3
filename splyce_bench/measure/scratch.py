"""The folder that one measurement works in; those of killed ones are removed first."""

import fcntl
import shutil
import socket
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

LOCK = "in-use"


@contextmanager
def scratch_folder(parent: Path) -> Iterator[Path]:
    """Yield a new folder below `parent`, gone afterwards.

    After a SIGKILL it stays, without the lock of a living process. Only this host's are looked at:
    the locks of other nodes do not show on every file system.
    """
    prefix = f".scratch-{socket.gethostname()}-"
    for left in parent.glob(f"{prefix}*/{LOCK}"):
        _remove_if_free(left)
    with tempfile.TemporaryDirectory(prefix=prefix, dir=parent) as name:
        folder = Path(name).resolve()
        with (folder / LOCK).open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield folder


def _remove_if_free(path: Path) -> None:
    try:
        with path.open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(path.parent)
    except (BlockingIOError, FileNotFoundError):
        # In use, or removed by its own measurement meanwhile.
        return

"""Progress of a measuring job: every line to its log, one now and then to the terminal."""

import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from splyce_bench.errors import UserError


class Progress:
    """Called with a line: writes it to the log, and now and then to the terminal."""

    def __init__(self, group: str, log: Path, every_s: float = 5.0) -> None:
        self.group, self.log, self.every_s, self.shown = group, log, every_s, 0.0
        log.parent.mkdir(parents=True, exist_ok=True)
        log.write_text("", encoding="utf-8")

    def __call__(self, line: str) -> None:
        """Write one line."""
        with self.log.open("a", encoding="utf-8") as file:
            file.write(line + "\n")
        now = time.monotonic()
        if now - self.shown >= self.every_s:
            width = shutil.get_terminal_size().columns
            print(f"{self.group}: {line}"[: max(width, 100)], file=sys.stderr, flush=True)
            self.shown = now


@contextmanager
def errors_in(log: Path) -> Iterator[None]:
    """Write a UserError that ends the job into its log, too.

    A job of a cluster has no terminal, and Snakemake repeats the last lines of logs.
    """
    try:
        yield
    except UserError as error:
        log.parent.mkdir(parents=True, exist_ok=True)
        with log.open("a", encoding="utf-8") as file:
            file.write(f"error: {error}\n")
        raise

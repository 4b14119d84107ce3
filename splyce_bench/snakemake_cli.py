"""The `snakemake` command of this project's environment: Snakemake, without two of its traps.

`--config` swallows the target that follows it, and an unwritable HOME ends in a traceback before
any Snakefile is read. Both are answered here, before Snakemake starts; everything else is its own.
"""

import os
import sys
import tempfile
from pathlib import Path

from splyce_bench.errors import UserError
from splyce_bench.plan import cache_folder


def main() -> None:
    """Check the arguments, find a writable cache, and hand over to Snakemake."""
    try:
        check_arguments(sys.argv[1:])
    except UserError as error:
        raise SystemExit(f"error: {error}") from None
    give_writable_folders()
    from snakemake.cli import main as snakemake_main

    snakemake_main()


def check_arguments(arguments: list[str]) -> None:
    """Raise UserError when a word without `=` follows `--config`."""
    inside = False
    for argument in arguments:
        if argument in ("--config", "-C"):
            inside = True
        elif argument.startswith("-"):
            inside = False
        elif inside and "=" not in argument:
            raise UserError(
                f"'{argument}' stands after --config but is not KEY=VALUE; targets come before "
                f"--config, as in: snakemake {argument} --config scale=smoke"
            )


def give_writable_folders() -> None:
    """Point the caches of Snakemake and Matplotlib to a writable folder when HOME is none."""
    home = Path(os.environ.get("HOME") or "/nonexistent")
    if os.access(home, os.W_OK | os.X_OK):
        return
    folder = cache_folder(None)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        folder = Path(tempfile.gettempdir()) / f"splyce-bench-{os.getuid()}"
    os.environ.setdefault("XDG_CACHE_HOME", str(folder))
    os.environ.setdefault("MPLCONFIGDIR", str(folder / "matplotlib"))

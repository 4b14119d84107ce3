"""The `snakemake` command of this project's environment: Snakemake, without two of its traps.

`--config` swallows the target that follows it, and an unwritable HOME ends in a traceback before
any Snakefile is read. Both are answered here, before Snakemake starts; everything else is its own.
"""

import os
import sys
from pathlib import Path

from splyce_bench.errors import UserError
from splyce_bench.places import cache_folder, can_write


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
    home = os.environ.get("HOME")
    if home and can_write(Path(home)):
        return
    folder = cache_folder(None)
    for name, path in (("XDG_CACHE_HOME", folder), ("MPLCONFIGDIR", folder / "matplotlib")):
        if not os.environ.get(name):
            os.environ[name] = str(path)


if __name__ == "__main__":
    main()

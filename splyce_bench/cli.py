"""The `splyce-bench` command: `clean` shows what takes disk space, and removes it by name."""

import argparse
import shutil
from pathlib import Path

from splyce_bench.configuration import load_yaml
from splyce_bench.errors import UserError
from splyce_bench.plan import cache_folder
from splyce_bench.process import run_cli
from splyce_bench.toolchain.cache import cache_usage


def main() -> None:
    """Run a subcommand."""
    run_cli(_main)


def _main() -> None:
    parser = argparse.ArgumentParser(prog="splyce-bench", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    clean = commands.add_parser("clean", help="show what takes disk space; remove it by name")
    clean.add_argument("--remove", nargs="+", default=[], metavar="NAME", help="names of the list")
    options = parser.parse_args()
    cache = cache_folder(load_yaml(Path("config") / "default.yaml")["cache_dir"])
    clean_folders([Path("build"), Path("results"), cache], options.remove)


def clean_folders(folders: list[Path], remove: list[str]) -> None:
    """Print each entry of the folders with its size, and remove those named."""
    found = {
        f"{folder.name}/{name}": (folder / name, size)
        for folder in folders
        for name, size in cache_usage(folder)
    }
    if unknown := [name for name in remove if name not in found]:
        known = ", ".join(found) or "nothing"
        raise UserError(f"clean: no entry '{unknown[0]}'; there is: {known}")
    for name, (path, size) in found.items():
        print(f"{size / 1e6:10.1f} MB  {name}{'  removed' if name in remove else ''}")
        if name in remove:
            shutil.rmtree(path) if path.is_dir() else path.unlink()

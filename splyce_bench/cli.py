"""The `splyce-bench` command; each subcommand has a module.

`doctor` tells whether this machine can run a target, and changes nothing. `clean` shows what takes
disk space, and removes it by name.
"""

import argparse
import shutil
from pathlib import Path

from splyce_bench.compare import command as compare_command
from splyce_bench.configuration import load_yaml
from splyce_bench.doctor.examine import examine, tell
from splyce_bench.doctor.machine import Machine
from splyce_bench.errors import UserError
from splyce_bench.forecast import command as plan_command
from splyce_bench.places import cache_folder
from splyce_bench.plan import load_run
from splyce_bench.process import run_cli
from splyce_bench.toolchain.cache import cache_usage

DESCRIPTION = "What is done about runs beside running them, which `snakemake TARGET` does."


def main() -> None:
    """Run a subcommand."""
    run_cli(_main)


def _main() -> int:
    options = _parser().parse_args()
    return int(options.run(options))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="splyce-bench", description=DESCRIPTION)
    commands = parser.add_subparsers(dest="command", required=True)
    look = commands.add_parser("doctor", help="can this machine run a target; changes nothing")
    look.add_argument("target", nargs="?", default="all", help="as given to snakemake")
    look.add_argument("--config", nargs="+", default=[], metavar="KEY=VALUE", help="the same")
    look.set_defaults(run=_doctor)
    compare_command.add_parser(commands)
    clean = commands.add_parser("clean", help="show what takes disk space; remove it by name")
    clean.add_argument("--remove", nargs="+", default=[], metavar="NAME", help="names of the list")
    clean.set_defaults(run=_clean)
    plan_command.add_parser(commands)
    return parser


def _doctor(options: argparse.Namespace) -> int:
    return doctor(options.target, options.config)


def doctor(target: str, overrides: list[str]) -> int:
    """Print the state of this machine; return 1 when the target cannot run on it."""
    return tell(examine(load_run(overrides), target, Machine()), target)


def _clean(options: argparse.Namespace) -> int:
    cache = cache_folder(load_yaml(Path("config") / "default.yaml")["cache_dir"])
    clean_folders([Path("build"), Path("results"), cache], options.remove)
    return 0


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

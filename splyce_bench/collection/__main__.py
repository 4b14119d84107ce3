"""Commands of the collection: `fetch` has one matrix in the cache and writes a record of it."""

import argparse
from pathlib import Path

from splyce_bench.collection.download import Policy
from splyce_bench.collection.fetch import Wanted, fetch_matrix
from splyce_bench.files import write_json
from splyce_bench.process import die_with_parent, run_cli

COLLECTION = "https://sparse.tamu.edu"


def main() -> None:
    """Run a subcommand."""
    parser = argparse.ArgumentParser(prog="python -m splyce_bench.collection", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    _add_fetch(commands.add_parser("fetch", help="have one matrix in the cache"))
    options = parser.parse_args()
    options.run(options)


def _add_fetch(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--group", required=True)
    parser.add_argument("--name", required=True)
    parser.add_argument("--rows", type=int, help="the size that a list promises")
    parser.add_argument("--cols", type=int)
    parser.add_argument("--sha256", help="of the .mtx file, if the list has it")
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--mirror", default=COLLECTION, help="root of the collection's layout")
    parser.add_argument("--timeout-seconds", type=float, default=Policy.timeout_seconds)
    parser.add_argument("--retries", type=int, default=Policy.retries)
    parser.add_argument("--out", type=Path, required=True, help="record, as JSON")
    parser.set_defaults(run=_fetch)


def _fetch(options: argparse.Namespace) -> None:
    die_with_parent()
    wanted = Wanted(options.group, options.name, options.rows, options.cols, options.sha256)
    policy = Policy(options.timeout_seconds, options.retries)
    record = fetch_matrix(wanted, options.cache, options.mirror, policy)
    write_json(options.out, record)
    print(f"{options.group}/{options.name}: {record['outcome']}: ", end="")
    print(record.get("reason") or f"{record['path']}, sha256 {record['sha256']}")


if __name__ == "__main__":
    run_cli(main)

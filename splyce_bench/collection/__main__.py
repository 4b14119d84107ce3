"""Commands of the collection: `fetch` has one matrix in the cache and writes a record of it;
`list` writes a list of matrices, with the sizes that the collection's index has.
"""

import argparse
from pathlib import Path

from splyce_bench.collection.download import Policy
from splyce_bench.collection.fetch import Wanted, fetch_matrix
from splyce_bench.collection.index import write_list
from splyce_bench.collection.outcome import UnobtainableError
from splyce_bench.errors import UserError
from splyce_bench.files import write_json
from splyce_bench.process import die_with_parent, run_cli

COLLECTION = "https://sparse.tamu.edu"


def main() -> None:
    """Run a subcommand."""
    parser = argparse.ArgumentParser(prog="python -m splyce_bench.collection", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    _add_fetch(commands.add_parser("fetch", help="have one matrix in the cache"))
    _add_list(commands.add_parser("list", help="write a list of matrices, for config/matrices"))
    options = parser.parse_args()
    options.run(options)


def _add_fetch(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--group", required=True)
    parser.add_argument("--name", required=True)
    parser.add_argument("--rows", type=int, help="the size that a list promises")
    parser.add_argument("--cols", type=int)
    parser.add_argument("--sha256", help="of the .mtx file, if the list has it")
    parser.add_argument("--cache", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True, help="record, as JSON")
    _add_transfer(parser)
    parser.set_defaults(run=_fetch)


def _add_list(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("ids", nargs="+", metavar="GROUP/NAME")
    parser.add_argument("--out", type=Path, required=True, help="list, as .tsv")
    _add_transfer(parser)
    parser.set_defaults(run=_list)


def _add_transfer(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--mirror", default=COLLECTION, help="root of the collection's layout")
    parser.add_argument("--timeout-seconds", type=float, default=Policy.timeout_seconds)
    parser.add_argument("--retries", type=int, default=Policy.retries)


def _list(options: argparse.Namespace) -> None:
    policy = Policy(options.timeout_seconds, options.retries)
    try:
        write_list(options.ids, options.mirror, policy, options.out)
    except UnobtainableError as error:
        raise UserError(error.reason) from None


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

"""Commands of the toolchain stage: `resolve`, `build-pass`, and `slim` for an image."""

import argparse
from pathlib import Path

from splyce_bench.process import die_with_parent, run_cli
from splyce_bench.toolchain.build_pass import build_pass
from splyce_bench.toolchain.model import Request
from splyce_bench.toolchain.resolve import PROVIDERS, write_toolchain
from splyce_bench.toolchain.slim import copy_runtime


def main() -> None:
    """Run one command."""
    options = _parser().parse_args()
    die_with_parent()
    options.run(options)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    resolve = commands.add_parser("resolve")
    resolve.add_argument("--provider", choices=["auto", *PROVIDERS], required=True)
    resolve.add_argument("--prefix", type=Path)
    resolve.add_argument("--source-ref", required=True)
    resolve.add_argument("--source-tarball")
    resolve.add_argument("--cache", type=Path, required=True)
    resolve.add_argument("--out", type=Path, required=True)
    resolve.set_defaults(run=_resolve)
    build = commands.add_parser("build-pass")
    for name in ("toolchain", "source", "build", "out"):
        build.add_argument(f"--{name}", type=Path, required=True)
    build.set_defaults(run=lambda o: build_pass(o.toolchain, o.source, o.build, o.out))
    slim = commands.add_parser("slim")
    slim.add_argument("--toolchain", type=Path, required=True)
    slim.add_argument("--users", type=Path, nargs="+", default=[])
    slim.add_argument("--root", type=Path, required=True)
    slim.set_defaults(run=lambda o: copy_runtime(o.toolchain, o.users, o.root))
    return parser


def _resolve(options: argparse.Namespace) -> None:
    request = Request(
        options.provider, options.prefix, options.source_ref, options.source_tarball, options.cache
    )
    write_toolchain(request, options.out)


if __name__ == "__main__":
    run_cli(main)

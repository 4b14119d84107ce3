"""Commands of the toolchain stage: `resolve` and `build-pass`."""

import argparse
from pathlib import Path

from splyce_bench.process import die_with_parent, run_cli
from splyce_bench.toolchain.build_pass import build_pass
from splyce_bench.toolchain.model import Request
from splyce_bench.toolchain.resolve import PROVIDERS, write_toolchain


def main() -> None:
    """Run one command."""
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    resolve = commands.add_parser("resolve")
    resolve.add_argument("--provider", choices=["auto", *PROVIDERS], required=True)
    resolve.add_argument("--prefix", type=Path)
    resolve.add_argument("--source-ref", required=True)
    resolve.add_argument("--source-tarball")
    resolve.add_argument("--cache", type=Path, required=True)
    resolve.add_argument("--out", type=Path, required=True)
    build = commands.add_parser("build-pass")
    for name in ("toolchain", "source", "build", "out"):
        build.add_argument(f"--{name}", type=Path, required=True)
    options = parser.parse_args()
    die_with_parent()
    if options.command == "build-pass":
        build_pass(options.toolchain, options.source, options.build, options.out)
        return
    request = Request(
        options.provider, options.prefix, options.source_ref, options.source_tarball, options.cache
    )
    write_toolchain(request, options.out)


if __name__ == "__main__":
    run_cli(main)

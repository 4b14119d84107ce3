"""Command of the compile stage: `python -m splyce_bench.compile --spec JSON ...`."""

import argparse
import json
from pathlib import Path

from splyce_bench.compile.build import Build, Settings, build_kernel
from splyce_bench.compile.pipelines import Pipeline
from splyce_bench.files import read_json
from splyce_bench.kernels.catalog import make_kernel
from splyce_bench.process import die_with_parent, run_cli


def main() -> None:
    """Compile one kernel with one pipeline."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--spec", required=True, help="kernel entry, pipeline and settings as JSON")
    parser.add_argument("--toolchain", type=Path, required=True)
    parser.add_argument("--plugin", type=Path, required=True, help="our pass plugin")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--log", type=Path, required=True)
    options = parser.parse_args()
    die_with_parent()
    spec = json.loads(options.spec)
    name = spec["kernel"]["name"]
    build = Build(
        kernel=make_kernel(name, {"description": name, **spec["kernel"]}, name),
        pipeline=Pipeline.from_json(spec["pipeline"]),
        parallel=spec["parallel"],
        toolchain=read_json(options.toolchain),
        plugin=options.plugin,
        settings=Settings(spec["cpu"], tuple(spec["opt_flags"]), tuple(spec["llc_flags"])),
    )
    build_kernel(build, options.out, options.log)


if __name__ == "__main__":
    run_cli(main)

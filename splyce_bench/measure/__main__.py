"""Commands of the measure stage: `build-runtime`, `group` (measure one), `check` (all outcomes)."""

import argparse
import json
from pathlib import Path

from splyce_bench.files import write_json
from splyce_bench.measure.group import Group
from splyce_bench.measure.key import group_key
from splyce_bench.measure.outcomes import check_results
from splyce_bench.measure.progress import Progress, errors_in
from splyce_bench.measure.runtime import build_runtime
from splyce_bench.measure.scratch import scratch_folder
from splyce_bench.measure.store import Record, stored_or
from splyce_bench.measure.study_cpu import hold_to_study
from splyce_bench.measure.task import Task
from splyce_bench.process import die_with_parent, run_cli


def main() -> int:
    """Run one command."""
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    runtime = commands.add_parser("build-runtime")
    runtime.add_argument("--out", type=Path, required=True)
    group = commands.add_parser("group")
    group.add_argument("--task", required=True, help="the group as JSON")
    group.add_argument("--threads", type=int, required=True)
    for name in ("input", "toolchain", "runtime", "store", "log", "out"):
        group.add_argument(f"--{name}", type=Path, required=True)
    check = commands.add_parser("check")
    check.add_argument("--run", type=Path, required=True)
    check.add_argument("--out", type=Path, required=True)
    check.add_argument("--log", type=Path, required=True)
    check.add_argument("raw", type=Path, nargs="*")
    options = parser.parse_args()
    die_with_parent()
    if options.command == "build-runtime":
        build_runtime(options.out)
        return 0
    if options.command == "check":
        return check_results(options.run, options.raw, options.out, options.log)
    return _measure(options)


def _measure(options: argparse.Namespace) -> int:
    options.store.mkdir(parents=True, exist_ok=True)
    with errors_in(options.log), scratch_folder(options.store) as scratch:
        task = Task.from_json(
            json.loads(options.task),
            threads=options.threads,
            input=options.input,
            toolchain=options.toolchain,
            runtime=options.runtime,
            scratch=scratch,
        )
        hold_to_study(options.store, task.pipelines.values())
        stored = options.store / f"{group_key(task)}.json"

        def measure() -> Record:
            return Group(task, Progress(task.group, options.log)).measure()

        record = stored_or(stored, task, measure)
    write_json(options.out, record)
    return 0


if __name__ == "__main__":
    run_cli(main)

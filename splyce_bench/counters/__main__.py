"""Command of the counters: `python -m splyce_bench.counters group --task JSON ...`."""

import argparse
import json
from pathlib import Path

from splyce_bench.counters.group import CounterGroup, counter_key, split_task
from splyce_bench.files import write_json
from splyce_bench.measure.progress import Progress, errors_in
from splyce_bench.measure.scratch import scratch_folder
from splyce_bench.measure.store import Record, stored_or
from splyce_bench.measure.study_cpu import hold_to_study
from splyce_bench.process import die_with_parent, run_cli


def main() -> None:
    """Count one group."""
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    group = commands.add_parser("group")
    group.add_argument("--task", required=True, help="the group as JSON")
    group.add_argument("--threads", type=int, required=True)
    group.add_argument("--least-share-pct", type=float, required=True)
    for name in ("input", "simulated-input", "toolchain", "runtime", "store", "log", "out"):
        group.add_argument(f"--{name}", type=Path, required=True)
    options = parser.parse_args()
    die_with_parent()
    options.store.mkdir(parents=True, exist_ok=True)
    with errors_in(options.log), scratch_folder(options.store) as scratch:
        measured, simulated = split_task(
            json.loads(options.task),
            {"input": options.input, "simulated_input": options.simulated_input},
            threads=options.threads,
            toolchain=options.toolchain,
            runtime=options.runtime,
            scratch=scratch,
        )
        hold_to_study(options.store, measured.pipelines.values())
        share = options.least_share_pct
        stored = options.store / f"counters-{counter_key(measured, simulated, share)}.json"

        def count() -> Record:
            notify = Progress(measured.group, options.log)
            return CounterGroup(measured, simulated, notify, share).measure()

        record = stored_or(stored, measured, count)
    write_json(options.out, record)


if __name__ == "__main__":
    run_cli(main)

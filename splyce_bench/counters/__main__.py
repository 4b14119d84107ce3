"""Command of the counters: `python -m splyce_bench.counters group --task JSON ...`."""

import argparse
import json
import tempfile
from pathlib import Path

from splyce_bench.counters.group import CounterGroup, counter_key, split_task
from splyce_bench.files import read_json, write_json
from splyce_bench.measure.group import all_measured
from splyce_bench.measure.progress import Progress
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
    options.out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".scratch-", dir=options.out.parent) as scratch:
        measured, simulated = split_task(
            json.loads(options.task),
            {"input": options.input, "simulated_input": options.simulated_input},
            threads=options.threads,
            toolchain=options.toolchain,
            runtime=options.runtime,
            scratch=Path(scratch).resolve(),
        )
        stored = options.store / f"counters-{counter_key(measured, simulated)}.json"
        if stored.exists():
            print(f"{measured.group}: kept: the same objects and input were counted before")
            names = {"experiment": measured.experiment, "group": measured.group}
            record = {**read_json(stored), **names}
        else:
            notify = Progress(measured.group, options.log)
            record = CounterGroup(measured, simulated, notify, options.least_share_pct).measure()
            if all_measured(record):
                write_json(stored, record)
    write_json(options.out, record)


if __name__ == "__main__":
    run_cli(main)

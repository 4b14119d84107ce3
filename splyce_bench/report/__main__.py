"""Commands of the report stage, one an output: tidy, table, ports, figure, claims, goals ..."""

import argparse
from pathlib import Path
from typing import Any

import pandas as pd

from splyce_bench.compile.pipelines import load_pipelines
from splyce_bench.configuration import ROOT, load_yaml
from splyce_bench.files import write_text
from splyce_bench.kernels.catalog import load_kernels
from splyce_bench.process import die_with_parent, run_cli
from splyce_bench.report.records import load_records, records_of

EXPERIMENTS = ROOT / "experiments"


def main() -> None:
    """Run one command."""
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, options in {
        "tidy": ("experiment", "out"),
        "table": ("experiment", "tidy", "scale", "out-stem"),
        "ports": ("scale", "out-stem"),
        "figure": ("name", "tidy", "style", "out-stem"),
        "claims": ("out",),
        "goals": ("experiment", "scale", "out"),
        "html": ("run", "scale", "out"),
        "headline": ("run",),
    }.items():
        command = commands.add_parser(name)
        for option in options:
            text = option in ("experiment", "name", "scale", "style")
            command.add_argument(f"--{option}", required=True, type=str if text else Path)
        if name == "claims":
            command.add_argument("--scale", default="", help="a label for the verdicts")
        if name == "table":
            command.add_argument("--goals", type=Path, nargs="*", default=[])
        if name in ("tidy", "claims", "goals"):
            command.add_argument("--raw", type=Path, nargs="*", default=[])
        if name in ("tidy", "claims", "goals", "ports"):
            command.add_argument("--counters", type=Path, nargs="*", default=[])
    chosen = parser.parse_args()
    die_with_parent()
    globals()[f"_{chosen.command}"](chosen)


def _tidy(options: argparse.Namespace) -> None:
    from splyce_bench.report.counter_columns import with_counters
    from splyce_bench.report.counters import counter_rows
    from splyce_bench.report.features import feature_rows
    from splyce_bench.report.published_features import published_rows
    from splyce_bench.report.tidy import pipeline_order, tidy

    entry, counters = _experiment(options.experiment), load_records(options.counters)
    if entry.get("layout") == "predictability":
        kernels = load_kernels(ROOT / "config" / "kernels.yaml")
        ours = feature_rows(load_records(options.raw), kernels)
        table = pd.concat([ours, published_rows(kernels)], ignore_index=True)
    elif entry.get("counters") == "alone":
        table = counter_rows(counters)
    else:
        rows = tidy(load_records(options.raw), pipeline_order(entry))
        table = with_counters(rows, counters)
    write_text(options.out, table.to_csv(index=False))


def _table(options: argparse.Namespace) -> None:
    from splyce_bench.report.comparison import write_comparison
    from splyce_bench.report.goals import goal_lines, read_goals
    from splyce_bench.report.predictability_table import write_predictability
    from splyce_bench.report.tables import Heading, write_table

    pipelines = load_pipelines(ROOT / "config" / "pipelines.yaml")
    entry = _experiment(options.experiment)
    goals = tuple(goal_lines(read_goals(options.goals)))
    text = Heading(entry["title"], entry["caption"], options.scale, goals)
    rows = pd.read_csv(options.tidy)
    if entry.get("layout") == "comparison":
        write_comparison(rows, options.out_stem, text)
    elif entry.get("layout") == "predictability":
        write_predictability(rows, options.out_stem, text)
    else:
        write_table(rows, pipelines, options.out_stem, text)


def _ports(options: argparse.Namespace) -> None:
    from splyce_bench.report.ports import write_ports

    pipelines = load_pipelines(ROOT / "config" / "pipelines.yaml")
    write_ports(load_records(options.counters), pipelines, options.out_stem, options.scale)


def _figure(options: argparse.Namespace) -> None:
    from splyce_bench.report.figures import draw

    draw(options.name, pd.read_csv(options.tidy), options.style, options.out_stem)


def _experiment(name: str) -> dict[str, Any]:
    found: dict[str, Any] = load_yaml(EXPERIMENTS / f"{name}.yaml")
    return found


def _experiments() -> dict[str, dict[str, Any]]:
    return {path.stem: _experiment(path.stem) for path in sorted(EXPERIMENTS.glob("*.yaml"))}


def _claims(options: argparse.Namespace) -> None:
    from splyce_bench.report.claims import judge_all

    records, counters = load_records(options.raw), load_records(options.counters)
    table = judge_all(_experiments(), records, options.scale, counters)
    write_text(options.out, table.to_csv(index=False))


def _goals(options: argparse.Namespace) -> None:
    from splyce_bench.report.goals import judge_goals

    records, counters = load_records(options.raw), load_records(options.counters)
    name = options.experiment
    table = judge_goals(name, _experiment(name), records, options.scale, counters)
    write_text(options.out, table.to_csv(index=False))


def _html(options: argparse.Namespace) -> None:
    from splyce_bench.report.page import render

    records = records_of(options.run)
    write_text(options.out, render(options.run, options.scale, _experiments(), records))


def _headline(options: argparse.Namespace) -> None:
    from splyce_bench.report.headline import headline

    print(headline(options.run))


if __name__ == "__main__":
    run_cli(main)

"""`splyce-bench plan TARGET`: what a target will take on this machine, before anything is spent.

Jobs by Snakemake's dry run; time from a calibration of a few seconds, the inputs' sizes, and what
finished groups took; disk, memory, downloads; the cells that will not fit, and why. Nothing is
changed but the history in the cache folder. Exit code: 0 it fits, 3 the disk does not suffice.
"""

import argparse
import math
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from splyce_bench.configuration import load_yaml, merged
from splyce_bench.errors import UserError
from splyce_bench.forecast.calibration import Calibration, calibrate
from splyce_bench.forecast.forecast import Forecast, make_forecast
from splyce_bench.forecast.history import History, PlanError, load_history
from splyce_bench.forecast.jobs import jobs_of
from splyce_bench.forecast.model import Model
from splyce_bench.plan import Plan, load_plan
from splyce_bench.report.records import Record, records_of
from splyce_bench.space import LARGER_DISK, free_bytes, usable_memory

NO_ROOM = 3
# Earlier plans whose largest error is the range told; with fewer, at least the usual one.
SHOWN_PLANS = 3
USUAL_ERROR = 1.5
LONGEST = 5
# Share of the processors in use from which on a plan warns.
BUSY = 0.5


def add_parser(commands: Any) -> None:
    """Add the subcommand to `splyce-bench`."""
    parser = commands.add_parser(
        "plan",
        help="jobs, time, disk, memory and downloads of a target before they are spent",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("target", metavar="TARGET", help="as for snakemake, e.g. figure13 or all")
    parser.add_argument(
        "--config", nargs="+", default=[], metavar="KEY=VALUE", help="as for snakemake"
    )
    parser.set_defaults(run=lambda options: tell_plan(options.target, options.config))


def tell_plan(target: str, config: list[str]) -> int:
    """Print the plan of a target and return the exit code."""
    jobs = jobs_of(target, config)
    plan = load_plan(configured(config))
    history = load_history(plan.cache)
    runs, problems = _runs(plan, history)
    history.learn((r for records in runs.values() for r in records), plan.kernels)
    model = Model(calibrate(), plan.config["measure"])
    cores = os.cpu_count() or 1
    forecast = make_forecast(plan, jobs, history, model, cores)
    told = Told(plan, target, forecast, history, history.errors(runs), model.calibration)
    print("\n".join([*told.lines(), *problems]))
    run = str(plan.run.resolve())
    history.remember({"target": target, "run": run, "groups": forecast.groups})
    return 0 if told.fits else NO_ROOM


def configured(pairs: list[str]) -> dict[str, Any]:
    """Return the configuration that Snakemake makes of `--config KEY=VALUE ...`."""
    overrides = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals:
            raise UserError(f"--config: '{pair}' is not KEY=VALUE, such as scale=smoke")
        overrides[key] = yaml.safe_load(value)
    config = load_yaml(Path("config") / "default.yaml")
    if overrides.get("scale", config["scale"]) == "smoke":
        config = merged(config, load_yaml(Path("config") / "smoke.yaml"))
    return merged(config, overrides)


def _runs(plan: Plan, history: History) -> tuple[dict[Path, list[Record]], list[str]]:
    """Return the records of this clone's runs and of those planned; and which cannot be read."""
    folders = {path.resolve() for path in plan.run.parent.glob("*") if path.is_dir()}
    folders |= {Path(plan["run"]) for plan in history.plans if Path(plan["run"]).is_dir()}
    runs, problems = {}, []
    for folder in sorted(folders):
        try:
            runs[folder] = records_of(folder)
        except UserError as error:
            problems.append(f"Not learnt from {folder.name}: {error}")
    return runs, problems


class Told:
    """The lines of a plan."""

    def __init__(
        self,
        plan: Plan,
        target: str,
        forecast: Forecast,
        history: History,
        errors: list[PlanError],
        calibration: Calibration,
    ) -> None:
        self.plan, self.target, self.forecast = plan, target, forecast
        self.history, self.errors, self.calibration = history, errors, calibration
        self.room = list(self._room())
        self.fits = all(needed <= free for _, needed, _, free in self.room)

    def lines(self) -> Iterator[str]:
        """Yield the plan, the most important first."""
        counts = self.forecast.jobs.counts
        yield f"{self.target} into {self.plan.run}, scale {self.plan.config['scale']}"
        if not counts:
            yield "Nothing to be done: the results are there."
            return
        each = ", ".join(f"{count} {rule}" for rule, count in sorted(counts.items()))
        yield f"Jobs: {sum(counts.values())} ({each})"
        yield from self._time()
        yield from self._space()
        yield from (f"Will not be measured: {line}" for line in self.forecast.unfit)
        yield from (f"May run out of time: {line}" for line in self.forecast.slow)
        yield from (f"Size unknown, not in the time: {line}" for line in self.forecast.unknown)

    def _time(self) -> Iterator[str]:
        found, groups = self.forecast, self.forecast.groups
        known = [error.factor for error in self.errors[-SHOWN_PLANS:]]
        error = max(known) if len(known) == SHOWN_PLANS else max([USUAL_ERROR, *known])
        low, high = (duration(found.seconds * f) for f in (1 / error, error))
        network = ", and the downloads" if found.downloads else ""
        yield f"Time: about {duration(found.seconds)} ({low} to {high}){network}"
        measuring = duration(math.fsum(groups.values()))
        yield (
            f"  measuring {len(groups)} groups {measuring}, inputs {duration(found.inputs_s)}, "
            + (f"the rest {duration(found.others_s)}")
        )
        longest = sorted(groups, key=lambda name: groups[name], reverse=True)[:LONGEST]
        for name in longest:
            yield f"  {duration(groups[name]):>9}  {name}"
        yield f"  from {self.calibration.step_ns:.2f} ns a coiteration step, " + (
            f"{self.calibration.start_s:.2f} s a start of Python, {len(self.history.groups)} "
            "finished groups"
        )
        yield from _load_line()
        yield from (_error_line(error) for error in self.errors[-SHOWN_PLANS:])

    def _space(self) -> Iterator[str]:
        for what, needed, folder, free in self.room:
            verdict = "" if needed <= free else f": NOT ENOUGH; {LARGER_DISK} or free some space"
            yield f"Disk, {what}: {size(needed)}, has {size(free)} in {folder}{verdict}"
        yield f"Memory: at most {size(self.forecast.memory)}, usable {size(usable_memory())}"
        parts = [f"{what} {size(count)}" for what, count in self.forecast.downloads.items()]
        yield f"Downloads: {'about ' + ', '.join(parts) if parts else 'none'}"

    def _room(self) -> Iterator[tuple[str, float, Path, int]]:
        yield "results", self.forecast.results, *free_bytes(self.plan.run)
        yield "cache", self.forecast.cache, *free_bytes(self.plan.cache)


def _load_line() -> Iterator[str]:
    load, cores = os.getloadavg()[0], os.cpu_count() or 1
    if load > BUSY * cores:
        yield f"  the load average is {load:.1f} on {cores} processors: it takes longer than this"


def _error_line(error: PlanError) -> str:
    return (
        f"  earlier plan of {error.about}: said {duration(error.planned)} for {error.groups} "
        f"groups, they took {duration(error.taken)} (factor {error.factor:.2f})"
    )


def duration(seconds: float) -> str:
    """Return a time as a reader wants it."""
    for unit, length in (("h", 3600), ("min", 60)):
        if seconds >= 2 * length:
            return f"{seconds / length:.1f} {unit}"
    return f"{seconds:.0f} s"


def size(count: float) -> str:
    """Return bytes with a unit."""
    return f"{count / 2**30:.2f} GiB" if count >= 2**30 / 10 else f"{count / 2**20:.1f} MiB"

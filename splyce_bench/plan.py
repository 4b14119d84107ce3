"""The plan of a run: configuration, tables and experiments read once, and every path made of them.

The Snakefile and the command line share it. It imports nothing heavy, because Snakemake reads it
at every start.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from splyce_bench.compile.pipelines import Pipeline, load_pipelines
from splyce_bench.configuration import checked_config, load_yaml, merged, parse_value
from splyce_bench.errors import UserError, known
from splyce_bench.experiments import Experiment, GroupSpec, load_experiment
from splyce_bench.kernels.catalog import Kernel, load_kernels
from splyce_bench.measure.control import control_name
from splyce_bench.measure.libraries import library_state
from splyce_bench.places import cache_folder, toolchain_name
from splyce_bench.planned_inputs import PlannedInputs

# How a kernel is compiled: one thread, OpenMP, or for callgrind, which knows no AVX-512.
MODES = ("serial", "parallel", "simulated")
SIMULATED_CPU = "x86-64-v3"
# The folder of each kind of drawing, and the forms of its file.
TABLE = ("tables", ("csv", "md", "tex"))
DRAWINGS = {"table": TABLE, "ports": TABLE, "figure": ("figures", ("pdf", "svg", "png"))}


@dataclass(frozen=True)
class Plan:
    """Everything a run needs to know before its first job."""

    config: dict[str, Any]
    kernels: dict[str, Kernel]
    kernel_entries: dict[str, dict[str, Any]]
    pipelines: dict[str, Pipeline]
    experiments: dict[str, Experiment]

    @property
    def run(self) -> Path:
        """The results folder."""
        return Path("results", str(self.config["run"] or self.config["scale"]))

    @property
    def build(self) -> Path:
        """The folder of what the chosen toolchain makes; runs share it."""
        return Path("build") / toolchain_name(self.config["toolchain"])

    @property
    def cache(self) -> Path:
        """The folder of downloads and toolchains that clones share."""
        return cache_folder(self.config["cache_dir"])

    @cached_property
    def inputs(self) -> PlannedInputs:
        """The inputs that the groups ask for."""
        return PlannedInputs(self.config, self.kernels, self.experiments, self.run)

    def groups(self, experiment: str) -> list[Path]:
        """Return the raw result files of an experiment; none when it only reads counters."""
        if self.experiments[experiment].counters == "alone":
            return []
        return [self.raw(group) for group in self.experiments[experiment].groups]

    def groups_behind(self, experiment: str) -> list[Path]:
        """Return the result files that an experiment shows: its own and those that it reads."""
        names = (experiment, *self.experiments[experiment].reads)
        return [path for name in names for path in self.groups(name)]

    def tidy(self, experiment: str) -> Path:
        """Return the table of an experiment's cells."""
        return self.run / "tidy" / f"{experiment}.csv"

    def goals_of(self, experiments: Iterable[str]) -> list[Path]:
        """Return the tables of the goals of those experiments that have some."""
        having = [name for name in experiments if self.experiments[name].has_goals]
        return [self.run / "tidy" / "goals" / f"{name}.csv" for name in having]

    def goals_beside(self, experiment: str) -> list[Path]:
        """Return the goals that are told below a table: those of all experiments of its target."""
        target = self.experiments[experiment].target
        return self.goals_of(e.name for e in self.experiments.values() if e.target == target)

    def raw(self, group: GroupSpec) -> Path:
        """Return a group's result file."""
        return self.run / "raw" / group.experiment / f"{group.name}.json"

    def experiments_of(self, target: str) -> list[str]:
        """Return the experiments behind a target: all, or those of its name and what they read."""
        every = self.experiments.values()
        chosen = [e for e in every if target in ("all", "report", e.name, e.target)]
        return sorted({name for e in chosen for name in (e.name, *e.reads)})

    def drawings(self, experiment: str) -> list[Path]:
        """Return the files that an experiment is drawn into."""
        return [
            self.run / DRAWINGS[kind][0] / f"{name}.{form}"
            for kind, name in self.experiments[experiment].drawings.items()
            for form in DRAWINGS[kind][1]
        ]

    def drawn(self, kind: str, name: str) -> str:
        """Return the experiment behind a drawing; `kind` is one of DRAWINGS."""
        every = self.experiments.values()
        return next(e.name for e in every if e.drawings.get(kind) == name)

    def names_of(self, kind: str) -> list[str]:
        """Return the names of all drawings of a kind."""
        return [e.drawings[kind] for e in self.experiments.values() if kind in e.drawings]

    def counter_groups(self, experiment: str) -> list[Path]:
        """Return the counter files of an experiment; none when it reads no counters."""
        if not self.experiments[experiment].counters:
            return []
        return [self.counters(group) for group in self.experiments[experiment].groups]

    def counters(self, group: GroupSpec) -> Path:
        """Return a group's counter file."""
        return self.run / "counters" / group.experiment / f"{group.name}.json"

    def group(self, experiment: str, kernel: str, input: str, cores: int) -> GroupSpec:
        """Return the group that a result file belongs to."""
        name = f"{kernel}/{input}/c{cores}"
        return next(g for g in self.experiments[experiment].groups if g.name == name)

    def is_simulated(self, experiment: str) -> bool:
        """Whether an experiment's counters are simulated where there are no hardware counters."""
        return self.experiments[experiment].is_simulated(self.config)

    def compiled(self, kernel: str, pipeline: str, mode: str) -> Path:
        """Return the folder of a compiled kernel; `mode` is one of MODES."""
        return self.build / "kernels" / kernel / pipeline / mode

    def _of_group(self, group: GroupSpec, pipeline: str) -> Path:
        return self.compiled(group.kernel, pipeline, "parallel" if group.cores > 1 else "serial")

    def built(self, group: GroupSpec) -> list[str]:
        """Return the pipelines of a group that are compiled: all but the libraries."""
        return [name for name in group.pipelines if not self.pipelines[name].library]

    def simulated_kernels(self, group: GroupSpec) -> dict[str, Path]:
        """Return the builds for callgrind of a group's pipelines."""
        return {name: self.compiled(group.kernel, name, "simulated") for name in self.built(group)}

    def simulated_input(self, group: GroupSpec) -> Path:
        """Return the folder of the input for callgrind."""
        return self.input(group.kernel, self.inputs.simulated(group).id)

    def input(self, kernel: str, id: str) -> Path:
        """Return the folder of an input."""
        return self.run / "inputs" / kernel / id

    def kernels_of(self, group: GroupSpec) -> list[Path]:
        """Return the compiled kernels that a group needs."""
        names = [*self.built(group), *filter(None, [group.counted])]
        return [self._of_group(group, name) for name in names]

    def compile_spec(self, kernel: str, pipeline: str, mode: str) -> str:
        """Return what decides a compiled kernel, as JSON."""
        cpu = {"cpu": SIMULATED_CPU} if mode == "simulated" else {}
        entry = self.kernel_entries[kernel]
        wanted = ("expression", "formats", "loops")
        return json.dumps(
            {
                "kernel": {"name": kernel, **{k: entry[k] for k in wanted if k in entry}},
                "pipeline": self.pipelines[pipeline].to_json(),
                "parallel": mode == "parallel",
                **self.config["compile"],
                **cpu,
            },
            sort_keys=True,
        )

    def counter_task(self, group: GroupSpec) -> str:
        """Return what decides the counters of a group, as JSON; a library is not counted."""
        task = json.loads(self.task(group))
        task.pop("libraries", None)
        builds = {name: str(path) for name, path in self.simulated_kernels(group).items()}
        extra = {"simulated_pipelines": builds if self.is_simulated(group.experiment) else None}
        return json.dumps({**task, **extra}, sort_keys=True)

    def task(self, group: GroupSpec) -> str:
        """Return what decides a measurement, as JSON; the stage adds the job's own paths."""
        counted = group.counted and {"counted": str(self._of_group(group, group.counted))}
        chosen = {name: self.pipelines[name].library for name in group.pipelines}
        libraries = {name: library_state(kind) for name, kind in chosen.items() if kind}
        return json.dumps(
            {
                "experiment": group.experiment,
                "group": group.name,
                "kernel": {"name": group.kernel, **self.kernel_entries[group.kernel]},
                "pipelines": {name: str(self._of_group(group, name)) for name in self.built(group)},
                "baseline": group.baseline,
                "control": control_name(group.baseline),
                "input_label": group.input.label,
                "cores": group.cores,
                "seed": self.config["seed"],
                "settings": self.config["measure"],
                **(counted or {}),
                **({"libraries": libraries} if libraries else {}),
            },
            sort_keys=True,
        )


def load_run(overrides: list[str]) -> Plan:
    """Return the plan that Snakemake would make of the same `--config KEY=VALUE ...`."""
    given: dict[str, Any] = {}
    for override in overrides:
        key, equals, value = override.partition("=")
        if not equals:
            raise UserError(f"--config: '{override}' is not KEY=VALUE, as in scale=smoke")
        given[key] = parse_value(value, f"--config {key}")
    folder = Path("config")
    if not (folder / "default.yaml").exists():
        raise UserError(f"{folder / 'default.yaml'}: no such file; go to the folder of the clone")
    base = load_yaml(folder / "default.yaml")
    preset = folder / f"{given.get('scale', base['scale'])}.yaml"
    if preset.exists():
        base = merged(base, load_yaml(preset))
    return load_plan(merged(base, given))


def load_plan(config: dict[str, Any]) -> Plan:
    """Check the configuration and read the tables and experiments of the clone."""
    folder = Path("config")
    checked = checked_config(config, folder)
    kernels = load_kernels(folder / "kernels.yaml")
    pipelines = load_pipelines(folder / "pipelines.yaml")
    experiments = {
        path.stem: load_experiment(path, kernels, pipelines, checked)
        for path in sorted(Path("experiments").glob("*.yaml"))
    }
    # Those without a group too: a list may have no matrix for a kernel.
    measuring = [name for name, experiment in experiments.items() if not experiment.reads]
    for experiment in experiments.values():
        for name in experiment.reads:
            known(name, measuring, f"experiments/{experiment.name}.yaml: reads", "experiment")
    return Plan(checked, kernels, load_yaml(folder / "kernels.yaml"), pipelines, experiments)

"""The plan of a run: configuration, tables and experiments read once, and every path made of them.

The Snakefile and the command line share it. It imports nothing heavy, because Snakemake reads it
at every start.
"""

import json
import os
import tempfile
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from splyce_bench.collection.matrix_list import Member
from splyce_bench.compile.pipelines import Pipeline, load_pipelines
from splyce_bench.configuration import checked_config, load_yaml, merged, parse_value
from splyce_bench.errors import UserError, known
from splyce_bench.experiments import Experiment, GroupSpec, load_experiment
from splyce_bench.files import key_of
from splyce_bench.inputs.spec import InputSpec, small_input
from splyce_bench.kernels.catalog import Kernel, load_kernels
from splyce_bench.measure.control import control_name
from splyce_bench.measure.libraries import library_state

# How a kernel is compiled: one thread, OpenMP, or for callgrind, which knows no AVX-512.
MODES = ("serial", "parallel", "simulated")
SIMULATED_CPU = "x86-64-v3"
# The files of a drawing.
FORMS = {"table": ("csv", "md", "tex"), "figure": ("pdf", "svg", "png")}


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

    def groups(self, experiment: str) -> list[Path]:
        """Return the raw result files of an experiment; none when it only reads counters."""
        if self.experiments[experiment].counters == "alone":
            return []
        return [self.raw(group) for group in self.experiments[experiment].groups]

    def tidy(self, experiment: str) -> Path:
        """Return the table of an experiment's cells."""
        return self.run / "tidy" / f"{experiment}.csv"

    def raw(self, group: GroupSpec) -> Path:
        """Return a group's result file."""
        return self.run / "raw" / group.experiment / f"{group.name}.json"

    def experiments_of(self, target: str) -> list[str]:
        """Return the experiments behind a target: all, or those of its name and what they read."""
        every = self.experiments.values()
        chosen = [e for e in every if target in ("all", "report", e.name, e.target)]
        return sorted({name for e in chosen for name in (e.name, *e.reads)})

    def drawings(self, experiment: str) -> list[Path]:
        """Return the files that an experiment is drawn into.

        One that reads nothing but counters also has a table of port pressure.
        """
        drawn = list(self.experiments[experiment].drawings.items())
        if self.experiments[experiment].counters == "alone":
            drawn.append(("table", f"{experiment}_ports"))
        return [
            self.run / f"{kind}s" / f"{name}.{form}" for kind, name in drawn for form in FORMS[kind]
        ]

    def drawn(self, kind: str, name: str) -> str:
        """Return the experiment behind a drawing; `kind` is table or figure."""
        every = self.experiments.values()
        return next(e.name for e in every if e.drawings.get(kind) == name)

    def names_of(self, kind: str) -> list[str]:
        """Return the names of all tables or of all figures."""
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

    def recipe(self, kernel: str, input: str) -> str:
        """Return the recipe of an input as JSON."""
        recipe = self._inputs[kernel, input].recipe
        operands = {name: self._with_record(o) for name, o in recipe["operands"].items()}
        return json.dumps({**recipe, "operands": operands}, sort_keys=True)

    def source_files(self, kernel: str, input: str) -> list[str]:
        """Return the files that an input is made of, so that a changed file counts.

        UserError for one that the user named and that is not there.
        """
        recipe = self._inputs[kernel, input].recipe
        if "too_large" in recipe:
            return []
        self._check_files(kernel, input)
        recipes = [self._with_record(o)["recipe"] for o in recipe["operands"].values()]
        return sorted(
            {r.get("path") or r["record"] for r in recipes if {"path", "record"} & set(r)}
        )

    def _check_files(self, kernel: str, input: str) -> None:
        for operand, entry in self._inputs[kernel, input].recipe["operands"].items():
            path = entry["recipe"].get("path")
            if path is None or Path(path).is_file():
                continue
            asking = [
                f"experiments/{e.name}.yaml"
                for e in self.experiments.values()
                if any((g.kernel, g.input.id) == (kernel, input) for g in e.groups)
            ]
            raise UserError(
                f"{path}: no such file; {', '.join(asking)} gives it to operand {operand} of "
                f"{kernel}; correct the path, or put the file there"
            )

    def _with_record(self, operand: dict[str, Any]) -> dict[str, Any]:
        recipe = operand["recipe"]
        if recipe["source"] != "collection":
            return operand
        record = self.run / "matrices" / recipe["group"] / f"{recipe['name']}.json"
        return {**operand, "recipe": {**recipe, "record": str(record)}}

    def member(self, group: str, name: str) -> Member:
        """Return the line of a list that a matrix to be fetched stands in."""
        members = (spec.member for spec in self._inputs.values())
        return next(m for m in members if m and (m.group, m.name) == (group, name))

    @cached_property
    def _inputs(self) -> dict[tuple[str, str], InputSpec]:
        groups = (group for e in self.experiments.values() for group in e.groups)
        asked = {(group.kernel, group.input.id): group.input for group in groups}
        small = {(kernel, s.id): s for (kernel, _), s in self._small_inputs.items()}
        return asked | small

    @cached_property
    def _small_inputs(self) -> dict[tuple[str, str], InputSpec]:
        """Return the input for callgrind of each synthetic input of a simulated experiment."""
        config = {**self.config, "sizes": self.config["counters"]["sizes"]}
        simulated = [e for e in self.experiments.values() if self.is_simulated(e.name)]
        return {
            (g.kernel, g.input.id): small_input(g.input, self.kernels[g.kernel], config)
            for e in simulated
            for g in e.groups
            if g.kernel in config["sizes"] and g.input.matrix is None
        }

    def is_simulated(self, experiment: str) -> bool:
        """Whether an experiment's counters are simulated where there are no hardware counters."""
        chosen = experiment in self.config["counters"]["simulate"]
        return chosen and bool(self.experiments[experiment].counters)

    @property
    def input_ids(self) -> list[str]:
        """Return the id of every input, for the workflow's wildcards."""
        return sorted({id for _, id in self._inputs})

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
        """Return the input for callgrind: the group's own where no smaller one is configured."""
        small = self._small_inputs if self.is_simulated(group.experiment) else {}
        spec = small.get((group.kernel, group.input.id), group.input)
        return self.input(group.kernel, spec.id)

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


def toolchain_name(toolchain: dict[str, Any]) -> str:
    """Name the folder of a toolchain after what the user asked for."""
    provider = toolchain["provider"]
    relevant = {
        "path": toolchain["prefix"],
        "source": toolchain["source"],
        "auto": toolchain,
    }.get(provider)
    return f"{provider}-{key_of(relevant)[:8]}" if relevant else str(provider)


def cache_folder(configured: str | None) -> Path:
    """Return the shared cache folder: configured, $SPLYCE_CACHE, the user's, or this clone's."""
    if chosen := configured or os.environ.get("SPLYCE_CACHE"):
        return Path(chosen).expanduser().resolve()
    base = os.environ.get("XDG_CACHE_HOME")
    user = Path(base) if base else Path(os.environ.get("HOME") or "/nonexistent") / ".cache"
    if can_write(user):
        return user / "splyce-bench"
    return Path(".cache").resolve()


def can_write(folder: Path) -> bool:
    """Try to make a file in a folder, or in the nearest one that exists above it.

    Asking for the permission does not do: root has it everywhere, even in /proc.
    """
    existing = next((p for p in (folder, *folder.parents) if p.exists()), None)
    try:
        with tempfile.TemporaryFile(dir=existing):
            return existing is not None
    except OSError:
        return False


def toolchain_arguments(toolchain: dict[str, Any]) -> list[str]:
    """Return the arguments of the toolchain stage that the configuration asks for."""
    arguments = ["--provider", toolchain["provider"], "--source-ref", toolchain["source"]["ref"]]
    if toolchain["prefix"]:
        arguments += ["--prefix", toolchain["prefix"]]
    if toolchain["source"]["tarball"]:
        arguments += ["--source-tarball", toolchain["source"]["tarball"]]
    return arguments


def pass_sources() -> list[str]:
    """Return the files that the pass is built from."""
    root = Path("splyce_pass")
    kinds = ("**/CMakeLists.txt", "**/*.cpp", "**/*.h", "**/*.td", "**/*.map")
    return sorted(str(p) for kind in kinds for p in root.glob(kind) if "test" not in p.parts)

"""The experiments: which groups of cells each table or figure asks for."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from splyce_bench.compile.pipelines import Pipeline
from splyce_bench.configuration import load_yaml, validate
from splyce_bench.errors import UserError, known
from splyce_bench.inputs.spec import InputSpec, make_inputs
from splyce_bench.kernels.catalog import Kernel
from splyce_bench.measure.control import control_name


@dataclass(frozen=True)
class GroupSpec:
    """The cells that are measured together in one process.

    `counted` is the pipeline of an instrumented kernel that tells the share of the fast lane.
    """

    experiment: str
    kernel: str
    pipelines: tuple[str, ...]
    baseline: str
    input: InputSpec
    cores: int
    counted: str | None = None

    @property
    def name(self) -> str:
        """Path-like name, unique within the experiment."""
        return f"{self.kernel}/{self.input.id}/c{self.cores}"


@dataclass(frozen=True)
class Experiment:
    """One YAML file of `experiments/`."""

    name: str
    title: str
    baseline: str
    beyond: bool
    counters: str
    groups: tuple[GroupSpec, ...]
    target: str
    drawings: dict[str, str]
    reads: tuple[str, ...] = ()
    has_goals: bool = False

    def is_simulated(self, config: dict[str, Any]) -> bool:
        """Whether its counters are simulated where there are no hardware counters."""
        return bool(self.counters) and self.name in config["counters"]["simulate"]


def drawings_of(name: str, entry: dict[str, Any]) -> dict[str, str]:
    """Return what is drawn of an experiment's entry: `table`, `figure` or `ports` to file name."""
    kind = "figure" if name.startswith("figure") else "table"
    return dict(entry.get("drawings") or {kind: name})


def load_experiment(
    path: Path,
    kernels: dict[str, Kernel],
    pipelines: dict[str, Pipeline],
    config: dict[str, Any],
) -> Experiment:
    """Read an experiment and expand its groups; unknown names end in one message."""
    entry = load_yaml(path)
    validate(entry, "experiment", path)
    where = str(path)
    known(entry["baseline"], pipelines, f"{where}: baseline", "pipeline")
    groups: list[GroupSpec] = []
    reads = tuple(entry.get("reads", []))
    if bool(entry["groups"]) == bool(reads):
        raise UserError(
            f"{where}: groups: expected what is measured, or no group and in `reads` the "
            "experiments whose records are read"
        )
    for number, group in enumerate(entry["groups"]):
        at = f"{where}: groups.{number}"
        kernel = kernels[known(group["kernel"], kernels, f"{at}.kernel", "kernel")]
        for name in [*group["pipelines"], *filter(None, [group.get("counted")])]:
            known(name, pipelines, f"{at}.pipelines", "pipeline")
        _check_compiled(entry["baseline"], pipelines, f"{where}: baseline")
        if entry["baseline"] not in group["pipelines"]:
            raise UserError(f"{at}.pipelines: the baseline '{entry['baseline']}' must be in it")
        if (reserved := control_name(entry["baseline"])) in group["pipelines"]:
            raise UserError(
                f"{at}.pipelines: '{reserved}' is the name of the A/A control, which every group "
                "has by itself; give the pipeline another name in config/pipelines.yaml"
            )
        groups += [
            GroupSpec(
                path.stem,
                kernel.name,
                tuple(group["pipelines"]),
                entry["baseline"],
                input,
                cores,
                group.get("counted"),
            )
            for input in make_inputs(group, kernel, config, at)
            for cores in group.get("cores", [1])
        ]
    _check_places(groups, where)
    _check_judged(entry, pipelines, where)
    drawings = drawings_of(path.stem, entry)
    if "ports" in drawings and not entry.get("counters"):
        raise UserError(f"{where}: drawings.ports: is made of counters; add `counters: beside`")
    return Experiment(
        path.stem,
        entry["title"],
        entry["baseline"],
        entry.get("beyond", False),
        entry.get("counters", ""),
        tuple(groups),
        entry.get("target", path.stem),
        drawings,
        reads,
        bool(entry.get("goals")),
    )


def _check_compiled(name: str, pipelines: dict[str, Pipeline], where: str) -> None:
    if pipelines[name].library:
        raise UserError(
            f"{where}: '{name}' is a library, which is measured apart; ratios within repetitions "
            "need a compiled pipeline there"
        )


def _check_places(groups: list[GroupSpec], where: str) -> None:
    """Refuse two groups of one kernel, input and core count: one would overwrite the other."""
    names = [group.name for group in groups]
    if twice := sorted({name for name in names if names.count(name) > 1}):
        raise UserError(
            f"{where}: groups: {twice[0]} (kernel/input/cores) is asked for twice; put the "
            "pipelines of both groups into one"
        )


def _check_judged(entry: dict[str, Any], pipelines: dict[str, Pipeline], where: str) -> None:
    """Refuse a claim or goal about a pipeline that there is not: nothing would ever judge it."""
    for key in ("claims", "goals"):
        for number, claim in enumerate(entry.get(key, [])):
            for part in ("pipeline", "pipelines", "among", "others", "over", "than"):
                given = claim.get(part, [])
                for name in [given] if isinstance(given, str) else given:
                    known(name, pipelines, f"{where}: {key}.{number}.{part}", "pipeline")

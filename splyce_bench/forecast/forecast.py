"""The expected cost of a target: seconds, bytes, and the cells that will not fit."""

import math
from dataclasses import dataclass, field

from splyce_bench.collection.cache import Place
from splyce_bench.experiments import GroupSpec
from splyce_bench.forecast.history import History
from splyce_bench.forecast.jobs import Jobs
from splyce_bench.forecast.model import Model
from splyce_bench.forecast.work import Work, work_of_group
from splyce_bench.kernels.catalog import Kernel
from splyce_bench.measure.host import choose_cpus, cpu_model
from splyce_bench.measure.memory import checked_bytes
from splyce_bench.plan import Plan
from splyce_bench.space import usable_memory
from splyce_bench.toolchain.wheels import DOWNLOAD_MB, UNPACKED_GB, wheels_folder

# Of an archive and of its .mtx, for each stored element; text of two coordinates and a value.
ARCHIVE_BYTES, TEXT_BYTES = 6, 20
# An installed toolchain is found at once; pip takes this many starts of Python beside the network.
INSTALL_STARTS = 90.0
RAW_BYTES = 300_000


@dataclass
class Forecast:
    """What a target is expected to take; times in seconds, sizes in bytes."""

    jobs: Jobs
    groups: dict[str, float] = field(default_factory=dict)
    inputs_s: float = 0.0
    others_s: float = 0.0
    unfit: list[str] = field(default_factory=list)
    slow: list[str] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    memory: int = 0
    inputs: int = 0
    downloads: dict[str, float] = field(default_factory=dict)
    cache: float = 0.0

    @property
    def seconds(self) -> float:
        """The whole wall time, without the network's."""
        return math.fsum(self.groups.values()) + self.inputs_s + self.others_s

    @property
    def results(self) -> float:
        """The most that the results folder holds at once: records, and one input."""
        return self.inputs + RAW_BYTES * len(self.groups)


def make_forecast(plan: Plan, jobs: Jobs, history: History, model: Model, cores: int) -> Forecast:
    """Forecast the jobs of a dry run."""
    forecast = Forecast(jobs, others_s=model.others_s(jobs.counts, cores))
    groups = [plan.group(*place) for place in jobs.measured]
    for group in groups:
        _add_group(forecast, plan, group, history, model)
    made = {(g.input.id, g.kernel): g for g in groups}
    for name in jobs.made:
        if name in made:
            _add_input(forecast, plan, made[name], model)
    _add_toolchain(forecast, plan, model)
    _add_matrices(forecast, plan)
    return forecast


def _add_group(
    forecast: Forecast, plan: Plan, group: GroupSpec, history: History, model: Model
) -> None:
    name = f"{group.experiment}/{group.name}"
    if reason := why_unfit(plan, group):
        forecast.unfit.append(f"{group.experiment}: {group.kernel} on {_on(group)}: {reason}")
        forecast.groups[name] = model.calibration.start_s
        return
    work = work_of_group(group, plan.kernels[group.kernel], plan.pipelines)
    if work is None:
        forecast.unknown.append(
            f"{group.experiment}: {group.kernel} on {group.input.label['label']}"
        )
        return
    forecast.groups[name] = model.group_s(work) * history.factor(work, cpu_model(), model)
    limit = model.settings["timeout_seconds"]
    if (call := model.call_s(work)) > limit:
        forecast.slow.append(
            f"{group.experiment}: {group.kernel} on {_on(group)}: a call of the baseline is "
            f"expected to take {call:.0f} s, measure.timeout_seconds is {limit}"
        )
    forecast.memory = max(forecast.memory, _memory(plan.kernels[group.kernel], work))


def _on(group: GroupSpec) -> str:
    cores = "" if group.cores == 1 else f", {group.cores} cores"
    return f"{group.input.label['label']}{cores}"


def _memory(kernel: Kernel, work: Work) -> int:
    return min(work.operand_bytes + checked_bytes(kernel, work.output_bytes), usable_memory())


def why_unfit(plan: Plan, group: GroupSpec) -> str:
    """Say why a group cannot be measured on this machine, or return ''."""
    if reason := group.input.recipe.get("too_large"):
        return f"too large: {reason}"
    cpus, placement = choose_cpus(group.cores, plan.config["measure"]["cpus"])
    return "" if cpus else f"not available: asked for {group.cores} cores, {placement}"


def _add_input(forecast: Forecast, plan: Plan, group: GroupSpec, model: Model) -> None:
    work = work_of_group(group, plan.kernels[group.kernel], plan.pipelines)
    if work is None or why_unfit(plan, group):
        forecast.inputs_s += model.calibration.start_s
        return
    sources = {o["recipe"]["source"] for o in group.input.recipe["operands"].values()}
    forecast.inputs_s += model.input_s(work, bool(sources & {"collection", "file"}))
    forecast.inputs = max(forecast.inputs, work.operand_bytes)


def _add_toolchain(forecast: Forecast, plan: Plan, model: Model) -> None:
    if "build_toolchain" not in forecast.jobs.counts:
        return
    provider = plan.config["toolchain"]["provider"]
    if provider == "wheels" and not wheels_folder(plan.cache).exists():
        forecast.downloads["LLVM/MLIR wheels"] = DOWNLOAD_MB * 1e6
        forecast.cache += UNPACKED_GB * 1e9
        forecast.others_s += INSTALL_STARTS * model.calibration.start_s


def _add_matrices(forecast: Forecast, plan: Plan) -> None:
    wanted = [plan.inputs.member(*name.split("/")) for name in forecast.jobs.fetched]
    fresh = [m for m in wanted if not Place.of(plan.cache, m.group, m.name).matrix.exists()]
    if fresh:
        stored = sum(member.stored for member in fresh)
        forecast.downloads[f"{len(fresh)} matrices"] = ARCHIVE_BYTES * stored
        forecast.cache += (ARCHIVE_BYTES + TEXT_BYTES) * stored

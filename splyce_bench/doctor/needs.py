"""What a target needs of the machine: disk, memory and cores, from the plan alone."""

from dataclasses import dataclass
from typing import Any

from splyce_bench.errors import known
from splyce_bench.experiments import GroupSpec
from splyce_bench.measure.memory import COPIES_OF_OUTPUT
from splyce_bench.plan import Plan

# Objects, logs, raw samples and drawings of a run, and the build of the pass.
RESULTS_BYTES = 300 * 10**6
# The interpreter, the libraries and the oracle of one measuring job.
PROCESS_BYTES = 500 * 10**6
OTHER_TARGETS = ("build_toolchain", "build_pass")


@dataclass(frozen=True)
class Needs:
    """Bytes of memory of each group that fits, bytes of disk at the peak, and most cores.

    Inputs of matrix files count nothing: only reading them tells their size.
    """

    target: str
    memory: dict[str, int]
    disk: int
    cores: int
    collection: bool


def needs_of(plan: Plan, target: str) -> Needs:
    """Add up a target; UserError names the targets that there are."""
    known(target, targets_of(plan), "doctor", "target")
    if target in OTHER_TARGETS:
        return Needs(target, {}, RESULTS_BYTES, 1, False)
    groups = [g for name in plan.experiments_of(target) for g in plan.experiments[name].groups]
    fitting = [g for g in groups if "too_large" not in g.input.recipe]
    return Needs(
        target,
        {f"{g.experiment}/{g.name}": _memory(g) for g in fitting},
        # An input is deleted after its last measurement; one may be made while another waits.
        RESULTS_BYTES + 2 * max(map(_operand_bytes, fitting), default=0),
        max((g.cores for g in groups), default=1),
        any(r["source"] == "collection" for g in fitting for r in _recipes(g)),
    )


def targets_of(plan: Plan) -> list[str]:
    """Return the targets that can be asked about."""
    return ["all", "report", *plan.experiments, *OTHER_TARGETS]


def _recipes(group: GroupSpec) -> list[dict[str, Any]]:
    return [operand["recipe"] for operand in group.input.recipe["operands"].values()]


def _operand_bytes(group: GroupSpec) -> int:
    return group.input.needs.operands if group.input.needs else 0


def _memory(group: GroupSpec) -> int:
    """Operands, and the output with the copies that the check makes."""
    output = group.input.needs.output if group.input.needs else 0
    return PROCESS_BYTES + _operand_bytes(group) + COPIES_OF_OUTPUT * output

"""What a target needs of the machine: disk, memory and cores, from the plan alone."""

from dataclasses import dataclass
from math import prod
from typing import Any

from splyce_bench.experiments import GroupSpec, known
from splyce_bench.formats import TensorFormat
from splyce_bench.plan import Plan

# Objects, logs, raw samples and drawings of a run, and the build of the pass.
RESULTS_BYTES = 300 * 10**6
# The interpreter, the libraries and the oracle of one measuring job.
PROCESS_BYTES = 500 * 10**6
OTHER_TARGETS = ("build_toolchain", "build_pass")


@dataclass(frozen=True)
class Needs:
    """Bytes of memory of each group, bytes of disk for inputs still to be made, and most cores.

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
    inputs = {(g.kernel, g.input.id): g for g in groups}
    made = plan.run / "inputs"
    unmade = [g for g in inputs.values() if not (made / g.kernel / g.input.id).exists()]
    return Needs(
        target,
        {f"{g.experiment}/{g.name}": _memory(plan, g) for g in groups},
        RESULTS_BYTES + sum(_operand_bytes(g) for g in unmade),
        max((g.cores for g in groups), default=1),
        any(r["source"] == "collection" for g in groups for r in _recipes(g)),
    )


def targets_of(plan: Plan) -> list[str]:
    """Return the targets that can be asked about."""
    return ["all", "report", *plan.experiments, *OTHER_TARGETS]


def _recipes(group: GroupSpec) -> list[dict[str, Any]]:
    return [operand["recipe"] for operand in group.input.recipe["operands"].values()]


def _operand_bytes(group: GroupSpec) -> int:
    from splyce_bench.inputs.recipe import recipe_bytes

    operands = group.input.recipe["operands"].values()
    return sum(recipe_bytes(o["recipe"], TensorFormat.from_json(o["format"])) for o in operands)


def _memory(plan: Plan, group: GroupSpec) -> int:
    """Operands, and the output three times: the kernel's, the oracle's, and their difference."""
    kernel = plan.kernels[group.kernel]
    recipes = group.input.recipe["operands"]
    sizes: dict[str, int] = {}
    for access in kernel.operands:
        shape = recipes[access.tensor]["recipe"].get("shape", [])
        sizes |= dict(zip(access.indices, shape, strict=False))
    known_output = all(index in sizes for index in kernel.output.indices)
    output = 8 * prod(sizes[i] for i in kernel.output.indices) if known_output else 0
    return PROCESS_BYTES + _operand_bytes(group) + 3 * output

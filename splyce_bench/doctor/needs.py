"""What a target needs of the machine: disk, memory and cores, from the plan alone."""

from dataclasses import dataclass

from splyce_bench.collection.cache import Place
from splyce_bench.errors import known
from splyce_bench.experiments import GroupSpec
from splyce_bench.measure.memory import checked_bytes, panelled_operand
from splyce_bench.plan import Plan

# Objects, logs, raw samples and drawings of a run, and the build of the pass.
RESULTS_BYTES = 300 * 10**6
# The interpreter, the libraries and the oracle of one measuring job.
PROCESS_BYTES = 500 * 10**6
# An entry's line in a Matrix Market file, and its share of the archive.
FETCHED_BYTES_PER_ENTRY = 32
OTHER_TARGETS = ("build_toolchain", "build_pass")


@dataclass(frozen=True)
class Needs:
    """Bytes of memory of each group, bytes of disk for results and in the cache, most cores.

    Matrix files count nothing: only reading them tells their size. What the plan knows to be too
    large for this machine counts nothing either: it is an outcome, and never made.
    """

    target: str
    memory: dict[str, int]
    disk: int
    cache: int
    cores: int

    @property
    def collection(self) -> bool:
        """True when matrices have to be fetched."""
        return self.cache > 0


def needs_of(plan: Plan, target: str) -> Needs:
    """Add up a target; UserError names the targets that there are."""
    known(target, targets_of(plan), "doctor", "target")
    if target in OTHER_TARGETS:
        return Needs(target, {}, RESULTS_BYTES, 0, 1)
    groups = [g for name in plan.experiments_of(target) for g in plan.experiments[name].groups]
    fitting = [g for g in groups if "too_large" not in g.input.recipe]
    return Needs(
        target,
        {f"{g.experiment}/{g.name}": _memory(plan, g) for g in fitting},
        # An input is deleted after its last measurement; one may be made while another waits.
        RESULTS_BYTES + 2 * max(map(_operand_bytes, fitting), default=0),
        _to_fetch(plan, fitting),
        max((g.cores for g in groups), default=1),
    )


def targets_of(plan: Plan) -> list[str]:
    """Return the targets that can be asked about."""
    return ["all", "report", *plan.experiments, *OTHER_TARGETS]


def _operand_bytes(group: GroupSpec) -> int:
    return group.input.needs.operands if group.input.needs else 0


def _memory(plan: Plan, group: GroupSpec) -> int:
    """Operands, and the output while it is checked; a row of it where it is cut."""
    needs, kernel = group.input.needs, plan.kernels[group.kernel]
    output = needs.output if needs else 0
    if needs and panelled_operand(kernel):
        output //= max(needs.sizes[kernel.output.indices[0]], 1)
    return PROCESS_BYTES + _operand_bytes(group) + checked_bytes(kernel, output)


def _to_fetch(plan: Plan, groups: list[GroupSpec]) -> int:
    members = {
        group.input.member
        for group in groups
        for operand in group.input.recipe["operands"].values()
        if operand["recipe"]["source"] == "collection"
    }
    missing = (
        m for m in members if m and not Place.of(plan.cache, m.group, m.name).matrix.exists()
    )
    return sum(m.stored * FETCHED_BYTES_PER_ENTRY for m in missing)

"""The ratios of two runs side by side, and whether they agree."""

from collections.abc import Iterator
from dataclasses import dataclass

from splyce_bench.compare.run import Run, told
from splyce_bench.report.cell_verdict import FASTER, SLOWER, cell_verdict
from splyce_bench.report.finding import sized
from splyce_bench.report.others import crowded
from splyce_bench.report.records import Record, measured, paired_ratio
from splyce_bench.report.text import outcome
from splyce_bench.stats import Estimate

WITHIN = 0.05
INSIDE, CLOSE, APART = "in the other's interval", "within 5 %", "APART"
# Apart in a group whose threads waited for other processes: told, and held against neither run.
CROWDED = "beside others"


@dataclass(frozen=True)
class Pair:
    """One cell in both runs; agreement says which of the two conditions holds, or why neither."""

    name: str
    ours: Estimate
    theirs: Estimate
    agreement: str
    verdicts: tuple[str, str]

    @property
    def flips(self) -> bool:
        """True when one run finds it faster and the other slower, by the kernels' doing."""
        return self.agreement != CROWDED and set(self.verdicts) == {FASTER, SLOWER}

    @property
    def agrees(self) -> bool:
        """True when the two runs say the same of this cell."""
        return self.agreement != APART and not self.flips

    def line(self) -> str:
        """Return the cell as a line of a report."""
        change = 100 * (self.theirs.value / self.ours.value - 1)
        verdicts = "" if self.verdicts[0] == self.verdicts[1] else " -> ".join(self.verdicts)
        parts = [f"{sized(self.ours):22} | {sized(self.theirs):22} {change:+6.1f} %"]
        parts += [f"{self.agreement:23}", f"{'FLIPS ' if self.flips else ''}{verdicts}", self.name]
        return "  ".join(part for part in parts if part)


@dataclass(frozen=True)
class Gap:
    """One cell that only one run has a ratio of; a failure is a disagreement."""

    name: str
    why: str
    failed: bool


def compare_ratios(a: Run, b: Run) -> Iterator[Pair | Gap]:
    """Yield every cell but the baselines of the groups that both runs have."""
    for place, record in a.groups.items():
        if place in b.groups:
            yield from _cells(told(place, record), record, b.groups[place])


def _cells(where: str, ours: Record, theirs: Record) -> Iterator[Pair | Gap]:
    for pipeline in {**ours["cells"], **theirs["cells"]}:
        if pipeline == ours["baseline"]:
            continue
        name = f"{where}, {pipeline}"
        found = [paired_ratio(record, pipeline, record["baseline"]) for record in (ours, theirs)]
        if found[0] and found[1]:
            resolutions = [r["settings"]["interval_width"] for r in (ours, theirs)]
            one, two = (cell_verdict(e, w) for e, w in zip(found, resolutions, strict=True) if e)
            kind = agreement(found[0], found[1])
            if kind == APART and (crowded(ours) or crowded(theirs)):
                kind = CROWDED
            yield Pair(name, found[0], found[1], kind, (one, two))
        elif found[0] or found[1]:
            yield _gap(name, pipeline, ours, theirs)


def _gap(name: str, pipeline: str, ours: Record, theirs: Record) -> Gap:
    told = [_outcome(record, pipeline) for record in (ours, theirs)]
    failed = any(text.startswith("failed") for text in told)
    return Gap(name, " | ".join(told), failed)


def _outcome(record: Record, pipeline: str) -> str:
    for name in (pipeline, record["baseline"]):
        if not measured(record, name):
            cell = record["cells"].get(name, {"outcome": "not asked for", "reason": ""})
            reason = f": {cell['reason']}" if cell["reason"] else ""
            return outcome(cell["outcome"]) + reason
    return "measured" if paired_ratio(record, pipeline, record["baseline"]) else "no ratio"


def agreement(ours: Estimate, theirs: Estimate) -> str:
    """Say whether one of two ratios lies in the other's interval, or within 5 % of it.

    An interval without an end, from too few repetitions, says nothing.
    """
    if _holds(ours, theirs.value) or _holds(theirs, ours.value):
        return INSIDE
    near = (
        abs(theirs.value / ours.value - 1) <= WITHIN or abs(ours.value / theirs.value - 1) <= WITHIN
    )
    return CLOSE if near else APART


def _holds(estimate: Estimate, value: float) -> bool:
    return estimate.high < float("inf") and estimate.low <= value <= estimate.high

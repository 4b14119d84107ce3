"""The verdict on a run's A/A controls: the baseline against itself under another name.

A group fails when the median ratio lies outside of 1 by more than the margin, half of the interval
width that its measurement aims at: two copies of one kernel may differ by less through their place
in memory, and no claim rests on so little. A group alone is judged after Holm's correction for the
number of groups; the run by the pairs of all groups together.
"""

import math
from collections import Counter
from dataclasses import dataclass

from splyce_bench.hypothesis_tests import beyond_margin, holm
from splyce_bench.report.finding import sized
from splyce_bench.report.records import Record, estimate, pairs
from splyce_bench.stats import Estimate, estimate_median

PASSED, FAILED, NOT_JUDGED = "passed", "failed", "not judged"
EQUAL, TOO_WIDE = "equal", "too noisy to tell"

DISTRUST = (
    "Not to be trusted: this run finds a difference between a kernel and itself (A/A control). "
    "Measure again on a quiet machine, with --config run=NAME."
)


@dataclass(frozen=True)
class GroupControl:
    """One group's baseline against itself; `p` is corrected for the number of groups."""

    name: str
    ratio: Estimate
    margin: float
    p: float
    verdict: str


@dataclass(frozen=True)
class Control:
    """The verdict on a run: passed, failed or not judged."""

    verdict: str
    pooled: Estimate | None
    groups: list[GroupControl]
    unjudged: list[str]

    @property
    def trusted(self) -> bool:
        """False when a difference was found where there is none."""
        return self.verdict != FAILED


def judge_controls(records: list[Record]) -> Control:
    """Judge the A/A controls of a run."""
    own = list({record["key"]: record for record in records}.values())
    samples = {_name(r): _ControlSample.of(r) for r in own}
    found = {name: sample for name, sample in samples.items() if sample}
    unjudged = [name for name, sample in samples.items() if not sample]
    if not found:
        return Control(NOT_JUDGED, None, [], unjudged)
    confidence = own[0]["settings"]["confidence"]
    corrected = holm([sample.p for sample in found.values()])
    groups = [
        sample.judged(name, p, 1 - confidence)
        for (name, sample), p in zip(found.items(), corrected, strict=True)
    ]
    ratios = [ratio for sample in found.values() for ratio in sample.ratios]
    margins = [sample.margin for sample in found.values() for _ in sample.ratios]
    p = beyond_margin([math.log(ratio) for ratio in ratios], margins)
    failed = p <= 1 - confidence or any(group.verdict == FAILED for group in groups)
    pooled = estimate_median(ratios, confidence)
    return Control(FAILED if failed else PASSED, pooled, groups, unjudged)


def _name(record: Record) -> str:
    return f"{record['experiment']}: {record['kernel']} on {record['input']['label']}, " + (
        "1 core" if record["cores"] == 1 else f"{record['cores']} cores"
    )


@dataclass(frozen=True)
class _ControlSample:
    """The ratios of a group's repetitions and the margin of their logarithms."""

    ratios: list[float]
    margin: float
    estimate: Estimate

    @property
    def p(self) -> float:
        return beyond_margin([math.log(r) for r in self.ratios], [self.margin] * len(self.ratios))

    @staticmethod
    def of(record: Record) -> "_ControlSample | None":
        """Return a group's control; None where it was not measured."""
        control = record["control"]
        if control["outcome"] != "measured":
            return None
        ratios = pairs(record, control["pipeline"], record["baseline"])
        if not ratios:
            return None
        settings = record["settings"]
        margin = math.log1p(settings["interval_width"] / 2)
        found = estimate(record, control["pipeline"], ratios)
        return _ControlSample(list(ratios.values()), margin, found)

    def judged(self, name: str, p: float, level: float) -> GroupControl:
        tolerance = math.expm1(self.margin)
        narrow = self.estimate.width <= 2 * tolerance
        verdict = FAILED if p <= level else EQUAL if narrow else TOO_WIDE
        return GroupControl(name, self.estimate, tolerance, p, verdict)


def control_lines(control: Control) -> list[str]:
    """Tell the verdict and what it rests on, the worst first."""
    if control.pooled is None:
        return ["A/A control not judged: no group measured its baseline twice."]
    counts = Counter(group.verdict for group in control.groups)
    told = ", ".join(f"{counts[v]} {v}" for v in (FAILED, EQUAL, TOO_WIDE) if counts[v])
    lines = [
        f"A/A control {control.verdict}: the baseline against itself is {sized(control.pooled)} "
        f"over {control.pooled.count} pairs of {len(control.groups)} groups ({told})."
    ]
    lines += [_group_line(group) for group in control.groups if group.verdict == FAILED]
    widest = max(control.groups, key=lambda group: group.ratio.width)
    if widest.verdict == TOO_WIDE:
        lines.append(
            f"Widest A/A interval: {widest.name}, {sized(widest.ratio)}: differences smaller than "
            "this cannot be told apart there."
        )
    if control.unjudged:
        lines.append(f"No A/A control in: {'; '.join(control.unjudged)}.")
    return lines


def _group_line(group: GroupControl) -> str:
    return (
        f"A/A failed in {group.name}: {sized(group.ratio)}, outside of 1 by more than "
        f"{100 * group.margin:.1f} % (p = {group.p:.2g} after correction for the number of groups)."
    )

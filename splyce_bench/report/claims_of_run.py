"""Kinds of claim that need all groups of an experiment: means, shares, scaling, object code."""

from collections.abc import Callable, Iterator

from splyce_bench.report.finding import (
    Claim,
    Finding,
    Verdict,
    above,
    pipelines_of,
    sized,
    why_no_ratio,
)
from splyce_bench.report.others import crowded
from splyce_bench.report.records import Record, estimate, measured, paired_ratio, times
from splyce_bench.stats import Estimate, geometric_mean_estimate


def _mean_at_least(claim: Claim, records: list[Record]) -> Iterator[Finding]:
    """The geometric mean over the inputs; one that is missing leaves it open."""
    for pipeline in pipelines_of(claim):
        ratios = [paired_ratio(r, pipeline, r["baseline"]) for r in records]
        for record, found in zip(records, ratios, strict=True):
            if found is None:
                yield Finding(None, why_no_ratio(record, pipeline, record["baseline"]), gap=True)
        if ratios and all(ratios):
            mean = geometric_mean_estimate([found for found in ratios if found])
            told = f"geometric mean of {len(ratios)}: {sized(mean)}"
            yield Finding(above(mean, claim["value"]), told)


def _few_below(claim: Claim, records: list[Record]) -> Iterator[Finding]:
    """At most a share of the measured inputs is slower than a limit; the worst are told."""
    for pipeline in pipelines_of(claim):
        found = {
            _place(r, records): ratio
            for r in records
            if (ratio := paired_ratio(r, pipeline, r["baseline"]))
        }
        if not found:
            yield Finding(None, "none of its inputs was measured", gap=True)
            return
        surely = [name for name, e in found.items() if e.high < claim["value"]]
        perhaps = [name for name, e in found.items() if e.low < claim["value"]]
        worst = sorted(found, key=lambda name: found[name].value)[:3]
        told = ", ".join(f"{name} {sized(found[name])}" for name in worst)
        allowed = claim["share"] * len(found)
        holds: Verdict = len(perhaps) <= allowed
        if not holds and len(surely) <= allowed:
            holds = None
        yield Finding(
            holds, f"{len(surely)} of {len(found)} below {claim['value']}; lowest: {told}"
        )


def _place(record: Record, records: list[Record]) -> str:
    """Name a record among others: its input, with what else tells it apart."""
    parts = [record["input"]["label"]]
    if len({r["kernel"] for r in records}) > 1:
        parts.insert(0, record["kernel"])
    if len({r["cores"] for r in records}) > 1:
        parts.append(f"{record['cores']} cores")
    return ", ".join(parts)


def _scaling(claim: Claim, records: list[Record]) -> Iterator[Finding]:
    """On c cores a pipeline is `value` times c times as fast as on one.

    Open where others kept its threads from running: that is no property of the kernel.
    """
    by_input: dict[str, dict[int, Record]] = {}
    for record in records:
        by_input.setdefault(record["input"]["label"], {})[record["cores"]] = record
    for name, groups in by_input.items():
        yield from _scaling_on(claim, name, groups)


def _scaling_on(claim: Claim, name: str, groups: dict[int, Record]) -> Iterator[Finding]:
    for pipeline in pipelines_of(claim):
        one = _time(groups[1], pipeline) if 1 in groups else None
        counts = [claim["cores"]] if "cores" in claim else sorted(set(groups) - {1})
        mine = {c: _time(groups[c], pipeline) for c in counts if c in groups}
        if not one or not any(mine.values()):
            yield Finding(None, f"no two core counts were measured on {name}", gap=True)
        for cores, time in mine.items():
            if one and time:
                gain = Estimate(one.value / time.value, one.low / time.high, one.high / time.low, 1)
                told = f"{pipeline} {sized(gain)} on {cores} cores, {name}"
                if why := crowded(groups[cores]) or crowded(groups[1]):
                    yield Finding(None, f"{told}: {why}")
                else:
                    yield Finding(above(gain, claim["value"] * cores), told)


def _same_result(claim: Claim, records: list[Record]) -> Iterator[Finding]:
    """A pipeline's output has the same bits at every core count."""
    inputs = dict.fromkeys(r["input"]["label"] for r in records)
    for pipeline in pipelines_of(claim):
        for name in inputs:
            mine = [r for r in records if r["input"]["label"] == name and measured(r, pipeline)]
            sums = {r["checks"][pipeline]["checksum"] for r in mine}
            counts = ", ".join(str(r["cores"]) for r in mine)
            if len(mine) < 2:
                yield Finding(None, f"no two core counts were measured on {name}", gap=True)
            else:
                word = "same bits" if len(sums) == 1 else "different bits"
                yield Finding(len(sums) == 1, f"{pipeline} {word} on {counts} cores, {name}")


def _time(record: Record, pipeline: str) -> Estimate | None:
    if not measured(record, pipeline):
        return None
    return estimate(record, pipeline, times(record, pipeline))


def _object(claim: Claim, records: list[Record]) -> Iterator[Finding]:
    """A count in the object code, alone or against another pipeline's."""
    fact, relation, names = claim["fact"], claim["relation"], [claim["pipeline"]]
    if relation in ("more", "fewer"):
        names.append(claim["than"])
    counts = {name: _count(records, name, fact) for name in names}
    if gaps := [name for name, count in counts.items() if count is None]:
        yield Finding(None, f"no count of {fact} in {' and '.join(gaps)} in this run", gap=True)
        return
    mine, other = counts[names[0]] or 0, counts[names[-1]] or 0
    holds = {"some": mine > 0, "none": mine == 0, "more": mine > other, "fewer": mine < other}
    seen = [f"{count} in {name}" for name, count in counts.items()]
    yield Finding(holds[relation], f"{fact.replace('_', ' ')}: {', '.join(seen)}")


def _count(records: list[Record], pipeline: str, fact: str) -> int | None:
    for record in records:
        found = record["compiled"].get(pipeline, {}).get("object", {}).get(fact)
        if found is not None:
            return int(found)
    return None


OF_RUN: dict[str, Callable[[Claim, list[Record]], Iterator[Finding]]] = {
    "mean_at_least": _mean_at_least,
    "few_below": _few_below,
    "scaling": _scaling,
    "same_result": _same_result,
    "object": _object,
}

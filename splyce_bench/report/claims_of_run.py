"""Kinds of claim about core counts, which take several groups, and about object code."""

from collections.abc import Callable, Iterator

from splyce_bench.report.finding import Claim, Finding, above, pipelines_of, sized
from splyce_bench.report.others import crowded
from splyce_bench.report.records import Record, estimate, measured, times
from splyce_bench.stats import Estimate


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
    "scaling": _scaling,
    "same_result": _same_result,
    "object": _object,
}

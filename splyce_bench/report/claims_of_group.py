"""Kinds of claim that each group answers by itself, from the ratios within its repetitions."""

import math
from collections.abc import Callable, Iterator

from splyce_bench.report.finding import (
    Claim,
    Finding,
    Verdict,
    above,
    compare,
    inside,
    pipelines_of,
    reference_of,
    shown,
    sized,
    why_no_ratio,
)
from splyce_bench.report.records import Record, paired_ratio
from splyce_bench.stats import Estimate


def against_published(claim: Claim, found: Estimate) -> str:
    """Tell the size beside a claim that is judged by its direction."""
    published = claim.get("published")
    if not isinstance(published, int | float):
        return ""
    larger = above(found, published)
    word = {True: "larger than", False: "smaller than", None: "as"}[larger]
    return f", {word} the published {published:.2f}x"


def _best(claim: Claim, record: Record) -> Iterator[Finding]:
    """The pipeline is faster than each of the others; the closest rival is told."""
    mine, rivals = claim["pipeline"], {}
    for other in claim["among"]:
        if found := paired_ratio(record, mine, other):
            rivals[other] = found
        else:
            yield Finding(None, why_no_ratio(record, mine, other), gap=True)
    if not rivals:
        return
    closest = min(rivals, key=lambda name: rivals[name].value)
    holds = [above(found) for found in rivals.values()]
    verdict = False if False in holds else None if None in holds else True
    rival = f"{sized(rivals[closest])} against its closest rival, {closest}"
    overall = paired_ratio(record, mine, record["baseline"])
    if overall is None or closest == record["baseline"]:
        yield Finding(verdict, f"{mine} {rival}, on {record['input']['label']}")
        return
    size = shown(record, mine, overall, record["baseline"]) + against_published(claim, overall)
    yield Finding(verdict, f"{size}, {rival}")


def _slowest(claim: Claim, record: Record) -> Iterator[Finding]:
    for pipeline in claim["pipelines"]:
        for other in claim["among"]:
            yield compare(record, other, pipeline, above)


def _sign(claim: Claim, record: Record) -> Iterator[Finding]:
    def test(found: Estimate) -> Verdict:
        gains = above(found)
        return gains if claim["expect"] == "gain" or gains is None else not gains

    for pipeline in pipelines_of(claim):
        yield compare(record, pipeline, reference_of(claim, record), test)


def _within(claim: Claim, record: Record) -> Iterator[Finding]:
    tolerance = claim.get("tolerance", 0.05) * claim["value"]
    yield from _inside(claim, record, (claim["value"] - tolerance, claim["value"] + tolerance))


def _range(claim: Claim, record: Record) -> Iterator[Finding]:
    yield from _inside(claim, record, tuple(claim["range"]))


def _at_least(claim: Claim, record: Record) -> Iterator[Finding]:
    yield from _inside(claim, record, (claim["value"], math.inf))


def _inside(claim: Claim, record: Record, bounds: tuple[float, float]) -> Iterator[Finding]:
    low, high = bounds
    over = reference_of(claim, record)
    for pipeline in pipelines_of(claim):
        yield compare(record, pipeline, over, lambda found: inside(found, low, high))


OF_GROUP: dict[str, Callable[[Claim, Record], Iterator[Finding]]] = {
    "best": _best,
    "slowest": _slowest,
    "sign": _sign,
    "within": _within,
    "range": _range,
    "at_least": _at_least,
}

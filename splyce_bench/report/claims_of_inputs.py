"""Kinds of claim about a ratio over all inputs of an experiment: its mean, and its lowest."""

import math
from collections.abc import Callable, Iterator

from splyce_bench.report.finding import (
    Claim,
    Finding,
    Verdict,
    above,
    pipelines_of,
    reference_of,
    sized,
    why_no_ratio,
)
from splyce_bench.report.records import Record, measured, paired_ratio
from splyce_bench.stats import Estimate, geometric_mean_estimate

# Of the lowest ratios; all are in the table.
SHOWN = 3
NOTHING = "none of its inputs was measured"

Ratios = dict[str, Estimate]


def _mean_at_least(claim: Claim, records: list[Record]) -> Iterator[Finding]:
    """The geometric mean over the inputs; one that is missing leaves it open, or is left out."""
    for pipeline in pipelines_of(claim):
        found, gaps = _ratios(claim, records, pipeline)
        if gaps_told := _gaps(claim, found, gaps):
            yield from gaps_told
        elif found:
            mean = geometric_mean_estimate(list(found.values()))
            told = f"geometric mean of {_counted(found, gaps)}: {sized(mean)}{_over(claim)}"
            lowest = f", lowest {_lowest(found, 1)}" if len(found) > 1 else ""
            yield _mean_finding(mean, claim["value"], _named(claim, pipeline) + told + lowest)


def _few_below(claim: Claim, records: list[Record]) -> Iterator[Finding]:
    """At most a share of the measured inputs is slower than a limit; the worst are told."""
    for pipeline in pipelines_of(claim):
        found, _ = _ratios(claim, records, pipeline)
        if not found:
            yield Finding(None, NOTHING, gap=True)
            continue
        surely = [name for name, e in found.items() if e.high < claim["value"]]
        perhaps = [name for name, e in found.items() if e.low < claim["value"]]
        allowed = claim["share"] * len(found)
        holds: Verdict = len(perhaps) <= allowed
        if not holds and len(surely) <= allowed:
            holds = None
        told = f"{len(surely)} of {len(found)} below {claim['value']}{_over(claim)}"
        yield _with_lowest(claim, pipeline, holds, told, found)


def _none_below(claim: Claim, records: list[Record]) -> Iterator[Finding]:
    """No measured ratio is below a limit with an interval that lies below 1 as a whole."""
    for pipeline in pipelines_of(claim):
        found, gaps = _ratios(claim, records, pipeline)
        if not found:
            yield Finding(None, NOTHING, gap=True)
            continue
        below = [e for e in found.values() if e.value < claim["value"]]
        lost = [e for e in below if above(e) is False]
        # An unbounded interval never lies below 1: it must not count as one that includes it.
        holds: Verdict = None if any(e.high == math.inf for e in below) else True
        told = f"{len(below)} of {_counted(found, gaps)} below {claim['value']}{_over(claim)}"
        told += f", {len(lost)} of them with an interval below 1" if below else ""
        yield _with_lowest(claim, pipeline, False if lost else holds, told, found)


def _with_lowest(claim: Claim, pipeline: str, holds: Verdict, told: str, found: Ratios) -> Finding:
    # Where a share of the inputs may lie below, the lowest says nothing of how far it was missed.
    lowest = min(e.value for e in found.values()) / claim["value"]
    reach = None if claim.get("share") else lowest
    seen = f"{_named(claim, pipeline)}{told}; lowest: {_lowest(found, SHOWN)}"
    return Finding(holds, seen, reach=reach)


def _near_best(claim: Claim, records: list[Record]) -> Iterator[Finding]:
    """In the mean a pipeline takes at most `value` times as long as the fastest of others."""
    for pipeline in pipelines_of(claim):
        found, gaps = _beside_fastest(claim, records, pipeline)
        if gaps_told := _gaps(claim, found, gaps):
            yield from gaps_told
        elif found:
            mean = geometric_mean_estimate(list(found.values()))
            worst = min(found, key=lambda name: found[name].value)
            told = (
                f"{pipeline} takes {sized(_inverse(mean))} the time of the fastest, geometric mean "
                f"of {_counted(found, gaps)}, worst {sized(_inverse(found[worst]))} on {worst}"
            )
            yield _mean_finding(mean, 1 / claim["value"], told)


def _mean_finding(mean: Estimate, limit: float, told: str) -> Finding:
    return Finding(above(mean, limit), told, reach=mean.value / limit)


def _beside_fastest(claim: Claim, records: list[Record], pipeline: str) -> tuple[Ratios, list[str]]:
    """Return the ratios to the fastest of `among`, and why inputs have none.

    The fastest is chosen anew on each input, of those that were measured there. Chosen by ratios
    with noise it looks faster than it is, so the pipeline is judged too strictly, if at all.
    """
    found, gaps = {}, []
    for record in records:
        asked = [name for name in claim["among"] if name in record["cells"]]
        rivals = {name: paired_ratio(record, pipeline, name) for name in asked}
        ratios = {name: ratio for name, ratio in rivals.items() if ratio}
        if ratios:
            fastest = min(ratios, key=lambda name: ratios[name].value)
            found[f"{place(record, records)} beside {fastest}"] = ratios[fastest]
        elif asked:
            gaps.append(why_no_ratio(record, pipeline, asked[0]))
    return found, gaps


def _inverse(ratio: Estimate) -> Estimate:
    high = 1 / ratio.low if ratio.low else math.inf
    return Estimate(1 / ratio.value, 1 / ratio.high, high, ratio.count)


def _same_bits(claim: Claim, records: list[Record]) -> Iterator[Finding]:
    """A pipeline's output has the bits of the reference's on every measured input."""
    for pipeline in pipelines_of(claim):
        others, same = [], 0
        for record in records:
            names = pipeline, reference_of(claim, record)
            if all(measured(record, name) for name in names):
                sums = {record["checks"][name]["checksum"] for name in names}
                same += len(sums) == 1
                others += [place(record, records)] if len(sums) > 1 else []
        if not same and not others:
            yield Finding(None, NOTHING, gap=True)
            continue
        told = f"{pipeline}: the same bits on {same} of {same + len(others)}"
        where = f"; others on {', '.join(others[:SHOWN])}" if others else ""
        yield Finding(not others, told + where)


def place(record: Record, records: list[Record]) -> str:
    """Name a record among others: its input, with what else tells it apart."""
    parts = [record["input"]["label"]]
    if len({r["kernel"] for r in records}) > 1:
        parts.insert(0, record["kernel"])
    if len({r["cores"] for r in records}) > 1:
        parts.append(f"{record['cores']} cores")
    return ", ".join(parts)


def _ratios(claim: Claim, records: list[Record], pipeline: str) -> tuple[Ratios, list[str]]:
    """Return the ratios by input, and why the others have none."""
    found, gaps = {}, []
    for record in records:
        over = reference_of(claim, record)
        if ratio := paired_ratio(record, pipeline, over):
            found[place(record, records)] = ratio
        else:
            gaps.append(why_no_ratio(record, pipeline, over))
    return found, gaps


def _gaps(claim: Claim, found: Ratios, gaps: list[str]) -> list[Finding]:
    """Return what keeps a mean from being judged: inputs without a ratio, unless left out."""
    left_out = found and claim.get("missing") == "left_out"
    return [] if left_out else [Finding(None, why, gap=True) for why in gaps]


def _named(claim: Claim, pipeline: str) -> str:
    return f"{pipeline}: " if len(pipelines_of(claim)) > 1 else ""


def _over(claim: Claim) -> str:
    return f" over {claim['over']}" if "over" in claim else ""


def _counted(found: Ratios, gaps: list[str]) -> str:
    return f"{len(found)} of {len(found) + len(gaps)}" if gaps else str(len(found))


def _lowest(found: Ratios, count: int) -> str:
    worst = sorted(found, key=lambda name: found[name].value)[:count]
    if count == 1:
        return f"{sized(found[worst[0]])} on {worst[0]}"
    return ", ".join(f"{name} {sized(found[name])}" for name in worst)


OF_INPUTS: dict[str, Callable[[Claim, list[Record]], Iterator[Finding]]] = {
    "mean_at_least": _mean_at_least,
    "few_below": _few_below,
    "none_below": _none_below,
    "near_best": _near_best,
    "same_bits": _same_bits,
}

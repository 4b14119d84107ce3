"""A verdict on each claim of the experiments, from the intervals of this run's ratios.

A claim about a direction or a ranking is judged by it; the size is told beside. Where an interval
straddles what the claim turns on, the verdict is undecided.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pandas as pd

from splyce_bench.report.records import Record, measured, paired_ratio
from splyce_bench.stats import Estimate

REPRODUCED = "reproduced"
NOT_REPRODUCED = "not reproduced"
UNDECIDED = "undecided"
NOT_TESTABLE = "not testable here"

Claim = dict[str, Any]


@dataclass(frozen=True)
class Finding:
    """One comparison behind a verdict: True, False or None (straddles), and what was seen."""

    holds: bool | None
    seen: str


class NotTestableError(Exception):
    """The data to judge a claim by are not there."""


def judge_all(experiments: dict[str, dict[str, Any]], records: list[Record]) -> pd.DataFrame:
    """Return one row a claim: experiment, id, section, text, verdict, seen, published."""
    rows = []
    for name, experiment in experiments.items():
        mine = [record for record in records if record["experiment"] == name]
        for claim in experiment["claims"]:
            verdict, seen = judge(claim, mine)
            rows.append(
                {
                    "experiment": name,
                    "claim": claim["id"],
                    "section": claim["section"],
                    "text": claim["text"],
                    "verdict": verdict,
                    "seen": seen,
                    "published": claim.get("published", ""),
                }
            )
    columns = ["experiment", "claim", "section", "text", "verdict", "seen", "published"]
    return pd.DataFrame(rows, columns=columns)


def judge(claim: Claim, records: list[Record]) -> tuple[str, str]:
    """Return the verdict on a claim and what it rests on."""
    try:
        _check_needs(claim, records)
        findings = list(KINDS[claim["kind"]](claim, _about(claim, records)))
    except NotTestableError as reason:
        return NOT_TESTABLE, str(reason)
    if not findings:
        return NOT_TESTABLE, "nothing was measured that it is about"
    seen = "; ".join(dict.fromkeys(f.seen for f in findings))
    if any(f.holds is False for f in findings):
        wrong = "; ".join(dict.fromkeys(f.seen for f in findings if f.holds is False))
        return NOT_REPRODUCED, wrong
    if any(f.holds is None for f in findings):
        return UNDECIDED, seen
    return REPRODUCED, seen


def _check_needs(claim: Claim, records: list[Record]) -> None:
    if not records:
        raise NotTestableError("the experiment is not part of this run")
    host = records[0]["host"]
    for need in claim.get("needs", []):
        if need == "counters":
            raise NotTestableError("no hardware counters were read")
        if need == "avx512" and "avx512f" not in host["vector_extensions"]:
            raise NotTestableError("this processor has no AVX-512")
        if need == "32 cores" and host["physical_cores"] < 32:
            raise NotTestableError(f"this machine has {host['physical_cores']} cores")


def _about(claim: Claim, records: list[Record]) -> list[Record]:
    wanted = claim.get("density_pct")
    return [r for r in records if wanted is None or r["input"]["density_pct"] in wanted]


def _pipelines(claim: Claim) -> list[str]:
    return list(claim.get("pipelines") or [claim["pipeline"]])


def _ratio(record: Record, pipeline: str, reference: str) -> Estimate:
    found = paired_ratio(record, pipeline, reference)
    if found is None:
        missing = [p for p in (pipeline, reference) if not measured(record, p)]
        what = f"{' and '.join(missing)} not measured" if missing else f"{pipeline} has no ratio"
        raise NotTestableError(f"{what} on {record['input']['label']}")
    return found


def _shown(record: Record, pipeline: str, found: Estimate, reference: str = "") -> str:
    over = f" over {reference}" if reference else ""
    interval = f" [{found.low:.2f}, {found.high:.2f}]"
    return f"{pipeline} {found.value:.2f}x{over}{interval} on {record['input']['label']}"


def _above(found: Estimate, limit: float) -> bool | None:
    if found.low > limit:
        return True
    return False if found.high < limit else None


def _best(claim: Claim, records: list[Record]) -> Iterator[Finding]:
    """The pipeline is faster than each of the others; the closest rival is told."""
    for record in records:
        rivals = [(_ratio(record, claim["pipeline"], other), other) for other in claim["among"]]
        found, closest = min(rivals, key=lambda pair: pair[0].value)
        holds = [_above(ratio, 1.0) for ratio, _ in rivals]
        verdict = False if False in holds else None if None in holds else True
        overall = _ratio(record, claim["pipeline"], record["baseline"])
        seen = _shown(record, claim["pipeline"], overall)
        yield Finding(verdict, f"{seen}, {found.value:.2f}x over the next best, {closest}")


def _slowest(claim: Claim, records: list[Record]) -> Iterator[Finding]:
    for record in records:
        for pipeline in claim["pipelines"]:
            for other in claim["among"]:
                found = _ratio(record, other, pipeline)
                yield Finding(_above(found, 1.0), _shown(record, other, found, pipeline))


def _sign(claim: Claim, records: list[Record]) -> Iterator[Finding]:
    for record in records:
        for pipeline in _pipelines(claim):
            found = _ratio(record, pipeline, record["baseline"])
            above = _above(found, 1.0)
            holds = above if claim["expect"] == "gain" or above is None else not above
            yield Finding(holds, _shown(record, pipeline, found))


def _within(claim: Claim, records: list[Record]) -> Iterator[Finding]:
    tolerance = claim.get("tolerance", 0.05) * claim["value"]
    bounds = (claim["value"] - tolerance, claim["value"] + tolerance)
    yield from _inside(claim, records, bounds)


def _range(claim: Claim, records: list[Record]) -> Iterator[Finding]:
    yield from _inside(claim, records, tuple(claim["range"]))


def _at_least(claim: Claim, records: list[Record]) -> Iterator[Finding]:
    yield from _inside(claim, records, (claim["value"], float("inf")))


def _inside(claim: Claim, records: list[Record], bounds: tuple[float, float]) -> Iterator[Finding]:
    low, high = bounds
    for record in records:
        for pipeline in _pipelines(claim):
            found = _ratio(record, pipeline, record["baseline"])
            holds: bool | None = None
            if low <= found.low and found.high <= high:
                holds = True
            elif found.high < low or found.low > high:
                holds = False
            yield Finding(holds, _shown(record, pipeline, found))


def _object(claim: Claim, records: list[Record]) -> Iterator[Finding]:
    """A count in the object code, alone or against another pipeline's."""
    record = records[0] if records else None
    if record is None:
        return
    mine = record["compiled"][claim["pipeline"]]["object"][claim["fact"]]
    name = claim["fact"].replace("_", " ")
    if claim["relation"] in ("some", "none"):
        holds = (mine > 0) == (claim["relation"] == "some")
        yield Finding(holds, f"{mine} {name} in {claim['pipeline']}")
        return
    other = record["compiled"][claim["than"]]["object"][claim["fact"]]
    holds = mine > other if claim["relation"] == "more" else mine < other
    yield Finding(holds, f"{mine} {name} in {claim['pipeline']}, {other} in {claim['than']}")


def _counters(claim: Claim, records: list[Record]) -> Iterator[Finding]:
    raise NotTestableError("no hardware counters were read")


KINDS: dict[str, Callable[[Claim, list[Record]], Iterator[Finding]]] = {
    "best": _best,
    "slowest": _slowest,
    "sign": _sign,
    "within": _within,
    "range": _range,
    "at_least": _at_least,
    "object": _object,
    "counters": _counters,
}

"""A verdict on each claim of the experiments, from the intervals of this run's ratios.

A claim about a direction or a ranking is judged by it; the size is told beside. Where an interval
straddles what the claim turns on, the verdict is undecided.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pandas as pd

from splyce_bench.report.records import Record, did_its_work, measured, paired_ratio
from splyce_bench.report.text import ratio
from splyce_bench.stats import Estimate

REPRODUCED = "reproduced"
NOT_REPRODUCED = "not reproduced"
UNDECIDED = "undecided"
NOT_TESTABLE = "not testable here"
VERDICTS = (REPRODUCED, NOT_REPRODUCED, UNDECIDED, NOT_TESTABLE)
NO_COUNTERS = "no hardware counters were read"

COLUMNS = ["experiment", "claim", "section", "text", "verdict", "seen", "published", "scale"]

Claim = dict[str, Any]
Verdict = bool | None


@dataclass(frozen=True)
class Finding:
    """One comparison behind a verdict: True, False or None (straddles), and what was seen.

    A gap is a comparison that could not be made; `seen` then says why.
    """

    holds: Verdict
    seen: str
    gap: bool = False


class NotTestableError(Exception):
    """What the claim needs is not there."""


def judge_all(
    experiments: dict[str, dict[str, Any]], records: list[Record], scale: str = ""
) -> pd.DataFrame:
    """Return one row a claim, with the columns of COLUMNS."""
    rows = []
    for name, experiment in experiments.items():
        mine = [record for record in records if record["experiment"] == name]
        for claim in experiment["claims"]:
            told = [claim["id"], claim["section"], claim["text"], *judge(claim, mine)]
            rows.append([name, *told, claim.get("published", ""), scale])
    return pd.DataFrame(rows, columns=COLUMNS)


def judge(claim: Claim, records: list[Record]) -> tuple[str, str]:
    """Return the verdict on a claim and what it rests on.

    One comparison that goes the other way decides, whatever else is missing; otherwise a claim
    with a gap is not testable, however well the rest of it holds.
    """
    try:
        _check_needs(claim, records)
    except NotTestableError as reason:
        return NOT_TESTABLE, str(reason)
    findings = list(_findings(claim, records))
    if not findings:
        return NOT_TESTABLE, "nothing was measured that it is about"
    wrong = [f for f in findings if f.holds is False]
    gaps = [f for f in findings if f.gap]
    verdict = REPRODUCED
    if wrong:
        verdict = NOT_REPRODUCED
    elif gaps:
        verdict = NOT_TESTABLE
    elif any(f.holds is None for f in findings):
        verdict = UNDECIDED
    return verdict, "; ".join(dict.fromkeys(f.seen for f in wrong or gaps or findings))


def _findings(claim: Claim, records: list[Record]) -> Iterator[Finding]:
    if claim["kind"] == "object":
        yield from _object(claim, records)
        return
    for record in _about(claim, records):
        yield from KINDS[claim["kind"]](claim, record)
    present = {record["input"]["density_pct"] for record in records}
    for density in claim.get("density_pct", []):
        if density not in present:
            yield Finding(None, f"{density:g} % is not part of this run", gap=True)


def _check_needs(claim: Claim, records: list[Record]) -> None:
    if not records:
        raise NotTestableError("the experiment is not part of this run")
    host = records[0]["host"]
    for need in claim.get("needs", []):
        if need == "counters":
            raise NotTestableError(NO_COUNTERS)
        if need == "avx512" and "avx512f" not in host["vector_extensions"]:
            raise NotTestableError("this processor has no AVX-512")
        if need == "32 cores" and host["physical_cores"] < 32:
            raise NotTestableError(f"this machine has {host['physical_cores']} cores")


def _about(claim: Claim, records: list[Record]) -> list[Record]:
    wanted = claim.get("density_pct")
    mine = [r for r in records if wanted is None or r["input"]["density_pct"] in wanted]
    return sorted(mine, key=lambda r: (r["input"]["density_pct"] or 0, r["cores"]))


def _pipelines(claim: Claim) -> list[str]:
    return list(claim.get("pipelines") or [claim["pipeline"]])


def _compare(
    record: Record, pipeline: str, reference: str, test: Callable[[Estimate], Verdict]
) -> Finding:
    """Test the ratio of a pipeline to a reference, or say why there is none."""
    found = paired_ratio(record, pipeline, reference)
    if found is None:
        return Finding(None, _why_no_ratio(record, pipeline, reference), gap=True)
    return Finding(test(found), _shown(record, pipeline, found, reference))


def _why_no_ratio(record: Record, pipeline: str, reference: str) -> str:
    where = f"on {record['input']['label']}"
    if missing := [p for p in (pipeline, reference) if not measured(record, p)]:
        return f"{' and '.join(missing)} not measured {where}"
    if lazy := [p for p in (pipeline, reference) if not did_its_work(record, p)]:
        return f"{' and '.join(lazy)} did not rewrite what it promised"
    return f"{pipeline} has no ratio to {reference} {where}"


def _shown(record: Record, pipeline: str, found: Estimate, reference: str) -> str:
    over = "" if reference == record["baseline"] else f" over {reference}"
    return f"{pipeline} {_sized(found)}{over} on {record['input']['label']}"


def _sized(found: Estimate) -> str:
    return ratio(found.value, found.low, found.high)


def _above(found: Estimate, limit: float = 1.0) -> Verdict:
    if found.low > limit:
        return True
    return False if found.high < limit else None


def _against_published(claim: Claim, found: Estimate) -> str:
    """Tell the size beside a claim that is judged by its direction."""
    published = claim.get("published")
    if not isinstance(published, int | float):
        return ""
    above = _above(found, published)
    word = {True: "larger than", False: "smaller than", None: "as"}[above]
    return f", {word} the published {published:.2f}x"


def _best(claim: Claim, record: Record) -> Iterator[Finding]:
    """The pipeline is faster than each of the others; the closest rival is told."""
    mine, rivals = claim["pipeline"], {}
    for other in claim["among"]:
        if found := paired_ratio(record, mine, other):
            rivals[other] = found
        else:
            yield Finding(None, _why_no_ratio(record, mine, other), gap=True)
    if not rivals:
        return
    closest = min(rivals, key=lambda name: rivals[name].value)
    holds = [_above(found) for found in rivals.values()]
    verdict = False if False in holds else None if None in holds else True
    rival = f"{_sized(rivals[closest])} against its closest rival, {closest}"
    overall = paired_ratio(record, mine, record["baseline"])
    if overall is None or closest == record["baseline"]:
        yield Finding(verdict, f"{mine} {rival}, on {record['input']['label']}")
        return
    size = _shown(record, mine, overall, record["baseline"]) + _against_published(claim, overall)
    yield Finding(verdict, f"{size}, {rival}")


def _slowest(claim: Claim, record: Record) -> Iterator[Finding]:
    for pipeline in claim["pipelines"]:
        for other in claim["among"]:
            yield _compare(record, other, pipeline, _above)


def _sign(claim: Claim, record: Record) -> Iterator[Finding]:
    def test(found: Estimate) -> Verdict:
        above = _above(found)
        return above if claim["expect"] == "gain" or above is None else not above

    for pipeline in _pipelines(claim):
        yield _compare(record, pipeline, record["baseline"], test)


def _within(claim: Claim, record: Record) -> Iterator[Finding]:
    tolerance = claim.get("tolerance", 0.05) * claim["value"]
    yield from _inside(claim, record, (claim["value"] - tolerance, claim["value"] + tolerance))


def _range(claim: Claim, record: Record) -> Iterator[Finding]:
    yield from _inside(claim, record, tuple(claim["range"]))


def _at_least(claim: Claim, record: Record) -> Iterator[Finding]:
    yield from _inside(claim, record, (claim["value"], math.inf))


def _inside(claim: Claim, record: Record, bounds: tuple[float, float]) -> Iterator[Finding]:
    low, high = bounds

    def test(found: Estimate) -> Verdict:
        if low <= found.low and found.high <= high:
            return True
        return False if found.high < low or found.low > high else None

    for pipeline in _pipelines(claim):
        yield _compare(record, pipeline, record["baseline"], test)


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


def _counters(claim: Claim, record: Record) -> Iterator[Finding]:
    yield Finding(None, NO_COUNTERS, gap=True)


KINDS: dict[str, Callable[[Claim, Record], Iterator[Finding]]] = {
    "best": _best,
    "slowest": _slowest,
    "sign": _sign,
    "within": _within,
    "range": _range,
    "at_least": _at_least,
    "counters": _counters,
}

"""Kinds of claim about performance counters, measured or simulated; the latter is always said."""

from collections.abc import Callable, Iterator

from splyce_bench.report.finding import Claim, Finding, pipelines_of
from splyce_bench.report.records import Record


def counter(record: Record, pipeline: str, fact: str) -> float | None:
    """Return a counter of a pipeline, or what is made of two; None where it was not had."""
    found = record["counters"].get(pipeline, {})
    if fact == "ipc":
        cycles, instructions = found.get("cycles"), found.get("instructions")
        return instructions / cycles if cycles and instructions else None
    if fact.endswith("_pct"):
        share = (found.get("topdown_l1") or {}).get(fact.removesuffix("_pct"))
        return None if share is None else float(share)
    value = found.get(fact)
    return None if value is None else float(value)


def _ratio(claim: Claim, record: Record) -> Iterator[Finding]:
    low, high = (claim["value"] * (1 + sign * claim["tolerance"]) for sign in (-1, 1))
    for pipeline in pipelines_of(claim):
        pair = _pair(record, record["baseline"], pipeline, claim["fact"])
        if isinstance(pair, Finding):
            yield pair
            continue
        gain = pair[0] / pair[1] if pair[1] else float("inf")
        yield Finding(low <= gain <= high, f"{pipeline} {gain:.2f}x fewer{_how(record, pipeline)}")


def _best(claim: Claim, record: Record) -> Iterator[Finding]:
    mine, fact = claim["pipeline"], claim["fact"]
    for other in claim["among"]:
        pair = _pair(record, mine, other, fact)
        if isinstance(pair, Finding):
            yield pair
        else:
            told = f"{mine} {pair[0]:.2f} against {other} {pair[1]:.2f}{_how(record, mine)}"
            yield Finding(pair[0] > pair[1], told)


def _more(claim: Claim, record: Record) -> Iterator[Finding]:
    for mine, other in zip(claim["pipelines"], claim["others"], strict=True):
        pair = _pair(record, mine, other, claim["fact"])
        if isinstance(pair, Finding):
            yield pair
        else:
            told = f"{mine} {_short(pair[0])} against {other} {_short(pair[1])}"
            yield Finding(pair[0] > pair[1], told + _how(record, mine))


def _short(value: float) -> str:
    return f"{value:.3g}" if value < 1e6 else f"{value / 1e6:.0f} million"


def _pair(record: Record, mine: str, other: str, fact: str) -> tuple[float, float] | Finding:
    """Return both counters, or the gap with its reason."""
    found = [counter(record, name, fact) for name in (mine, other)]
    if found[0] is not None and found[1] is not None:
        return found[0], found[1]
    lost = mine if found[0] is None else other
    reasons = record["counters"].get(lost, {}).get("unavailable", {})
    key = {"ipc": "cycles"}.get(fact, "topdown_l1" if fact.endswith("_pct") else fact)
    reason = reasons.get(key) or next(iter(reasons.values()), "not counted")
    return Finding(None, f"no {fact} of {lost}: {reason}", gap=True)


def _how(record: Record, pipeline: str) -> str:
    found = record["counters"][pipeline]
    return f" (simulated by {found['model']})" if found["kind"] == "simulated" else ""


OF_COUNTERS: dict[str, Callable[[Claim, Record], Iterator[Finding]]] = {
    "counter_ratio": _ratio,
    "counter_best": _best,
    "counter_more": _more,
}

"""One comparison behind a verdict: what was compared, which way it went, how it is told."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from splyce_bench.report.records import Record, did_its_work, measured, paired_ratio
from splyce_bench.report.text import ratio
from splyce_bench.stats import Estimate

Claim = dict[str, Any]
Verdict = bool | None


@dataclass(frozen=True)
class Finding:
    """One comparison behind a verdict: True, False or None (straddles), and what was seen.

    A gap is a comparison that could not be made; `seen` then says why. `reach` is the ratio seen
    over the one that was wanted: below 1 it falls short.
    """

    holds: Verdict
    seen: str
    gap: bool = False
    reach: float | None = None


def pipelines_of(claim: Claim) -> list[str]:
    """Return the pipelines that a claim judges."""
    return list(claim.get("pipelines") or [claim["pipeline"]])


def reference_of(claim: Claim, record: Record) -> str:
    """Return the pipeline that a claim's ratios are taken to."""
    return str(claim.get("over", record["baseline"]))


def compare(
    record: Record, pipeline: str, reference: str, test: Callable[[Estimate], Verdict]
) -> Finding:
    """Test the ratio of a pipeline to a reference, or say why there is none."""
    found = paired_ratio(record, pipeline, reference)
    if found is None:
        return Finding(None, why_no_ratio(record, pipeline, reference), gap=True)
    return Finding(test(found), shown(record, pipeline, found, reference))


def why_no_ratio(record: Record, pipeline: str, reference: str) -> str:
    """Say why a comparison cannot be made."""
    where = f"on {record['input']['label']}"
    if missing := [p for p in (pipeline, reference) if not measured(record, p)]:
        return f"{' and '.join(missing)} not measured {where}"
    if lazy := [p for p in (pipeline, reference) if not did_its_work(record, p)]:
        return f"{' and '.join(lazy)} did not rewrite what it promised"
    return f"{pipeline} has no ratio to {reference} {where}"


def shown(record: Record, pipeline: str, found: Estimate, reference: str) -> str:
    """Say what was found where."""
    over = "" if reference == record["baseline"] else f" over {reference}"
    return f"{pipeline} {sized(found)}{over} on {record['input']['label']} ({record['kernel']})"


def sized(found: Estimate) -> str:
    """Return a ratio with its interval."""
    return ratio(found.value, found.low, found.high)


def above(found: Estimate, limit: float = 1.0) -> Verdict:
    """Whether an interval lies above a limit; None when it straddles it."""
    if found.low > limit:
        return True
    return False if found.high < limit else None


def inside(found: Estimate, low: float, high: float) -> Verdict:
    """Whether an interval lies within bounds; None when it straddles one."""
    if low <= found.low and found.high <= high:
        return True
    return False if found.high < low or found.low > high else None

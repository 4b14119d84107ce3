"""What is recorded of one pipeline of a group: values a call, their kind, and why some are missing.

kind         measured (perf), simulated (callgrind) or unavailable; never mixed in one record
model        the processor measured, or the simulator with its branch predictor
cycles, instructions, branches, branch_misses   a call; null where there is none
topdown_l1, topdown_l2   percent of the pipeline slots; null where there is none
topdown_method, topdown_l2_method   how perf was asked; two methods are not compared
share_pct    the least share of the time on a counter, by run of perf; null is unknown
scaled       what perf extrapolated because events took turns on the counters
unavailable  reasons, by field
"""

from typing import Any

from splyce_bench.counters.perf_output import CROWDED, PerfOutput
from splyce_bench.counters.topdown import Method

Record = dict[str, Any]

FIELDS = {
    "cycles": "cycles",
    "instructions": "instructions",
    "branches": "branches",
    "branch-misses": "branch_misses",
}
# Below this an event did take turns; perf rounds shares to a hundredth of a percent.
WHOLE_PCT = 99.5


def empty_record(kind: str, model: str) -> Record:
    """Return a record without a value."""
    return {
        "kind": kind,
        "model": model,
        "calls": 0,
        **dict.fromkeys(FIELDS.values()),
        "topdown_l1": None,
        "topdown_l2": None,
        "topdown_method": "",
        "topdown_l2_method": "",
        "share_pct": {},
        "scaled": [],
        "unavailable": {},
    }


def unavailable_record(reason: str) -> Record:
    """Return the record of a pipeline that could be neither measured nor simulated."""
    return {**empty_record("unavailable", ""), "unavailable": {"all": reason}}


def add_counts(record: Record, output: PerfOutput, calls: int, least_share_pct: float) -> None:
    """Enter the events of one run of perf; one counted for too short a share is refused."""
    record["calls"] = calls
    for event, field in FIELDS.items():
        reading = output.readings.get(event)
        if reading is None:
            continue
        record["share_pct"][field] = reading.share
        if reading.value is None:
            record["unavailable"][field] = output.reasons()[event]
        elif why := _too_small(reading.share, least_share_pct):
            record["unavailable"][field] = why
        else:
            record[field] = reading.value / calls
            if reading.share is not None and reading.share < WHOLE_PCT:
                record["scaled"].append(field)


def add_topdown(
    record: Record, field: str, method: Method, output: PerfOutput, least_share_pct: float
) -> None:
    """Enter `topdown_l1` or `topdown_l2`, or why there is none."""
    share = output.least_share
    record["share_pct"][field] = share
    shares = method.compute(output)
    if not isinstance(shares, str) and (why := _too_small(share, least_share_pct)):
        shares = why
    if isinstance(shares, str):
        record["unavailable"][field] = f"{method.name}: {shares}"
        return
    record[field] = shares
    record["topdown_method" if field == "topdown_l1" else "topdown_l2_method"] = method.name
    if share is not None and share < WHOLE_PCT:
        record["scaled"].append(field)


def _too_small(share: float | None, least_share_pct: float) -> str:
    if share is None or share >= least_share_pct:
        return ""
    return (
        f"on a counter for {share:g} % of the time only, {least_share_pct:g} % are asked for: "
        f"{CROWDED}"
    )

"""A verdict on each claim of the experiments, from the intervals of this run's ratios.

A claim about a direction or a ranking is judged by it; the size is told beside. Where an interval
straddles what the claim turns on, the verdict is undecided.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import pandas as pd

from splyce_bench.report.claims_of_counters import OF_COUNTERS
from splyce_bench.report.claims_of_group import OF_GROUP
from splyce_bench.report.claims_of_inputs import OF_INPUTS
from splyce_bench.report.claims_of_run import OF_RUN
from splyce_bench.report.finding import Claim, Finding
from splyce_bench.report.records import Record

REPRODUCED = "reproduced"
NOT_REPRODUCED = "not reproduced"
UNDECIDED = "undecided"
NOT_TESTABLE = "not testable here"
VERDICTS = (REPRODUCED, NOT_REPRODUCED, UNDECIDED, NOT_TESTABLE)

# Kinds that take all records of a claim at once.
OF_ALL = OF_INPUTS | OF_RUN
PAPER_SCALE = "paper scale"

COLUMNS = ["experiment", "claim", "section", "text", "verdict", "seen", "published", "scale"]


class NotTestableError(Exception):
    """What the claim needs is not there."""


def judge_all(
    experiments: dict[str, dict[str, Any]],
    records: list[Record],
    scale: str = "",
    counters: Sequence[Record] = (),
) -> pd.DataFrame:
    """Return one row a claim, with the columns of COLUMNS."""
    rows = []
    for name, experiment in experiments.items():
        for claim in experiment["claims"]:
            verdict, findings = weigh(claim, records_about(claim, name, records, counters), scale)
            section = claim.get("section", experiment.get("section"))
            told = [claim["id"], section, claim["text"], verdict, seen(findings)]
            rows.append([name, *told, claim.get("published", ""), scale])
    return pd.DataFrame(rows, columns=COLUMNS)


def records_about(
    claim: Claim, experiment: str, records: Sequence[Record], counters: Sequence[Record]
) -> list[Record]:
    """Return the records of an experiment that a claim is about: times, or counters."""
    chosen = counters if claim["kind"] in OF_COUNTERS else records
    return [record for record in chosen if record["experiment"] == experiment]


def judge(claim: Claim, records: list[Record], scale: str = "") -> tuple[str, str]:
    """Return the verdict on a claim and what it rests on."""
    verdict, findings = weigh(claim, records, scale)
    return verdict, seen(findings)


def seen(findings: Sequence[Finding]) -> str:
    """Return what findings tell, each once."""
    return "; ".join(dict.fromkeys(f.seen for f in findings))


def weigh(claim: Claim, records: list[Record], scale: str = "") -> tuple[str, list[Finding]]:
    """Return the verdict on a claim and the findings that decide it.

    One comparison that goes the other way decides, whatever else is missing; otherwise a claim
    with a gap is not testable, however well the rest of it holds.
    """
    try:
        _check_needs(claim, records, scale)
    except NotTestableError as reason:
        return NOT_TESTABLE, [Finding(None, str(reason), gap=True)]
    findings = list(_findings(claim, records))
    if not findings:
        return NOT_TESTABLE, [Finding(None, "nothing was measured that it is about", gap=True)]
    wrong = [f for f in findings if f.holds is False]
    gaps = [f for f in findings if f.gap]
    verdict = REPRODUCED
    if wrong:
        verdict = NOT_REPRODUCED
    elif gaps:
        verdict = NOT_TESTABLE
    elif any(f.holds is None for f in findings):
        verdict = UNDECIDED
    return verdict, wrong or gaps or findings


def _findings(claim: Claim, records: list[Record]) -> Iterator[Finding]:
    mine = _about(claim, records)
    if claim["kind"] in OF_ALL:
        yield from OF_ALL[claim["kind"]](claim, mine)
        return
    of_record = OF_COUNTERS if claim["kind"] in OF_COUNTERS else OF_GROUP
    for record in mine:
        yield from of_record[claim["kind"]](claim, record)
    present = {record["input"]["density_pct"] for record in records}
    for density in claim.get("density_pct", []):
        if density not in present:
            yield Finding(None, f"{density:g} % is not part of this run", gap=True)


def _check_needs(claim: Claim, records: list[Record], scale: str) -> None:
    if not records:
        raise NotTestableError("the experiment is not part of this run")
    host = records[0]["host"]
    for need in claim.get("needs", []):
        if need == "avx512" and "avx512f" not in host["vector_extensions"]:
            raise NotTestableError("this processor has no AVX-512")
        if need == "32 cores" and host["physical_cores"] < 32:
            raise NotTestableError(f"this machine has {host['physical_cores']} cores")
        if need == PAPER_SCALE and scale != "paper":
            raise NotTestableError(f"it is about the paper's scale, this run is '{scale}'")


def _about(claim: Claim, records: list[Record]) -> list[Record]:
    wanted = claim.get("density_pct")
    mine = [r for r in records if wanted is None or r["input"]["density_pct"] in wanted]
    mine = [r for r in mine if claim.get("kernel", r["kernel"]) == r["kernel"]]
    mine = [r for r in mine if claim.get("matrix", r["input"]["matrix"]) == r["input"]["matrix"]]
    return sorted(mine, key=lambda r: (r["input"]["density_pct"] or 0, r["cores"]))

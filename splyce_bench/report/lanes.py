"""Lanes beyond the paper's in a few lines: against its lane and the sparsifier."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from splyce_bench.report.finding import sized
from splyce_bench.report.records import Record, paired_ratio
from splyce_bench.stats import Estimate, geometric_mean_estimate

PAPERS_LANE = "config5"
# The lane that a user would take, and how many of its lowest ratios of a kernel are told.
CHOSEN, WORST = "auto", 5


@dataclass(frozen=True)
class Summary:
    """A lane over several inputs: its mean over the paper's, and its worst over the baseline."""

    lane: str
    what: str
    mean: Estimate
    worst: Estimate
    where: str

    def line(self) -> str:
        """Return the summary as a line."""
        return (
            f"{sized(self.mean)} {self.lane} over {PAPERS_LANE}, geometric mean of {self.what}; "
            f"worst over the sparsifier {sized(self.worst)}, {self.where}"
        )


def lane_lines(records: Sequence[Record]) -> list[str]:
    """Return a line a lane and what its ratios are averaged over."""
    return [summary.line() for summary in _summaries(records)]


def worst_lines(records: Sequence[Record]) -> list[str]:
    """Return a line a kernel: the inputs on which auto gains least over the sparsifier."""
    kernels = dict.fromkeys(r["kernel"] for r in records if CHOSEN in r["cells"])
    return [line for kernel in kernels if (line := _worst_line(kernel, records))]


def _worst_line(kernel: str, records: Sequence[Record]) -> str:
    mine = [r for r in records if r["kernel"] == kernel]
    ratios = [(r, paired_ratio(r, CHOSEN, r["baseline"])) for r in mine]
    found = [(ratio, r["input"]["label"]) for r, ratio in ratios if ratio]
    lowest = sorted(found, key=lambda pair: pair[0].value)[:WORST]
    told = ", ".join(f"{label} {sized(ratio)}" for ratio, label in lowest)
    return f"{CHOSEN} over the sparsifier, {kernel}, lowest of {len(found)}: {told}" if told else ""


def _summaries(records: Sequence[Record]) -> Iterator[Summary]:
    lanes = dict.fromkeys(name for r in records for name in _lanes(r))
    for what, chosen in _selections(records):
        for lane in lanes:
            if found := _summary(lane, what, chosen):
                yield found


def _lanes(record: Record) -> list[str]:
    """Return the pipelines whose pass builds another lane than the paper's."""
    made = record["compiled"].items()
    return [n for n, m in made if "lane=" in " ".join(m["pipeline"].get("transform", ()))]


def _selections(records: Sequence[Record]) -> Iterator[tuple[str, list[Record]]]:
    """Yield what is averaged: a kernel's densities, a kernel's matrices, the kernels at 5 %."""
    kernels = list(dict.fromkeys(r["kernel"] for r in records))
    for unit, belongs in SELECTED.items():
        for kernel in kernels:
            chosen = [r for r in records if r["kernel"] == kernel and belongs(r)]
            yield f"{unit}, {kernel}", chosen
    at_five = [r for r in records if r["input"]["density_pct"] == 5]
    yield "kernels at 5 %", list({(r["experiment"], r["kernel"]): r for r in at_five}.values())


SELECTED: dict[str, Callable[[Record], bool]] = {
    "densities": lambda record: record["input"]["matrix"] is None,
    "matrices": lambda record: record["input"]["matrix"] is not None,
}


def _summary(lane: str, what: str, records: Sequence[Record]) -> Summary | None:
    """Return a lane's summary over the inputs where both ratios were measured, if several."""
    asked = [record for record in records if lane in record["cells"]]
    found = [
        (over_paper, over_baseline, record)
        for record in asked
        if (over_paper := paired_ratio(record, lane, PAPERS_LANE))
        and (over_baseline := paired_ratio(record, lane, record["baseline"]))
    ]
    if len(found) < 2:
        return None
    mean = geometric_mean_estimate([over_paper for over_paper, _, _ in found])
    _, worst, record = min(found, key=lambda item: item[1].value)
    count = f"{len(found)} of " if len(found) < len(asked) else ""
    return Summary(
        lane,
        f"{count}{len(asked)} {what}",
        mean,
        worst,
        f"{record['kernel']}, {record['input']['label']}",
    )

"""`splyce-bench compare RUN_A RUN_B`: whether two results folders say the same.

First what differs in provenance, then every ratio with its interval side by side: two agree when
one lies in the other's interval or within 5 % of it. Ratios of groups whose threads had to wait for
other processes are told, and held against neither run. Then the claims whose verdict changed.
Exit code: 0 they agree, 3 they do not (a ratio apart, a verdict that flips, a cell that failed in
one of them, or a run that its A/A control disowns), 1 nothing could be compared.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from splyce_bench.compare.claims import changed_claims
from splyce_bench.compare.provenance import provenance_differences
from splyce_bench.compare.ratios import APART, CLOSE, CROWDED, INSIDE, Gap, Pair, compare_ratios
from splyce_bench.compare.run import Run, load_run, told
from splyce_bench.errors import UserError
from splyce_bench.report.control import control_lines, judge_controls
from splyce_bench.report.others import others_lines

DISAGREE = 3


def add_parser(commands: Any) -> None:
    """Add the subcommand to `splyce-bench`."""
    parser = commands.add_parser(
        "compare",
        help="whether two results folders agree: provenance, ratios, verdicts",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("run_a", type=Path, metavar="RUN_A", help="e.g. results/smoke")
    parser.add_argument("run_b", type=Path, metavar="RUN_B")
    parser.set_defaults(run=lambda options: compare(options.run_a, options.run_b))


def compare(folder_a: Path, folder_b: Path) -> int:
    """Print the comparison and return the exit code."""
    comparison = Comparison(load_run(folder_a), load_run(folder_b))
    print("\n".join(comparison.lines()))
    return 0 if comparison.agreed else DISAGREE


class Comparison:
    """Two runs, the cells and claims that both have, and whether they agree."""

    def __init__(self, a: Run, b: Run) -> None:
        self.a, self.b = a, b
        found = list(compare_ratios(a, b))
        self.pairs = [item for item in found if isinstance(item, Pair)]
        self.gaps = [item for item in found if isinstance(item, Gap)]
        if not found:
            raise UserError(
                f"compare: {a.folder} and {b.folder} have no measured cell in common: "
                f"{_contents(a)} | {_contents(b)}; give two runs of the same target"
            )
        self.claims = list(changed_claims(a, b))
        self.controls = [judge_controls(run.records) for run in (a, b)]
        self.failed = [gap for gap in self.gaps if gap.failed]
        cells = [pair.name for pair in self.pairs if pair.flips]
        self.flips = [*cells, *(change.claim for change in self.claims if change.flips)]
        self.counts = {
            kind: sum(pair.agreement == kind for pair in self.pairs)
            for kind in (INSIDE, CLOSE, APART, CROWDED)
        }

    @property
    def agreed(self) -> bool:
        """True when nothing that both runs tell contradicts the other."""
        trusted = all(control.trusted for control in self.controls)
        return trusted and not (self.counts[APART] or self.flips or self.failed)

    def lines(self) -> Iterator[str]:
        """Yield the comparison, provenance first and the verdict last."""
        yield from self._provenance()
        yield from self._ratios()
        for change in self.claims:
            yield change.line()
        counts = {k: n for k, n in self.counts.items() if n or k != CROWDED}
        told = ", ".join(f"{count} {kind}" for kind, count in counts.items())
        yield f"\n{len(self.pairs)} ratios: {told}; {len(self.flips)} verdicts flip; " + (
            f"{len(self.failed)} cells failed in one run only."
        )
        yield "The runs agree." if self.agreed else "THE RUNS DO NOT AGREE."

    def _provenance(self) -> Iterator[str]:
        yield f"A: {self.a.folder}, B: {self.b.folder}"
        differences = provenance_differences(self.a, self.b)
        yield "What differs in provenance (A | B):" if differences else "Provenance: the same."
        yield from (f"  {line}" for line in differences)
        for name, control in zip("AB", self.controls, strict=True):
            yield f"{name}: {control_lines(control)[0]}"
        for name, run in (("A", self.a), ("B", self.b)):
            yield from (f"{name}: {line}" for line in others_lines(list(run.groups.values())))

    def _ratios(self) -> Iterator[str]:
        yield "\nSpeedups (A | B, change from A to B):"
        order = (APART, CROWDED, CLOSE, INSIDE)
        pairs = sorted(self.pairs, key=lambda pair: order.index(pair.agreement))
        yield from (f"  {pair.line()}" for pair in pairs)
        yield from (f"  in one run only: {gap.name}: {gap.why}" for gap in self.gaps)
        for one, other in ((self.a, self.b), (self.b, self.a)):
            lone = [told(p, record) for p, record in one.groups.items() if p not in other.groups]
            if lone:
                yield f"  only in {one.folder}: {len(lone)} groups: {'; '.join(lone)}"


def _contents(run: Run) -> str:
    return ", ".join(sorted({place[0] for place in run.groups}))

"""The verdicts on the claims in two runs, and which of them flip."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from splyce_bench.compare.run import Run
from splyce_bench.configuration import ROOT, load_yaml
from splyce_bench.report.claims import NOT_REPRODUCED, REPRODUCED, UNDECIDED, judge_all


@dataclass(frozen=True)
class Change:
    """A claim that two runs judge differently; it flips when one denies what the other finds.

    `open` is what an undecided verdict rests on, of the run that has it.
    """

    claim: str
    ours: str
    theirs: str
    open: str

    @property
    def flips(self) -> bool:
        """True for reproduced against not reproduced, in either order."""
        return {self.ours, self.theirs} == {REPRODUCED, NOT_REPRODUCED}

    def line(self) -> str:
        """Return the change as a line of a report."""
        flag = "FLIPS" if self.flips else "changed"
        why = f" ({self.open})" if self.open else ""
        return f"claim {self.claim}: {flag}: {self.ours} -> {self.theirs}{why}"


def changed_claims(a: Run, b: Run, folder: Path = ROOT / "experiments") -> Iterator[Change]:
    """Yield the claims of experiments in both runs whose verdicts differ, by this clone's rules."""
    names = {place[0] for place in a.groups} & {place[0] for place in b.groups}
    experiments = {name: load_yaml(folder / f"{name}.yaml") for name in sorted(names)}
    tables = [judge_all(experiments, run.records) for run in (a, b)]
    columns = ["experiment", "claim", "verdict", "seen"]
    rows = [table[columns].to_numpy().tolist() for table in tables]
    for (experiment, claim, *ours), (_, _, *theirs) in zip(*rows, strict=True):
        if ours[0] != theirs[0]:
            why = next((seen for verdict, seen in (ours, theirs) if verdict == UNDECIDED), "")
            yield Change(f"{experiment}/{claim}", ours[0], theirs[0], why)

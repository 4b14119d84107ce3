"""Goals: what this project wants of an experiment beyond the paper's claims.

Judged as claims are, in words of their own, and never counted among them.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from splyce_bench.report.claims import (
    NOT_REPRODUCED,
    NOT_TESTABLE,
    REPRODUCED,
    UNDECIDED,
    records_about,
    seen,
    weigh,
)
from splyce_bench.report.finding import Finding
from splyce_bench.report.records import Record

REACHED, NOT_REACHED = "reached", "not reached"
WORDS = {
    REPRODUCED: REACHED,
    NOT_REPRODUCED: NOT_REACHED,
    UNDECIDED: UNDECIDED,
    NOT_TESTABLE: NOT_TESTABLE,
}
COLUMNS = ["experiment", "goal", "text", "verdict", "short_by_pct", "seen", "scale"]


def judge_goals(
    name: str,
    experiment: dict[str, Any],
    records: Sequence[Record],
    scale: str,
    counters: Sequence[Record] = (),
) -> pd.DataFrame:
    """Return one row a goal of an experiment, with the columns of COLUMNS."""
    rows = []
    for goal in experiment.get("goals", []):
        verdict, findings = weigh(goal, records_about(goal, name, records, counters), scale)
        short = _short_by_pct(findings) if verdict == NOT_REPRODUCED else None
        told = [goal["id"], goal["text"], WORDS[verdict], short, seen(findings), scale]
        rows.append([name, *told])
    return pd.DataFrame(rows, columns=COLUMNS)


def _short_by_pct(findings: Sequence[Finding]) -> float | None:
    """Return how much of what was wanted is missing, in percent, where it falls shortest."""
    reached = [f.reach for f in findings if f.reach is not None]
    return 100 * (1 - min(reached)) if reached else None


def goals_of(run: Path) -> pd.DataFrame:
    """Return the goals that were judged in a results folder."""
    return read_goals(sorted((run / "tidy" / "goals").glob("*.csv")))


def read_goals(paths: Sequence[Path]) -> pd.DataFrame:
    """Return the goals of several experiments."""
    tables = [pd.read_csv(path) for path in paths]
    return pd.concat(tables, ignore_index=True) if tables else pd.DataFrame(columns=COLUMNS)


def goal_lines(goals: pd.DataFrame) -> list[str]:
    """Return a line a goal: the verdict, what is wanted, and what was seen."""
    return [f"{goal['result']}: {goal['text'].rstrip('.')}: {goal['seen']}" for goal in told(goals)]


def told(goals: pd.DataFrame) -> list[dict[Any, Any]]:
    """Return the rows of goals with their `result`: the verdict, and by how much one is missed."""
    return [{**goal, "result": _result(goal)} for goal in goals.to_dict("records")]


def _result(goal: dict[Any, Any]) -> str:
    missed = goal["verdict"] == NOT_REACHED and not pd.isna(goal["short_by_pct"])
    return f"{NOT_REACHED} by {goal['short_by_pct']:.1f} %" if missed else str(goal["verdict"])

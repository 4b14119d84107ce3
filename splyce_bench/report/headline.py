"""The few numbers a run is remembered by, and where its files are."""

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from splyce_bench.report.claims import VERDICTS
from splyce_bench.report.control import DISTRUST, control_lines, judge_controls
from splyce_bench.report.goals import WORDS, goal_lines, goals_of
from splyce_bench.report.lanes import worst_lines
from splyce_bench.report.others import others_lines
from splyce_bench.report.published import Row, published_speedup
from splyce_bench.report.records import all_records_of, records_of
from splyce_bench.report.text import outcome, ratio

SHOWN = (
    ("table1", "config5", 5.0, "configuration 5, SpGEMM at 5 %"),
    ("table2", "config5-free", 5.0, "configuration 5 with reassociation, 5 %"),
    ("figure13", "config5", 1.0, "configuration 5 at 1 %"),
    ("figure13", "config5", 0.01, "configuration 5 at 0.01 %"),
)


def headline_ratios(run: Path) -> list[dict[str, str]]:
    """Return the headline ratios that this run has, each with the published one."""
    items = []
    for experiment, pipeline, density, text in SHOWN:
        rows = _rows(run, experiment)
        chosen = (rows["pipeline"] == pipeline) & (rows["density_pct"] == density)
        items += [_item(row, text) for row in rows[chosen].to_dict("records")]
    return items


def best_of(run: Path, experiment: str) -> list[dict[str, str]]:
    """Return the fastest pipeline of each input of an experiment that has a ratio."""
    rows = _rows(run, experiment)
    found = rows[rows["speedup"].notna() & (rows["pipeline"] != rows["baseline"])]
    best = found.sort_values("speedup").groupby("input", sort=False).tail(1)
    return [_item(r, f"fastest, {r['pipeline']} at {r['input']}") for r in best.to_dict("records")]


def _sweep(run: Path) -> list[dict[str, str]]:
    rows = _rows(run, "figure13")
    mine = rows[rows["pipeline"] == "config5"].sort_values("density_pct")
    return [_item(row, f"configuration 5 at {row['input']}") for row in mine.to_dict("records")]


def _rows(run: Path, experiment: str) -> pd.DataFrame:
    path = run / "tidy" / f"{experiment}.csv"
    if not path.exists():
        return pd.DataFrame(columns=["pipeline", "baseline", "density_pct", "speedup", "input"])
    return pd.read_csv(path)


def _item(row: Row, text: str) -> dict[str, str]:
    found = ratio(row["speedup"], row["speedup_low"], row["speedup_high"])
    value, _, interval = found.partition(" ")
    if row["outcome"] != "measured":
        value, interval = outcome(str(row["outcome"])), ""
    paper = published_speedup(row)
    beside = f"published {paper:.2f}x" if paper else "not published as a number"
    return {"value": value, "interval": interval, "text": text, "paper": beside}


def tally(judged: pd.DataFrame, verdicts: Iterable[str] = VERDICTS) -> str:
    """Return how many claims, or goals, got each verdict."""
    counts = Counter(judged["verdict"]) if len(judged) else Counter()
    return ", ".join(f"{counts[verdict]} {verdict}" for verdict in verdicts if verdict in counts)


def goals_tally(goals: pd.DataFrame) -> str:
    """Return how many goals beyond the paper got each verdict; '' without any."""
    return f"goals beyond the paper: {tally(goals, WORDS.values())}" if len(goals) else ""


def headline(run: Path) -> str:
    """Return the closing lines of a run."""
    lines = [
        f"{run / folder}: {', '.join(names)}"
        for folder in ("tables", "figures")
        if (names := sorted({path.stem for path in (run / folder).glob("[!.]*.*")}))
    ]
    if (run / "report.html").exists():
        lines.append(f"report: {run / 'report.html'}")
    sweep = _sweep(run)
    told = [item for item in headline_ratios(run) if item["text"] not in {i["text"] for i in sweep}]
    for item in [*told, *best_of(run, "table1"), *sweep]:
        lines.append("{value:>6} {interval:14} {text}, {paper}".format(**item))
    goals = goals_of(run)
    lines += [*goal_lines(goals), *worst_lines(records_of(run))]
    claims = run / "tidy" / "claims.csv"
    if claims.exists():
        lines.append("claims: " + tally(pd.read_csv(claims)))
    lines += filter(None, [goals_tally(goals)])
    control = judge_controls(all_records_of(run))
    lines += [*control_lines(control), *others_lines(records_of(run))]
    if not control.trusted:
        lines.append(DISTRUST)
    return "\n".join(lines)

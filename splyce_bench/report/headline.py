"""The few numbers a run is remembered by, and where its files are."""

from pathlib import Path

import pandas as pd

from splyce_bench.report.published import published_speedup
from splyce_bench.report.text import ratio

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
        path = run / "tidy" / f"{experiment}.csv"
        if not path.exists():
            continue
        rows = pd.read_csv(path)
        chosen = rows[(rows["pipeline"] == pipeline) & (rows["density_pct"] == density)]
        for row in chosen.to_dict("records"):
            found = ratio(row["speedup"], row["speedup_low"], row["speedup_high"])
            value, _, interval = found.partition(" ")
            paper = published_speedup(row)
            beside = f"published {paper:.2f}x" if paper else "not published as a number"
            items.append({"value": value, "interval": interval, "text": text, "paper": beside})
    return items


def headline(run: Path) -> str:
    """Return the closing lines of a run."""
    lines = []
    for folder in ("tables", "figures"):
        names = sorted({path.stem for path in (run / folder).glob("*.*")})
        if names:
            lines.append(f"{run / folder}: {', '.join(names)}")
    if (run / "report.html").exists():
        lines.append(f"report: {run / 'report.html'}")
    lines += [
        "{value:>6} {interval:14} {text}, {paper}".format(**item) for item in headline_ratios(run)
    ]
    claims = run / "tidy" / "claims.csv"
    if claims.exists():
        counts = pd.read_csv(claims)["verdict"].value_counts()
        lines.append("claims: " + ", ".join(f"{n} {verdict}" for verdict, n in counts.items()))
    return "\n".join(lines)

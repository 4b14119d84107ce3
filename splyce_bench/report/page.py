"""report.html: one self-contained page, whatever was measured."""

import base64
import html
import math
from collections import Counter
from pathlib import Path
from typing import Any

import jinja2
import pandas as pd

from splyce_bench.experiments import drawings_of
from splyce_bench.report.control import DISTRUST, control_lines, judge_controls
from splyce_bench.report.goals import goals_of, told
from splyce_bench.report.headline import best_of, goals_tally, headline_ratios, tally
from splyce_bench.report.lanes import lane_lines
from splyce_bench.report.others import others_lines
from splyce_bench.report.records import Record
from splyce_bench.report.stability_notes import stability_notes, stability_summary
from splyce_bench.report.text import one_line, outcome

Experiments = dict[str, dict[str, Any]]


def render(run: Path, scale: str, experiments: Experiments, records: list[Record]) -> str:
    """Return the page of a run from the files below it."""
    claims, goals = _read(run / "tidy" / "claims.csv"), goals_of(run)
    control = judge_controls(records)
    parts = [_part(run, name, entry, records) for name, entry in sorted(experiments.items())]
    environment = jinja2.Environment(
        loader=jinja2.FileSystemLoader(Path(__file__).parent),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=jinja2.StrictUndefined,
    )
    return environment.get_template("page.html.j2").render(
        run=run.name,
        scale=scale,
        machine=_machine(records),
        headline=[*headline_ratios(run), *best_of(run, "table1")],
        missing=list(_missing(records)),
        notes=[
            *control_lines(control),
            *others_lines(records),
            *_trust(records),
            *_stability(run, experiments),
        ],
        control=control_lines(control)[0] if records else "",
        distrust="" if control.trusted else DISTRUST,
        claims=_paper_first(claims, experiments),
        tally=tally(claims),
        goals=told(goals),
        goals_tally=goals_tally(goals),
        summary=_summary(records),
        parts=[part for part in parts if not part["beyond"]],
        beyond=[part for part in parts if part["beyond"]],
    )


def _paper_first(claims: pd.DataFrame, experiments: Experiments) -> list[dict[Any, Any]]:
    rows = claims.fillna("").to_dict("records")
    return sorted(rows, key=lambda r: experiments.get(r["experiment"], {}).get("beyond", False))


def _read(path: Path) -> pd.DataFrame:
    return pd.read_csv(path) if path.exists() else pd.DataFrame()


def _part(run: Path, name: str, entry: dict[str, Any], records: list[Record]) -> dict[str, Any]:
    drawn = drawings_of(name, entry)
    tables = _written(run / "tables", drawn, ("table", "ports"), "md")
    figures = _written(run / "figures", drawn, ("figure",), "svg")
    tidy = run / "tidy" / f"{name}.csv"
    mine = [record for record in records if record["experiment"] == name]
    read = [record for record in records if record["experiment"] in entry.get("reads", [])]
    return {
        "name": name,
        "heading": f"{_number(name)}{entry['title']}",
        "beyond": entry.get("beyond", False),
        "caption": entry["caption"],
        "table": "".join(table_html(t.read_text(encoding="utf-8"), t.stem) for t in tables),
        "figure": _data(figures[0], "image/svg+xml") if figures else "",
        "alternative": _alternative(entry, _read(tidy)),
        # A table has those on stability below it.
        "notes": [*lane_lines(mine), *([] if tables else stability_notes(_read(tidy)))],
        "tidy": _data(tidy, "text/csv") if tidy.exists() else "",
        "raw": _inlined(_samples(mine).encode(), "text/csv") if mine else "",
        "measured": bool(mine or read),
    }


def _written(folder: Path, drawn: dict[str, str], kinds: tuple[str, ...], form: str) -> list[Path]:
    paths = [folder / f"{drawn[kind]}.{form}" for kind in kinds if kind in drawn]
    return [path for path in paths if path.exists()]


def _number(name: str) -> str:
    for kind in ("table", "figure"):
        if name.startswith(kind):
            return f"{kind.capitalize()} {name.removeprefix(kind)}: "
    return ""


def _data(path: Path, kind: str) -> str:
    return _inlined(path.read_bytes(), kind)


def _inlined(content: bytes, kind: str) -> str:
    return f"data:{kind};base64,{base64.b64encode(content).decode()}"


def _samples(records: list[Record]) -> str:
    """Return every sample of an experiment, warm-ups too, as CSV."""
    rows = [
        {"group": r["group"], "input": r["input"]["label"], "cores": r["cores"], **sample}
        for r in records
        for sample in r["samples"]
    ]
    plain = [{k: v for k, v in row.items() if not isinstance(v, dict | list)} for row in rows]
    return str(pd.DataFrame(plain).to_csv(index=False))


def _alternative(entry: dict[str, Any], tidy: pd.DataFrame) -> str:
    """Say in words what a figure shows: each ratio that was measured."""
    if "reads" in entry:
        return f"{entry['title']}: the table below in three panels a pipeline."
    if "speedup" not in tidy and len(tidy):
        return _counted(entry, tidy)
    if not len(tidy):
        return f"{entry['title']}: nothing was measured."
    rows = tidy[tidy["speedup"].notna() & (tidy["pipeline"] != tidy["baseline"])]
    said = [f"{r.pipeline} at {r.input}: {r.speedup:.2f}x" for r in rows.itertuples()]
    return f"{entry['title']}, speedup over the sparsifier. " + "; ".join(said) + "."


def _counted(entry: dict[str, Any], tidy: pd.DataFrame) -> str:
    """Say in words what a figure of counters shows."""
    kinds = ", ".join(sorted(set(tidy["kind"])))
    said = [
        f"{r['pipeline']}: {r['instructions']:.3g} instructions, "
        f"{r['branch_misses']:.3g} branch misses"
        for r in tidy.dropna(subset=["instructions", "branch_misses"]).to_dict("records")
    ]
    return f"{entry['title']}, counters {kinds}. " + "; ".join(said) + "."


def table_html(markdown: str, name: str) -> str:
    """Turn our own Markdown table, with its title and notes, into semantic HTML."""
    lines = markdown.splitlines()
    rows = [_cells(line) for line in lines if line.startswith("|")] or [[]]
    notes = [html.escape(line) for line in lines if line and line[0] not in "|*"]
    head = "".join(f'<th scope="col">{cell}</th>' for cell in rows[0])
    body = "".join(
        "<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows[2:]
    )
    below = "".join(f'<p class="note">{note}</p>' for note in notes)
    return (
        f'<div class="scroll" role="region" tabindex="0" aria-label="{name}"><table><thead><tr>'
        f"{head}</tr></thead><tbody>{body}</tbody></table></div>{below}"
    )


def _cells(line: str) -> list[str]:
    return [html.escape(cell.strip()) for cell in line.strip().strip("|").split("|")]


def _machine(records: list[Record]) -> dict[str, str]:
    if not records:
        return {}
    record = records[0]
    host, toolchain, source = record["host"], record["toolchain"], record["provenance"]
    cpus = {r["host"]["cpu"] for r in records}
    return {
        "processor": " and ".join(sorted(cpus)),
        "cores": f"{host['physical_cores']} physical, {host['logical_cpus']} logical",
        "memory": f"{host['memory_bytes'] / 2**30:.1f} GiB",
        "vector extensions": ", ".join(host["vector_extensions"]),
        "clock": f"governor {host['governor']}, boost {host['boost']}, {host['clock_source']}",
        "virtual machine": "yes" if host["hypervisor"] else "no",
        "kernel": host["kernel"],
        "LLVM/MLIR": f"{toolchain['version']} ({toolchain['provider']})",
        "source": source["commit"][:12] + (" with changes" if source["dirty"] else ""),
    }


def _summary(records: list[Record]) -> str:
    """Say in one line where and how completely this was measured."""
    if not records:
        return "Nothing was measured in this run."
    machine = _machine(records)
    outcomes = Counter(c["outcome"] for r in records for c in r["cells"].values())
    told = ", ".join(f"{count} {outcome(name)}" for name, count in outcomes.most_common())
    return (
        f"{machine['processor']}, {machine['cores']} cores; LLVM/MLIR {machine['LLVM/MLIR']}; "
        f"source {machine['source']}. Cells: {told}."
    )


def _missing(records: list[Record]) -> list[str]:
    return [
        one_line(
            f"{r['experiment']}, {r['input']['label']}, {name}: "
            f"{outcome(cell['outcome'])}: {cell['reason']}"
        )
        for r in records
        for name, cell in r["cells"].items()
        if cell["outcome"] != "measured"
    ]


def _trust(records: list[Record]) -> list[str]:
    capped = [r for r in records if r["stopped_by"].startswith("max_")]
    notes = [
        f"{len(records) - len(capped)} of {len(records)} groups reached the wanted interval width; "
        f"{len(capped)} stopped at a cap in time or repetitions, and have wider intervals."
    ]
    different = len({r["host"]["cpu"] for r in records})
    if different > 1:
        notes.append(f"This run mixes {different} kinds of processor; ratios are within one each.")
    loads = [str(r["state"]["before"]["load_average"]).split()[0] for r in records]
    known = [float(load) for load in loads if _is_number(load)]
    if known:
        notes.append(f"Load average before a group: {min(known):.2f} to {max(known):.2f}.")
    return notes if records else ["Nothing was measured."]


def _stability(run: Path, experiments: Experiments) -> list[str]:
    measuring = [name for name in sorted(experiments) if "reads" not in experiments[name]]
    tables = [_read(run / "tidy" / f"{name}.csv") for name in measuring]
    told = stability_summary(pd.concat(tables)) if tables else ""
    return [told] if told else []


def _is_number(text: str) -> bool:
    try:
        return math.isfinite(float(text))
    except ValueError:
        return False

"""Tables, figures and the page, from made-up records."""

import base64
import io
import re
import shutil
import subprocess

import pandas as pd
import pytest

from splyce_bench.compile.pipelines import load_pipelines
from splyce_bench.configuration import load_yaml
from splyce_bench.counters.record import unavailable_record
from splyce_bench.errors import UserError
from splyce_bench.report.claims import judge_all
from splyce_bench.report.counters import counter_rows
from splyce_bench.report.drawing import whiskers
from splyce_bench.report.figures import KINDS, draw
from splyce_bench.report.headline import headline
from splyce_bench.report.page import render, table_html
from splyce_bench.report.published import published_speedup, published_time
from splyce_bench.report.stability_notes import stability_notes
from splyce_bench.report.tables import Heading, write_table
from splyce_bench.report.text import seconds
from splyce_bench.report.tidy import pipeline_order, tidy

WIDTHS = {"baseline": 1, "config5-w2": 0.6, "config5": 0.3, "config5-w8": 0.5, "config5-w16": 0.9}


def sweep(record):
    return [
        record("figure13", {"baseline": 1, "config5": time}, density)
        for density, time in ((0.01, 1.0), (0.1, 0.8), (1, 0.5), (2, 0.4), (5, 0.35), (10, 0.3))
    ]


def test_ratios_are_paired_within_repetitions(record):
    """The made-up machine drifts by 30 %, the ratio does not."""
    rows = tidy([record(times={"baseline": 1.0, "config5": 0.4}, noise=0.0)])
    mine = rows[rows["pipeline"] == "config5"].iloc[0]
    assert mine["speedup"] == pytest.approx(2.5)
    assert mine["speedup_low"] == pytest.approx(mine["speedup_high"])
    assert mine["time_high_s"] > 1.05 * mine["time_low_s"]


def test_cells_without_a_ratio(record):
    data = record(times={"baseline": 1.0, "config5": None, "config7": 0.5})
    data["compiled"]["config7"]["rewritten"] = 0
    rows = tidy([data]).set_index("pipeline")
    assert pd.isna(rows.loc["config5", "speedup"])
    assert rows.loc["config5", "reason"] == "crashed with SIGSEGV"
    assert pd.isna(rows.loc["config7", "speedup"])


def test_a_time_of_zero_has_no_speedup(record):
    rows = tidy([record(times={"baseline": 0.0, "config5": 0.0})])
    assert rows["speedup"].isna().all()


def test_published_numbers_are_found_by_cell():
    row = {"experiment": "table1", "pipeline": "config5", "baseline": "baseline"}
    assert published_time(row) == pytest.approx(21.065088)
    assert published_speedup(row) == pytest.approx(2.7747, abs=1e-3)
    row = {"experiment": "figure12", "pipeline": "config5-w8", "baseline": "baseline"}
    assert published_speedup({**row, "density_pct": 5}) == pytest.approx(58.721993 / 41.022585)
    assert published_time({**row, "density_pct": 3}) is None
    assert published_time({**row, "experiment": "table2", "density_pct": 5}) is None


def test_a_table_in_three_forms(record, root, tmp_path):
    times = {"baseline": 1.0, **{f"config{n}": 0.5 for n in range(1, 8)}, "config8": None}
    rows = tidy([record(times=times, stopped_by="max_seconds")])
    pipelines = load_pipelines(root / "config" / "pipelines.yaml")
    heading = Heading("Phase ablation", "What\nit shows.", "smoke")
    write_table(rows, pipelines, tmp_path / "table1", heading)
    text = (tmp_path / "table1.md").read_text()
    assert "| 5 %     | config 6   | SIMD    | scalar    | SIMD " in text
    assert "2.78" in text or "2.77x" in text
    assert "config8: failed: crashed with SIGSEGV" in text
    assert "stopped by the cap in seconds" in text
    assert "\\begin{tabular}" in (tmp_path / "table1.tex").read_text()
    numbers = pd.read_csv(tmp_path / "table1.csv")
    assert numbers["published_s"].notna().sum() == 9


def written(rows, root, tmp_path, experiment_scale="smoke"):
    pipelines = load_pipelines(root / "config" / "pipelines.yaml")
    write_table(rows, pipelines, tmp_path / "t", Heading("T", "c", experiment_scale))
    return (tmp_path / "t.md").read_text()


def test_a_reason_keeps_to_its_line(record, root, tmp_path):
    data = record(times={"baseline": 1.0, "config5": None})
    data["cells"]["config5"]["reason"] = "line one\nline | two"
    text = written(tidy([data]), root, tmp_path)
    assert "config5: failed: line one line / two" in text
    tex = (tmp_path / "t.tex").read_text().splitlines()
    assert [line for line in tex if "line one" in line] == [
        "% 5 %, config5: failed: line one line / two"
    ]


@pytest.mark.parametrize(
    ("times", "lazy", "why"),
    [
        ({"baseline": 1, "config5": 0.4}, True, "it did not rewrite the loops it promised to"),
        ({"baseline": None, "config5": 0.4}, False, "baseline was not measured"),
        ({"baseline": 0, "config5": 0}, False, "a time of zero"),
    ],
)
def test_a_measured_cell_without_a_speedup_says_why(record, root, tmp_path, times, lazy, why):
    data = record(times=times)
    data["compiled"]["config5"]["rewritten"] = 0 if lazy else 1
    text = written(tidy([data]), root, tmp_path)
    assert f"5 %, config5: no speedup: {why}" in text
    assert "n/a" in text


def test_several_kernels_are_told_apart(record, root, tmp_path):
    text = written(tidy([record(), record(kernel="spmspv")]), root, tmp_path)
    assert "| spgemm, 5 %" in text
    assert "| spmspv, 5 %" in text


def test_times_of_another_scale_are_not_to_be_compared(record, root, tmp_path):
    assert "compare speedups, not times" in written(tidy([record()]), root, tmp_path)
    assert "compare speedups" not in written(tidy([record()]), root, tmp_path, "paper")


def test_few_repetitions_have_no_interval(record, root, tmp_path):
    rows = tidy([record(repetitions=3)])
    assert rows["speedup_high"].isna().all()
    assert "2.50x [few repetitions]" in written(rows, root, tmp_path)


def test_rows_come_in_the_order_of_the_experiment(record):
    experiment = {"groups": [{"pipelines": ["baseline", "config7", "config5"]}]}
    rows = tidy([record(times={"config5": 1, "baseline": 2, "config7": 1})])
    assert rows["pipeline"].tolist() == ["config5", "baseline", "config7"]
    rows = tidy(
        [record(times={"config5": 1, "config7": 1, "baseline": 2})], pipeline_order(experiment)
    )
    assert rows["pipeline"].tolist() == ["baseline", "config7", "config5"]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (58.449, "58.4 s"),
        (0.0330, "33.0 ms"),
        (0.8074, "807 ms"),
        (2e-9, "2.00 ns"),
        (0, "0.00 ns"),
    ],
)
def test_times_keep_three_digits(value, text):
    assert seconds(value) == text


@pytest.fixture
def drawn(record, tmp_path):
    data = {
        "figure12": [record("figure12", WIDTHS, density) for density in (1, 5, 10)],
        "figure13": sweep(record),
    }
    for name, records in data.items():
        draw(name, tidy(records), "splyce", tmp_path / name)
    draw("figure11", counter_rows([counted()]), "splyce", tmp_path / "figure11")
    return tmp_path


def counted():
    """A group whose counters could not be read."""
    lost = {"baseline": unavailable_record("no perf program")}
    cells = {"baseline": {"outcome": "not_available", "reason": "no perf program"}}
    group = {"experiment": "figure11", "kernel": "spgemm", "input": {"label": "5 %"}}
    return {**group, "cores": 1, "baseline": "baseline", "cells": cells, "counters": lost}


@pytest.mark.parametrize("name", ["figure11", "figure12", "figure13"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_figure_in_every_form(drawn, name, kind):
    magic = {"pdf": b"%PDF", "svg": b"<?xml", "png": b"\x89PNG"}[kind]
    assert (drawn / f"{name}.{kind}").read_bytes().startswith(magic)


def test_the_same_data_give_the_same_bytes(record, tmp_path):
    for folder in ("a", "b"):
        draw("figure13", tidy(sweep(record)), "splyce", tmp_path / folder / "figure13")
    for kind in KINDS:
        one, two = ((tmp_path / f / f"figure13.{kind}").read_bytes() for f in ("a", "b"))
        assert one == two


def test_a_figure_with_missing_cells_is_drawn(record, tmp_path):
    data = sweep(record)
    data[2] = record("figure13", {"baseline": 1, "config5": None}, 1)
    draw("figure13", tidy(data), "splyce", tmp_path / "figure13")
    # Text is drawn as outlines, so the word is looked for among the named comments of the file.
    assert "<!-- failed -->" in (tmp_path / "figure13.svg").read_text()


def test_widths_that_are_missing_or_have_no_interval_are_marked(record, tmp_path):
    fewer = {name: time for name, time in WIDTHS.items() if name != "config5-w8"}
    data = [record("figure12", WIDTHS, 1, repetitions=3), record("figure12", fewer, 5)]
    data.append(record("figure12", {**WIDTHS, "config5": None}, 10))
    draw("figure12", tidy(data), "splyce", tmp_path / "figure12")
    svg = (tmp_path / "figure12.svg").read_text()
    for word in ("no interval", "not asked for", "failed"):
        assert f"<!-- {word} -->" in svg


def test_an_interval_without_an_end_has_no_arms(record):
    rows = tidy([record(repetitions=3), record(repetitions=12)])
    arms = whiskers(rows[rows["pipeline"] == "config5"])
    assert arms[:, 0].tolist() == [0, 0]
    assert (arms[:, 1] > 0).all()


def test_an_unknown_figure_is_named(record, tmp_path):
    with pytest.raises(UserError, match="no drawing for 'figure99'; known: figure11, figure12"):
        draw("figure99", tidy([record()]), "splyce", tmp_path / "figure99")


def test_a_style_of_the_user_is_laid_over_ours(record, tmp_path):
    style = tmp_path / "wide.mplstyle"
    style.write_text("figure.figsize: 4, 9\n")
    draw("figure13", tidy(sweep(record)), str(style), tmp_path / "figure13")
    head = (tmp_path / "figure13.svg").read_text()
    assert 'height="648pt"' in head


def test_an_unknown_style_is_named(record, tmp_path):
    with pytest.raises(UserError, match=r"report\.style: no matplotlib style 'nowhere'"):
        draw("figure13", tidy(sweep(record)), "nowhere", tmp_path / "figure13")
    assert list(tmp_path.iterdir()) == []


def test_markdown_tables_become_html_without_markup_from_data():
    text = table_html("**t**\n\n| a | b |\n|---|---|\n| <x> | 1 |\n\nnote & more\n", "t")
    assert "<td>&lt;x&gt;</td>" in text
    assert "note &amp; more" in text
    assert text.count("<tr>") == 2


@pytest.fixture
def page(record, root, drawn):
    run = drawn / "run"
    for name, records in {"figure13": sweep(record), "table1": [record()]}.items():
        (run / "tidy").mkdir(parents=True, exist_ok=True)
        tidy(records).to_csv(run / "tidy" / f"{name}.csv", index=False)
    (run / "figures").mkdir()
    shutil.copy(drawn / "figure13.svg", run / "figures")
    names = ("controls", "table1", "figure13")
    entries = {name: load_yaml(root / "experiments" / f"{name}.yaml") for name in names}
    verdicts = judge_all(entries, [*sweep(record), record()], "smoke")
    verdicts.to_csv(run / "tidy" / "claims.csv", index=False)
    path = run / "report.html"
    path.write_text(render(run, "smoke", entries, [*sweep(record), record()]), encoding="utf-8")
    return path


def test_the_page_is_one_file_and_marks_what_is_missing(page):
    text = page.read_text(encoding="utf-8")
    assert 'src="http' not in text
    assert "Not part of this run." in text
    assert 'alt="Density sweep, speedup over the sparsifier. config5 at 0.01 %: 1.0' in text
    assert "Test CPU" in text


def test_the_page_has_every_sample_to_download(page):
    text = page.read_text(encoding="utf-8")
    found = re.search(r'download="table1-samples.csv" href="data:text/csv;base64,([^"]+)"', text)
    table = pd.read_csv(io.BytesIO(base64.b64decode(found[1])))
    assert len(table) == 3 * 12
    assert {"input", "pipeline", "repetition", "kernel_ns", "zero_ns"} <= set(table.columns)


def test_the_claims_of_the_paper_come_first(page):
    text = page.read_text(encoding="utf-8")
    assert 0 < text.index("Section 4.3)") < text.index("(controls, Section 4.1)")
    assert "Judged on measurements at smoke scale." in text


def test_a_page_without_any_result_is_written(root, tmp_path):
    entries = {"table1": load_yaml(root / "experiments" / "table1.yaml")}
    text = render(tmp_path, "smoke", entries, [])
    assert "Nothing was measured in this run." in text
    assert "No claim was judged in this run." in text
    assert "Beyond the paper" not in text


def test_headline(page):
    text = headline(page.parent)
    assert "fastest, config5 at 5 %" in text
    assert [
        line.split(" at ")[1] for line in text.splitlines() if "configuration 5 at" in line
    ] == [
        "0.01 %, published 1.02x",
        "0.1 %, published 1.22x",
        "1 %, published 2.38x",
        "2 %, published 2.57x",
        "5 %, published 2.79x",
        "10 %, published 2.94x",
    ]
    assert "2.50x" in text
    assert "published 2.77x" in text
    assert "report.html" in text


def test_the_page_in_a_browser(page, tmp_path):
    """No console message, and every picture has a size."""
    browser = shutil.which("chromium") or shutil.which("chromium-browser")
    if not browser:
        pytest.skip("no chromium on this machine")
    script = (
        "<script>onload=()=>{document.title='sizes '+[...document.images]"
        ".map(i=>i.naturalWidth>50&&i.alt.length>20).join()}</script>"
    )
    probe = page.with_name("probe.html")
    probe.write_text(page.read_text(encoding="utf-8").replace("</body>", f"{script}</body>"))
    command = [browser, "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom"]
    command += ["--disable-background-networking", "--enable-logging=stderr"]
    command += [f"--user-data-dir={tmp_path / 'profile'}", probe.as_uri()]
    result = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    assert "<title>sizes true</title>" in result.stdout
    assert "CONSOLE" not in result.stderr


def test_counters_alone_have_no_stability_notes():
    assert stability_notes(counter_rows([counted()])) == []

"""Figures 14 to 17 and the comparison tables, from made-up records of matrices and core counts."""

import re

import pandas as pd
import pytest
from figure_drawn import drawn

from splyce_bench.report.comparison import write_comparison
from splyce_bench.report.figure_matrices import in_order
from splyce_bench.report.figure_scaling import scaling
from splyce_bench.report.figures import NOTHING
from splyce_bench.report.published import published_order, published_speedup, published_time
from splyce_bench.report.tables import Heading
from splyce_bench.report.tidy import tidy

ORDER = published_order("spgemm")


@pytest.fixture
def real(record):
    """A record of a matrix; without a time it has the outcome."""

    def make(name, time=0.4, outcome="absent", experiment="figure14", kernel="spgemm", **changes):
        data = record(experiment, {"baseline": 1.0, "config5": time or 1.0}, None, **changes)
        facts = {"shape": [40, 40], "stored": 90, "density_pct": 5.625, "recipe": {"source": "f"}}
        operand = {**facts, "rows": {"mean": 2.25, "max": 7, "cv": 0.5, "empty": 0}}
        data["input"] = {"label": name, "density_pct": None, "matrix": name}
        data["input"]["meta"] = {"operands": {"B": operand} if time else {}}
        data["kernel"], data["panels"] = kernel, 1
        data["lanes"] = {"fast": 30, "epilogue": 10, "matches": 5} if time else {}
        if not time:
            data["samples"] = []
            cell = {"outcome": outcome, "reason": "no connection"}
            data["cells"] = dict.fromkeys(data["cells"], cell)
        return data

    return make


@pytest.mark.parametrize("count", [1, 2, 130])
def test_every_matrix_has_a_bar_with_its_name(real, tmp_path, count):
    svg = drawn("figure14", [real(name) for name in ORDER[:count]], tmp_path)
    for name in ORDER[:count]:
        assert f"<!-- {name.split('/')[1]} -->" in svg
    assert re.search("<!-- ours on 1 core, geometric mean 2[.][45]", svg)
    assert "nothing to show" not in svg


@pytest.mark.parametrize("outcome", ["absent", "too_large", "failed"])
def test_what_is_missing_is_written_where_its_bar_would_be(real, tmp_path, outcome):
    records = [real(ORDER[0]), real(ORDER[1], None, outcome), real("Mine/x")]
    svg = drawn("figure14", records, tmp_path)
    assert svg.count(f"<!-- {outcome.replace('_', ' ')} -->") == 1


@pytest.mark.parametrize("count", [1, 130])
def test_nothing_was_measured(real, tmp_path, count):
    """As on a machine without network and cache; the axes have no value to be scaled by."""
    svg = drawn("figure14", [real(name, None) for name in ORDER[:count]], tmp_path)
    assert svg.count("<!-- absent -->") == count
    assert svg.count("<!-- nothing to show -->") == 2


@pytest.mark.parametrize("name", ["figure12", "figure14", "figure17"])
def test_an_experiment_without_a_group_is_drawn_and_says_so(tmp_path, name):
    assert f"<!-- {NOTHING} -->" in drawn(name, [], tmp_path)


def test_the_papers_order_then_others_by_name(real):
    names = ["Z/own", ORDER[5], "A/other", ORDER[2], f"Other/{ORDER[0].split('/')[1]}"]
    found = in_order(tidy([real(name) for name in names]))
    last = sorted([names[0], names[2], names[4]], key=lambda name: name.split("/")[1])
    assert found["matrix"].tolist() == [ORDER[2], ORDER[5], *last]
    assert found["published"].isna().tolist() == [False, False, True, True, True]


def test_published_numbers_belong_to_group_and_name():
    row = {"pipeline": "config5", "baseline": "baseline", "kernel": "spgemm", "input": "x"}
    row |= {"experiment": "table4", "matrix": "Norris/heart1"}
    assert published_time(row) == pytest.approx(17.949310)
    assert published_speedup({**row, "kernel": "spmttkrp"}) == pytest.approx(2.188, abs=1e-3)
    assert published_speedup({**row, "matrix": "Other/heart1"}) is None
    assert published_speedup({**row, "kernel": "spmspv"}) is None
    row |= {"experiment": "table3", "kernel": "spmmh"}
    assert published_speedup(row) == pytest.approx(61.294217 / 31.433762)


@pytest.fixture
def cores(record):
    def make(count, outcome="", label="5 %", each=0.4):
        times = {"baseline": 1.0 / count, "config5": each / count}
        data = record("figure17", times, 5.0, noise=0.0, cores=count, kernel="spmttkrp")
        data["input"] = {"label": label, "density_pct": 5.0, "matrix": None}
        if outcome:
            data["samples"] = []
            cell = {"outcome": outcome, "reason": "2 cores"}
            data["cells"] = dict.fromkeys(data["cells"], cell)
        return data

    return make


@pytest.mark.parametrize("most", [1, 2, 32])
def test_a_machine_draws_the_core_counts_it_has_and_says_so(cores, tmp_path, most):
    counts = (1, 2, 4, 8, 16, 32)
    labels = ("5 %", "5 %, power law rows")
    records = [
        cores(count, "not_available" if count > most else "", label)
        for label in labels
        for count in counts
    ]
    svg = drawn("figure17", records, tmp_path)
    lost = ", ".join(str(count) for count in counts if count > most)
    assert svg.count(f"<!-- {lost} cores: not available -->") == (2 if lost else 0)
    assert svg.count("<!-- fast lane, published -->") == 1


def test_without_one_core_of_the_sparsifier_there_is_nothing_to_compare(cores, tmp_path):
    svg = drawn("figure17", [cores(1, "failed"), cores(2)], tmp_path)
    assert "no time of the sparsifier on one core" in svg
    assert "1 core: failed" in svg


def test_scaling_is_over_one_core_of_the_sparsifier(cores):
    rows = scaling(tidy([cores(1), cores(4)])).set_index(["pipeline", "cores"])
    assert rows.loc[("config5", 1), "scaling"] == pytest.approx(2.5, rel=0.2)
    assert rows.loc[("config5", 4), "scaling"] == pytest.approx(10, rel=0.2)
    assert (rows["scaling_low"] <= rows["scaling"]).all()
    assert (rows["scaling"] <= rows["scaling_high"]).all()


def written(records, folder, scale="smoke"):
    write_comparison(tidy(records), folder / "t", Heading("Real matrices", "What it is.", scale))
    assert (folder / "t.tex").read_text().startswith("% Real matrices")
    return (folder / "t.md").read_text()


def cells(text):
    rows = [line.strip("|").split("|") for line in text.splitlines() if line.startswith("|")]
    head = [cell.strip() for cell in rows[0]]
    return [dict(zip(head, (cell.strip() for cell in row), strict=True)) for row in rows[2:]]


def test_a_comparison_has_a_row_a_kernel_and_input(real, tmp_path):
    records = [
        real("Norris/heart1", experiment="table4"),
        real("Norris/heart1", 0.5, experiment="table4", kernel="spmttkrp"),
        real("VLSI/stokes", None, experiment="table4", kernel="spmspv"),
    ]
    text = written(records, tmp_path)
    one, two, three = cells(text)
    assert (one["kernel"], one["input"], one["rows"], one["stored"]) == (
        "spgemm", "Norris/heart1", "40", "90",
    )  # fmt: skip
    assert (one["SIMD(%)"], one["row mean"], one["row max"], one["density %"]) == (
        "75", "2.25", "7", "5.62",
    )  # fmt: skip
    assert one["speedup"].startswith("2.50x [2.")
    assert (one["published sparsifier"], one["published fast lane"]) == ("34.0 s", "17.9 s")
    assert one["published speedup"] == "1.90x"
    assert two["published speedup"] == "2.19x"
    assert (three["speedup"], three["fast lane"], three["published speedup"]) == (
        "absent", "-", "1.69x",
    )  # fmt: skip
    assert "spmspv, VLSI/stokes: absent: no connection" in text
    assert "Speedups of 2 rows: 2.00x to 2.50x, geometric mean 2.24x [2." in text
    assert "Published for 2 of them: 1.90x to 2.19x, geometric mean 2.04x." in text
    numbers = pd.read_csv(tmp_path / "t.csv")
    assert len(numbers) == 6
    assert numbers["simd_pct"].dropna().eq(75).all()


def test_synthetic_inputs_have_no_columns_of_matrices(record, tmp_path):
    [row] = cells(written([record("table3")], tmp_path))
    assert "SIMD(%)" not in row
    assert "rows" not in row
    assert row["published speedup"] == "2.79x"


def test_few_repetitions_leave_the_mean_without_an_interval(real, tmp_path):
    records = [real("G/a", experiment="table4", repetitions=3), real("G/b", experiment="table4")]
    text = written(records, tmp_path)
    assert re.search(r"geometric mean 2[.][45]\dx \[few repetitions\][.]", text)
    assert cells(text)[0]["speedup"].endswith("x [few repetitions]")


def test_a_comparison_without_a_row_is_written(tmp_path):
    assert "No input of this run is for this table." in written([], tmp_path)

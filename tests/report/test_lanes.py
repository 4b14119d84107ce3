"""Lanes beyond the paper's: figures, table and closing lines, from made-up records."""

import pandas as pd
import pytest
from figure_drawn import drawn

from splyce_bench.compile.pipelines import load_pipelines
from splyce_bench.experiments import drawings_of
from splyce_bench.report.figure_lane_densities import one_kernel, spread
from splyce_bench.report.figure_lane_matrices import by_papers_lane
from splyce_bench.report.figures import NOTHING
from splyce_bench.report.lanes import lane_lines, worst_lines
from splyce_bench.report.records import paired_ratio, unpaired_ratio
from splyce_bench.report.tables import Heading, write_table
from splyce_bench.report.tidy import tidy

TIMES = {
    "baseline": 1.0, "config5": 0.4, "masked-w8": 0.25, "workspace": 0.1, "ref-masked": 0.2,
    "ref-workspace": 0.08, "mkl": 0.01, "graphblas": None,
}  # fmt: skip
LIBRARIES = ("mkl", "graphblas")


@pytest.fixture
def lanes(record):
    """A record as the group of `lanes` has it: lanes, references, libraries apart."""

    def make(density=5.0, times=TIMES, kernel="spgemm", matrix=None, **changes):
        data = record("lanes", times, None if matrix else density, kernel=kernel, **changes)
        if matrix:
            data["input"] |= {"label": matrix, "matrix": matrix}
            data["experiment"] = "lanes_matrices"
        data["apart"] = {name: {"library": name} for name in LIBRARIES if name in times}
        for name in LIBRARIES:
            data["compiled"].pop(name, None)
            if name in times and times[name] is None:
                data["cells"][name] = {"outcome": "not_available", "reason": f"no {name}"}
        for name, made in data["compiled"].items():
            made["rewritten"] = 0 if name.startswith(("baseline", "ref-")) else 1
            made["pipeline"] |= {"transform": []}
            if name.startswith("ref-"):
                made["pipeline"] |= {"source": ["x.c"], "rewrites": {}}
            if name in ("masked-w8", "workspace"):
                made["pipeline"]["transform"] = ["splyce{lane=x}"]
        return data

    return make


def test_every_line_has_its_name_and_what_is_missing_is_told(lanes, tmp_path):
    records = [lanes(density) for density in (0.01, 1, 5)]
    records.append(lanes(5, kernel="spmspv"))
    lost = lanes(10, {**TIMES, "workspace": None})
    svg = drawn("lanes_density", [*records, lost], tmp_path)
    for label in ("config 5", "masked, n = 8", "workspace", "by hand, masked", "MKL"):
        assert f"<!-- {label} -->" in svg
    assert "GraphBLAS: not available" in svg
    assert "workspace at 10 %: failed" in svg


def test_the_figure_is_of_the_kernel_with_the_densities(lanes):
    records = [lanes(5, kernel="spmspv"), lanes(1), lanes(5), lanes(matrix="G/m")]
    assert set(one_kernel(tidy(records))["kernel"]) == {"spgemm"}


def test_without_a_measured_cell_the_lanes_are_drawn(lanes, tmp_path):
    nothing = lanes(5, dict.fromkeys(TIMES))
    assert "GraphBLAS: not available" in drawn("lanes_density", [nothing], tmp_path)
    nothing = lanes(times=dict.fromkeys(TIMES), matrix="G/m")
    assert "nothing measured" in drawn("lanes_matrices", [nothing], tmp_path)


@pytest.mark.parametrize("name", ["lanes_density", "lanes_matrices"])
def test_without_a_group_the_figure_says_so(tmp_path, name):
    assert f"<!-- {NOTHING} -->" in drawn(name, [], tmp_path)


@pytest.mark.parametrize("count", [1, 2, 130])
def test_the_matrices_of_each_kernel_have_a_panel(lanes, tmp_path, count):
    four = {name: TIMES[name] for name in ("baseline", "config5", "masked-w8", "workspace")}
    records = [
        lanes(times={**four, "config5": 0.2 + n / 200}, kernel=kernel, matrix=f"G/m{n}", noise=0.0)
        for kernel in ("spgemm", "spmspv")
        for n in range(count)
    ]
    svg = drawn("lanes_matrices", records, tmp_path)
    assert svg.count("workspace 10.00x") == 2
    assert ("<!-- m0 -->" in svg) == (count <= 60)
    order = by_papers_lane(tidy(records[:count]))
    assert order[-1] == "G/m0"


def test_names_beside_a_figure_keep_apart_and_near():
    assert spread([0.1, 0.5, 0.9], 0.05) == [0.1, 0.5, 0.9]
    found = spread([0.50, 0.50, 0.51, 0.9], 0.1)
    assert found == pytest.approx([0.4033, 0.5033, 0.6033, 0.9], abs=1e-3)
    found = spread([0.2, 0.3, 0.31], 0.1)
    assert all(b - a >= 0.1 - 1e-9 for a, b in zip(found, found[1:], strict=False))


def test_a_library_has_no_pairs_but_a_ratio_of_medians(lanes):
    data = lanes(noise=0.0)
    assert paired_ratio(data, "mkl", "baseline") is None
    found = unpaired_ratio(data, "mkl", "baseline")
    assert found.value == pytest.approx(100)
    # The made-up machine drifts by 30 %, which pairs would cancel.
    assert found.high / found.low > 1.1
    rows = tidy([data]).set_index("pipeline")
    assert rows.loc["mkl", "speedup"] == pytest.approx(100)
    assert rows.loc["mkl", "made_by"] == "library"
    assert rows.loc["ref-masked", "made_by"] == "by hand"
    assert pd.isna(rows.loc["mkl", "verdict"])


def test_the_table_marks_what_was_measured_apart(lanes, root, tmp_path):
    pipelines = load_pipelines(root / "config" / "pipelines.yaml")
    records = [lanes(), lanes(kernel="spmspv")]
    heading = Heading("Lanes", "What it is.", "smoke")
    write_table(tidy(records), pipelines, tmp_path / "t", heading)
    text = (tmp_path / "t.md").read_text()
    [mkl] = [line for line in text.splitlines() if "| spmspv, 5 % | MKL" in " ".join(line.split())]
    assert "apart |" in mkl
    assert text.count("apart: a library, measured after the others") == 1
    assert "spgemm, 5 %, graphblas: not available: no graphblas" in text


def test_the_lines_of_lanes_compare_with_the_papers_lane_and_the_worst(lanes):
    slow = {**TIMES, "masked-w8": 2.0}
    lines = lane_lines([lanes(0.01, slow, noise=0.0), lanes(5, noise=0.0)])
    assert len(lines) == 2
    [masked] = [line for line in lines if "masked-w8" in line]
    assert "masked-w8 over config5, geometric mean of 2 densities, spgemm; worst over" in masked
    assert masked.startswith("0.57x [")
    assert "worst over the sparsifier 0.50x [" in masked
    assert masked.endswith("spgemm, 0.01 %")


def test_the_lines_of_lanes_over_kernels_and_matrices(lanes):
    kernels = [lanes(5, kernel=kernel) for kernel in ("spgemm", "spmspv")]
    matrices = [lanes(matrix=f"G/{n}") for n in range(3)]
    lines = lane_lines([*kernels, *matrices])
    assert sum("geometric mean of 2 kernels at 5 %" in line for line in lines) == 2
    assert sum("geometric mean of 3 matrices, spgemm" in line for line in lines) == 2
    assert len(lane_lines(matrices)) == 2
    assert lane_lines([]) == []


def test_the_closing_lines_have_the_worst_five_of_auto_a_kernel(lanes):
    def matrix(number, **changes):
        times = {"baseline": 1.0, "auto": 1 / (1 + number / 100)}
        return lanes(times=times, matrix=f"G/m{number}", noise=0.0, **changes)

    many = [matrix(number) for number in range(8)]
    lines = worst_lines([*many, matrix(3, kernel="spmspv"), lanes()])
    assert len(lines) == 2
    assert lines[0].startswith("auto over the sparsifier, spgemm, lowest of 8: G/m0 1.00x [")
    assert lines[0].count("G/m") == 5
    assert lines[1].startswith("auto over the sparsifier, spmspv, lowest of 1: G/m3 1.03x [")
    assert worst_lines([lanes(times={"baseline": 1.0, "auto": None})]) == []


def test_what_an_experiment_is_drawn_as():
    assert drawings_of("figure13", {}) == {"figure": "figure13"}
    assert drawings_of("table1", {}) == {"table": "table1"}
    both = {"table": "lanes", "figure": "lanes_density"}
    assert drawings_of("lanes", {"drawings": both}) == both


def test_port_pressure_is_a_drawing_like_the_others(plan):
    assert plan.drawn("ports", "figure11_ports") == "figure11"
    drawn = {str(path.relative_to(plan.run)) for path in plan.drawings("figure11")}
    assert {"figures/figure11.svg", "tables/figure11_ports.md"} <= drawn

"""Features from made-up group records."""

import pytest

from splyce_bench.kernels.catalog import load_kernels
from splyce_bench.report.features import feature_rows, intersected, pair_features
from splyce_bench.report.published_features import PUBLISHED, published_rows


@pytest.fixture(scope="module")
def kernels(root):
    return load_kernels(root / "config" / "kernels.yaml")


def operand(levels, order, shape, stored, source="collection", **lengths):
    cells = 1
    for size in shape:
        cells *= size
    format = {"levels": levels, "order": order}
    meta = {"recipe": {"source": source}, "shape": shape, "format": format, "stored": stored}
    return {**meta, "density_pct": 100 * stored / cells, **lengths}


ROWS = {"rows": {"mean": 3.0, "max": 9, "cv": 0.5, "empty": 10}}
MATRIX = operand(["dense", "compressed"], [0, 1], [40, 100], 120, **ROWS)
COLUMNS = {"columns": {"mean": 1.2, "max": 4, "cv": 0.2, "empty": 60}}
TRANSPOSED = operand(["dense", "compressed"], [1, 0], [40, 100], 120, **COLUMNS)
VECTOR = operand(["compressed"], [0], [100], 8, "synthetic")
TENSOR = operand(["dense", "compressed", "compressed"], [0, 1, 2], [4, 5, 100], 60, "synthetic")


@pytest.fixture
def real(record):
    """A record of a kernel on operands, with ratio 2.5."""

    def make(kernel="spmspv", operands=None, name="Norris/heart1", **changes):
        data = record("figure15", None, None, **changes)
        operands = operands or {"B": MATRIX, "x": VECTOR}
        data["input"] = {"label": name, "density_pct": None, "matrix": name}
        data["input"]["meta"] = {"operands": operands}
        lanes = {"fast": 30, "epilogue": 10, "matches": 5}
        return {**data, "kernel": kernel, "loaded": {"operand_bytes": 4096}, "lanes": lanes}

    return make


def test_both_sides_of_an_intersection(kernels):
    found = pair_features(kernels["spmspv"], {"B": MATRIX, "x": VECTOR})
    assert (found["segment_short"], found["segment_long"]) == (4.0, 8.0)
    assert found["segment_ratio"] == 2
    assert found["level_size"] == 100
    assert found["expected_matches"] == pytest.approx(0.32)
    assert found["partner_density_pct"] == 8
    assert found["trips"] == 40


def test_columns_of_the_other_matrix(kernels):
    square = operand(["dense", "compressed"], [0, 1], [100, 40], 120, **ROWS)
    found = pair_features(kernels["spgemm"], {"B": square, "C": TRANSPOSED})
    assert found["level_size"] == 40
    assert found["segment_short"] == pytest.approx(120 / 90)
    assert found["segment_long"] == pytest.approx(120 / 40)
    assert found["trips"] == 100 * 100


def test_which_operands_meet(kernels):
    met = {name: [a.tensor for a in intersected(kernel)] for name, kernel in kernels.items()}
    assert met["spgemm"] == ["B", "C"]
    assert met["spmspv"] == ["B", "x"]
    assert met["spmttkrp"] == ["C", "D"]
    assert met["spttspm"] == ["B", "C"]


@pytest.mark.parametrize("kernel", ["spttspm", "of another catalog"])
def test_what_a_record_does_not_tell_is_empty(real, kernels, kernel):
    column = operand(["dense", "compressed"], [1, 0], [100, 40], 120, **COLUMNS)
    data = {**real(kernel, {"B": TENSOR, "C": column}), "experiment": "table4"}
    rows = feature_rows([data], kernels)
    assert len(rows) == 1
    assert rows["segment_short"].isna().all()
    assert rows["speedup"].iloc[0] == pytest.approx(2.5, rel=0.05)


def test_an_empty_matrix_has_no_ratio_of_lengths(kernels):
    nothing = {**MATRIX, "stored": 0, "density_pct": 0.0}
    found = pair_features(kernels["spmspv"], {"B": nothing, "x": VECTOR})
    assert found["segment_short"] == 0
    assert found["segment_ratio"] != found["segment_ratio"]


def test_a_row_a_matrix_and_pipeline(real, kernels):
    rows = feature_rows([real(), real(name="Mine/own")], kernels)
    assert rows["matrix"].tolist() == ["Norris/heart1", "Mine/own"]
    assert rows["pipeline"].tolist() == ["config5", "config5"]
    assert rows["simd_pct"].tolist() == [75, 75]
    assert rows["row_cv"].tolist() == [0.5, 0.5]
    assert rows["operand_bytes"].tolist() == [4096, 4096]


def test_the_papers_sweeps_are_rows_too(kernels):
    rows = published_rows(kernels)
    assert rows.groupby("kernel").size().to_dict() == {
        "spgemm": 130, "spmspv": 150, "spmttkrp": 60,
    }  # fmt: skip
    assert set(rows["pipeline"]) == {PUBLISHED}
    mine = rows[(rows["matrix"] == "ACUSIM/Pres_Poisson") & (rows["kernel"] == "spmspv")]
    assert mine["speedup"].item() == pytest.approx(0.000222 / 0.000163)
    assert mine["segment_long"].item() == 59
    assert mine["segment_short"].item() == pytest.approx(715804 / 14822)
    assert rows["segment_short"].notna().all()


def test_rows_without_a_ratio_or_a_matrix_are_left_out(real, kernels, record):
    failed = real()
    failed["cells"]["config5"] = {"outcome": "failed", "reason": "crashed"}
    absent = {**failed, "input": {**failed["input"], "meta": {}}}
    assert feature_rows([failed, absent, record("figure13")], kernels).empty


def test_the_first_experiment_that_measured_the_same_counts(real, kernels):
    again = {**real(repetitions=8), "experiment": "lanes_matrices"}
    rows = feature_rows([real(), again], kernels)
    assert rows["experiment"].tolist() == ["figure15"]

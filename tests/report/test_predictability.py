"""The study of predictability, on feature rows with a planted law and on made-up records."""

import numpy as np
import pandas as pd
import pytest

from splyce_bench.report.features import CHEAP, COLUMNS, FEATURES
from splyce_bench.report.figures import KINDS, draw
from splyce_bench.report.predictability import RESAMPLES, ahead_of, enough, samples_of, study
from splyce_bench.report.predictability_table import tree_rules, write_predictability
from splyce_bench.report.predictors import named
from splyce_bench.report.tables import Heading

KERNELS = ("spgemm", "spmspv", "spmttkrp")


def planted(matrices=40, kernels=KERNELS, pipeline="config5", noise=0.02, **columns):
    """Rows whose ratio follows the shorter segment; all else is drawn without a relation to it.

    Ratios are 0.7 below four elements and rise to 2.8 at 64.
    """
    source = np.random.default_rng(7)
    rows = []
    for number in range(matrices):
        known = {f.name: 2 ** source.uniform(1, 6) for f in FEATURES}
        short = known["segment_short"]
        ratio = 0.7 * 2 ** (0.5 * max(np.log2(short) - 2, 0))
        for kernel in kernels:
            ratio_here = ratio * 2 ** source.normal(0, noise)
            row = dict.fromkeys(COLUMNS) | known | {"matrix": f"G/m{number}", "kernel": kernel}
            row |= {"pipeline": pipeline, "baseline": "baseline", "experiment": "figure14"}
            row["speedup"] = ratio_here
            rows.append(row | {"speedup_low": 0.99 * ratio_here, "speedup_high": 1.01 * ratio_here})
    return pd.DataFrame(rows).assign(**columns)


def judged(rows):
    return study(rows).set_index("predictor")


@pytest.fixture(scope="module")
def law():
    return judged(planted())


def test_the_law_is_found_on_what_was_left_out(law):
    for left_out in ("matrix", "kernel"):
        for name in ("shorter mean segment", "best three cheap", "known at run time"):
            assert law.loc[name, f"{left_out}_r2"] > 0.9, name
    assert law.loc["tree of cheap ones", "matrix_r2"] > 0.7
    assert law.loc["shorter mean segment", "matrix_factor"] < 1.1


def test_the_mean_is_nothing_and_noise_is_no_better(law):
    assert law.loc["mean", "matrix_r2"] == 0
    for feature in FEATURES:
        if feature.name != "segment_short":
            assert law.loc[feature.label, "matrix_r2"] < 0.2, feature.name
            assert law.loc[feature.label, "matrix_r2_low"] < 0.1, feature.name


def test_an_interval_holds_its_score_and_a_law_has_a_narrow_one(law):
    known = law.dropna(subset="matrix_r2")
    assert (known["matrix_r2_low"] <= known["matrix_r2"]).all()
    assert (known["matrix_r2"] <= known["matrix_r2_high"]).all()
    assert law.loc["shorter mean segment", "matrix_r2_low"] > 0.8


def test_regressions_are_found_where_they_follow_the_law(law):
    regressions = int((planted()["speedup_high"] < 1).sum())
    assert law.loc["mean", "regressions"] == regressions > 10
    assert law.loc["mean", "matrix_recall"] == 0
    assert pd.isna(law.loc["mean", "matrix_precision"])
    assert law.loc["shorter mean segment", "matrix_recall"] > 0.8
    assert law.loc["shorter mean segment", "matrix_precision"] > 0.8
    assert law.loc["shorter mean segment", "matrix_gain"] > law.loc["mean", "matrix_gain"]


def test_the_width_of_the_lane_as_a_rule(law):
    """The planted ratio loses below eight elements: whatever has less than four, and more."""
    rows = planted()
    lost, below = rows["speedup_high"] < 1, rows["segment_short"] < 4
    assert law.loc["shorter segment below 4", "matrix_precision"] == 1
    assert law.loc["shorter segment below 4", "matrix_recall"] == (lost & below).sum() / lost.sum()
    assert law.loc["longer segment below 4", "matrix_precision"] < 0.8


def test_how_far_one_is_ahead_of_another():
    samples = samples_of(planted())
    value, low, high = ahead_of(named("shorter mean segment"), named("SIMD(%)"), samples)
    assert 0.8 < low <= value <= high
    assert ahead_of(named("mean"), named("mean"), samples) == (0, 0, 0)
    assert ahead_of(named("mean"), named("SIMD(%)"), samples_of(planted(simd_pct=np.nan))) is None


def test_ahead_on_a_kernel_that_was_left_out():
    first, second = named("shorter mean segment"), named("kernel")
    value, low, high = ahead_of(first, second, samples_of(planted()), "kernel")
    assert 0.8 < low <= value <= high
    alone = samples_of(planted(kernels=("spgemm",)))
    assert ahead_of(first, second, alone, "kernel") is None


def test_ahead_with_a_set_of_whatever_is_recorded():
    samples = samples_of(planted(row_max=np.nan))
    value, _, high = ahead_of(named("all cheap"), named("shorter mean segment"), samples)
    assert value <= high < 0.1


def test_a_law_that_another_kernel_does_not_follow_fails_there():
    rows = planted()
    other = rows["kernel"] == "spmspv"
    rows.loc[other, "speedup"] = 1 / rows.loc[other, "speedup"]
    found = judged(rows)
    assert found.loc["shorter mean segment", "kernel_r2"] < 0.2


def test_the_same_rows_give_the_same_scores(law):
    pd.testing.assert_frame_equal(law, judged(planted()))
    assert RESAMPLES >= 1000


def test_a_feature_that_no_row_has_costs_its_own_predictors():
    found = judged(planted(simd_pct=np.nan))
    assert found.loc["SIMD(%)", "rows"] == 0
    assert pd.isna(found.loc["SIMD(%)", "matrix_r2"])
    assert pd.isna(found.loc["SIMD(%) and run time", "matrix_r2"])
    assert found.loc["best three cheap", "matrix_r2"] > 0.9


def test_a_set_of_whatever_is_cheap_does_without_what_no_row_has():
    found = judged(planted(row_max=np.nan, row_cv=np.nan))
    assert found.loc["longest row", "rows"] == 0
    assert found.loc["all cheap", "rows"] == 120
    assert found.loc["best three cheap", "matrix_r2"] > 0.9


def test_rows_without_a_feature_are_left_to_the_other_predictors():
    rows = planted()
    rows.loc[rows["kernel"] == "spmspv", "segment_short"] = np.nan
    rows.loc[rows["kernel"] == "spmttkrp", "stored"] = 0
    found = judged(rows)
    assert found.loc["shorter mean segment", "rows"] == 80
    assert found.loc["stored elements", "rows"] == 80
    assert found.loc["best three cheap", "rows"] == 40
    assert found.loc["mean", "rows"] == 120


def test_one_kernel_leaves_none_to_learn_from():
    found = judged(planted(kernels=("spgemm",)))
    assert found.loc["shorter mean segment", "matrix_r2"] > 0.9
    assert "kernel_r2" not in found


def test_a_pipeline_with_few_matrices_is_left_out():
    rows = pd.concat([planted(), planted(5, pipeline="masked")])
    assert enough(rows) == {"config5": 40}
    assert set(study(rows)["pipeline"]) == {"config5"}


def test_the_tree_tells_the_law_in_the_features_own_units():
    rules = tree_rules(samples_of(planted()), CHEAP)
    assert all("shorter mean segment" in rule for rule in rules)
    assert sum(int(rule.split("(")[1].split()[0]) for rule in rules) == 120


def written(rows, folder):
    write_predictability(rows, folder / "predictability", Heading("Predicting", "What.", "paper"))
    assert (folder / "predictability.tex").read_text().startswith("% Predicting")
    return (folder / "predictability.md").read_text()


def drawn(rows, folder):
    """Draw from a CSV, as the rule does; return the SVG."""
    rows.to_csv(folder / "tidy.csv", index=False)
    draw("predictability", pd.read_csv(folder / "tidy.csv"), "splyce", folder / "predictability")
    assert all((folder / f"predictability.{kind}").stat().st_size > 1000 for kind in KINDS)
    return (folder / "predictability.svg").read_text()


@pytest.mark.parametrize("matrices", [1, 19])
def test_too_few_matrices_are_one_sentence(tmp_path, matrices):
    sentence = f"config5: not enough matrices: has {matrices}, wants 20."
    text = written(planted(matrices), tmp_path)
    assert text.splitlines()[-1] == sentence
    assert "R^2" not in text
    assert f"<!-- {sentence} -->" in drawn(planted(matrices), tmp_path)


def test_no_row_at_all_is_the_same_sentence(tmp_path):
    nothing = pd.DataFrame(columns=list(COLUMNS))
    assert "this run: not enough matrices: has 0, wants 20." in written(nothing, tmp_path)
    drawn(nothing, tmp_path)


def test_the_table_tells_what_it_rests_on(tmp_path):
    text = written(planted(), tmp_path)
    assert "config5: 120 ratios on 40 matrices (40 spgemm, 40 spmspv, 40 spmttkrp)" in text
    assert "best single features before a run" in text
    assert "config5: R^2 of SIMD(%) less that of shorter mean segment: -" in text
    assert "config5: R^2 of known at run time less that of shorter mean segment: " in text
    assert "% of the squared error of shorter mean segment are those of two ratios: " in text
    assert "config5: mean segments below 4: both 0.70x (" in text
    assert "config5: its fit to all rows goes above 1 at" in text
    assert "config5: the tree of all rows: shorter mean segment at most" in text
    numbers = pd.read_csv(tmp_path / "predictability.csv")
    assert len(numbers) == len(study(planted()))


def test_a_feature_that_no_row_has_is_named_below_the_table(tmp_path):
    text = written(planted(row_max=np.nan), tmp_path)
    assert "config5: not recorded: longest row." in text
    assert "longest row" not in text.partition("R^2: the share")[0]


def test_a_figure_of_two_pipelines_and_of_ratios_without_intervals(tmp_path):
    theirs = planted(pipeline="published config5", speedup_low=np.nan, speedup_high=np.nan)
    rows = pd.concat([planted(), theirs])
    svg = drawn(rows, tmp_path)
    assert svg.count("<!-- spmttkrp -->") == 4
    assert "<!-- config5, 40 matrices -->" in svg
    assert "published config5: 120 ratios on 40 matrices" in written(rows, tmp_path)

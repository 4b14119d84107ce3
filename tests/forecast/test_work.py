"""Coiteration steps and bytes of a group, by hand, from the plan and from a record alike."""

import pytest

from splyce_bench.forecast.work import coiteration_steps, work_of_group, work_of_record


def test_spgemm_passes_every_row_for_every_column(plan):
    sizes = {"i": 10, "j": 20, "k": 100}
    assert coiteration_steps(plan.kernels["spgemm"], sizes, {"B": 30, "C": 40}) == 30 * 20 + 40 * 10


def test_spmttkrp_passes_fibers_where_the_tensor_stores_something(plan):
    sizes = {"i": 10, "k": 10, "l": 10, "j": 100}
    stored = {"B": 100, "C": 50, "D": 60}
    # 100 of 1000 places (i, k, l); a fiber of C has 5 elements, one of D 6.
    steps = coiteration_steps(plan.kernels["spmttkrp"], sizes, stored)
    assert steps == pytest.approx(100 * (5 + 6))


def test_dense_operands_cost_no_steps(plan):
    sizes = {"i": 50, "j": 4, "k": 3}
    assert coiteration_steps(plan.kernels["spmmh"], sizes, {"B": 10, "C": 12, "D": 20}) == (
        10 * 4 + 20 * 3
    )


def test_a_planned_group_and_its_record_are_the_same_work(plan):
    group = next(g for g in plan.experiments["figure13"].groups if g.input.id == "d5")
    kernel = plan.kernels["spgemm"]
    planned = work_of_group(group, kernel, plan.pipelines)
    operand = {"shape": [5000, 5000], "stored": 1_250_000}
    compiled = {
        name: {"pipeline": {"transform": list(plan.pipelines[name].transform)}}
        for name in group.pipelines
    }
    record = {
        "kernel": "spgemm",
        "input": {"matrix": None, "meta": {"operands": {"B": operand, "C": operand}}},
        "compiled": compiled,
        "loaded": {"operand_bytes": planned.operand_bytes},
        "cores": 1,
    }
    assert work_of_record(record, plan.kernels) == planned
    assert (planned.scalar, planned.vectorized) == (2, 1)
    assert planned.steps == 2 * 5000 * 1_250_000


def test_a_library_counts_where_it_is_called(plan, monkeypatch):
    """Where it is installed, and for a product of two operands."""
    found = {"scipy": "1.0", "python-graphblas": "", "sparse_dot_mkl": ""}
    monkeypatch.setattr("splyce_bench.measure.libraries._version", lambda name: found.get(name, ""))
    groups = {g.kernel: g for g in plan.experiments["lanes"].groups if g.input.id == "d5"}
    counts = {
        name: work_of_group(group, plan.kernels[name], plan.pipelines).libraries
        for name, group in groups.items()
    }
    assert counts == {"spgemm": 1, "spmspv": 1, "spmttkrp": 0, "spmmh": 0, "spttspm": 0}


@pytest.mark.parametrize("experiment", ["table1", "figure14", "figure16", "table3", "table4"])
def test_every_group_of_the_paper_has_a_size(plan, experiment):
    for group in plan.experiments[experiment].groups:
        work = work_of_group(group, plan.kernels[group.kernel], plan.pipelines)
        assert work
        assert work.steps > 0
        assert work.operand_bytes > 0
        assert work.real == (group.input.label["matrix"] is not None)

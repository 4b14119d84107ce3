"""Row panels: where only the output is too large, the same checked result in parts."""

import json
import sys

import numpy as np
import pytest
from conftest import ENTRY

from splyce_bench.inputs.recipe import build_input
from splyce_bench.inputs.storage import open_tensor
from splyce_bench.kernels.catalog import load_kernels, make_kernel
from splyce_bench.measure import cells as cells_module
from splyce_bench.measure import oracle
from splyce_bench.measure.calls import index_sizes
from splyce_bench.measure.check import over_panels
from splyce_bench.measure.group import Group
from splyce_bench.measure.memory import (
    OUTPUTS,
    checked_bytes,
    choose_panels,
    output_bytes,
    panelled_operand,
)
from splyce_bench.measure.oracle import expected_result
from splyce_bench.measure.panels import take_rows
from splyce_bench.measure.store import all_measured
from splyce_bench.space import TooLargeError

KERNELS = ("spgemm", "spmspv", "spmttkrp", "spmmh", "spttspm")


@pytest.fixture(scope="module")
def kernels(root):
    return load_kernels(root / "config" / "kernels.yaml")


def make_operands(kernel, folder, sizes, density_pct=30.0):
    operands = {}
    for seed, access in enumerate(kernel.operands):
        format = kernel.formats[access.tensor]
        recipe = {"source": "synthetic", "shape": list(kernel.shape_of(access, sizes))}
        recipe |= {"density_pct": 100.0 if format.is_dense else density_pct, "seed": seed}
        operands[access.tensor] = {"recipe": recipe, "format": format.to_json()}
    build_input({"operands": operands}, folder)
    return {a.tensor: open_tensor(folder / a.tensor) for a in kernel.operands}


def test_which_kernels_can_be_cut(kernels):
    found = {name: panelled_operand(kernels[name]) for name in KERNELS}
    assert {name: access and access.tensor for name, access in found.items()} == {
        "spgemm": "B", "spmspv": "B", "spmttkrp": "B", "spmmh": None, "spttspm": "B",
    }  # fmt: skip


@pytest.mark.parametrize("name", ["spgemm", "spmspv", "spmttkrp", "spttspm"])
@pytest.mark.parametrize("step", [1, 3, 7])
def test_the_parts_of_a_result_are_the_whole(kernels, tmp_path, name, step):
    kernel = kernels[name]
    sizes = dict(zip(kernel.assignment.indices, (7, 5, 6, 4), strict=False))
    operands = make_operands(kernel, tmp_path / "in", sizes)
    whole = expected_result(kernel, operands)[0]
    parts = []
    for start in range(0, 7, step):
        rows = (start, min(start + step, 7))
        cut = take_rows(kernel, operands, rows)
        assert index_sizes(kernel, cut) == {**sizes, kernel.output.indices[0]: rows[1] - rows[0]}
        parts.append(expected_result(kernel, cut)[0])
    np.testing.assert_array_equal(np.concatenate(parts), whole)


def test_panels_cover_the_rows_and_fit(kernels):
    sizes = {"i": 1000, "j": 1000, "k": 5}
    memory = 10**6
    panels = choose_panels(kernels["spgemm"], sizes, memory)
    assert [start for start, _ in panels[1:]] == [stop for _, stop in panels[:-1]]
    assert (panels[0][0], panels[-1][1]) == (0, 1000)
    assert all(checked_bytes(kernels["spgemm"], (b - a) * 8000) <= memory for a, b in panels)


@pytest.mark.parametrize(("name", "memory"), [("spmmh", 10**6), ("spgemm", 10**4), ("spgemm", -1)])
def test_what_cannot_be_cut_or_not_far_enough_is_too_large(kernels, name, memory):
    with pytest.raises(TooLargeError, match=r"needs 0\.1 GiB of memory for its output"):
        choose_panels(kernels[name], {"i": 1000, "j": 1000, "k": 5}, memory)


def product(value_type="f64", factor=""):
    """The entry of a matrix product."""
    levels = {"levels": ["dense", "compressed"], "order": [0, 1], "value_type": value_type}
    return {
        "name": "square",
        "description": "a product",
        "expression": f"A[i,j] = {factor}B[i,k] * C[k,j]",
        "formats": {"A": {"levels": ["dense", "dense"], "value_type": value_type}, "B": levels,
                    "C": {**levels, "order": [1, 0]}},
    }  # fmt: skip


ORACLE = """
from splyce_bench.measure.oracle import main
before = peak()
main()
print(peak() - before)
"""


@pytest.mark.parametrize(
    ("density_pct", "value_type", "factor"),
    [(0.05, "f64", ""), (3.0, "f64", ""), (1.0, "f32", ""), (0.05, "f64", "2 * ")],
    ids=["few products", "all, as a sparse matrix first", "4 bytes checked in 8", "joined"],
)
def test_the_oracle_takes_no_more_memory_than_is_counted(
    tmp_path, print_bytes, density_pct, value_type, factor
):
    entry = product(value_type, factor)
    kernel = make_kernel("square", entry, "square")
    size = 4000
    make_operands(kernel, tmp_path / "in", {"i": size, "j": size, "k": size}, density_pct)
    arguments = ["--kernel", json.dumps(entry), "--rows", "0", str(size)]
    arguments += ["--input", str(tmp_path / "in"), "--out", str(tmp_path / "out")]
    found = print_bytes(ORACLE, *arguments)
    counted = checked_bytes(kernel, output_bytes(kernel, {"i": size, "j": size}))
    outputs = OUTPUTS * output_bytes(kernel, {"i": size, "j": size})
    # Modules, blocks of the bound, and what the allocator keeps.
    assert found < counted - outputs + 64 * 2**20


def test_no_rows_are_one_panel(kernels):
    assert choose_panels(kernels["spgemm"], {"i": 0, "j": 5, "k": 5}, 100) == [(0, 0)]


def measure(task, monkeypatch, rows):
    """Measure with just enough memory for some rows of the output."""
    kernel = make_kernel("dot", ENTRY, "dot")
    stored = sum(open_tensor(task.input / a.tensor).nbytes for a in kernel.operands)
    memory = stored + checked_bytes(kernel, rows * 8)
    monkeypatch.setattr(cells_module, "usable_memory", lambda: memory)
    record = Group(task, lambda line: None).measure()
    json.dumps(record, allow_nan=False)
    return record


def test_a_group_in_panels_is_checked_in_every_one(group_of, monkeypatch):
    record = measure(group_of({"baseline": "", "other": ""}), monkeypatch, rows=16)
    assert all_measured(record)
    assert record["panels"] == record["loaded"]["panels"] == 3
    assert record["loaded"]["output_bytes"] == 16 * 8
    assert all(check["same_bits"] for check in record["checks"].values())
    whole = measure(group_of({"baseline": "", "other": ""}), monkeypatch, rows=40)
    assert whole["panels"] == 1


def test_an_error_in_one_panel_fails_the_cell(group_of, monkeypatch):
    """Of the calls on 16, 16 and 8 rows, the last one is wrong."""
    lines = {"baseline": "", "bad": "if (rows == 8) y[3] += 1e-3;"}
    record = measure(group_of(lines), monkeypatch, rows=16)
    assert "wrong result: 1 of 8 elements" in record["cells"]["bad"]["reason"]
    assert record["cells"]["baseline"]["outcome"] == "measured"


def test_a_crash_while_panels_are_sampled_starts_them_afresh(group_of, monkeypatch):
    lines = {"baseline": "", "bad": "static int n; if (++n > 5) abort();"}
    record = measure(group_of(lines), monkeypatch, rows=16)
    assert record["cells"]["bad"]["reason"] == "crashed with SIGABRT"
    assert record["cells"]["baseline"]["outcome"] == "measured"
    assert {s["attempt"] for s in record["samples"]} == {1}


def test_bits_that_differ_in_an_early_panel_are_told(group_of, monkeypatch):
    lines = {"baseline": "", "other": "if (rows == 16) y[0] *= 1 + 1e-16 * 3;"}
    record = measure(group_of(lines), monkeypatch, rows=16)
    assert all_measured(record)
    assert not record["checks"]["other"]["same_bits"]
    assert record["checks"]["other"]["checksum"] != record["checks"]["baseline"]["checksum"]


def test_what_does_not_fit_is_too_large_and_nothing_is_run(group_of, monkeypatch):
    record = measure(group_of({"baseline": ""}), monkeypatch, rows=0)
    assert record["cells"]["baseline"]["outcome"] == "too_large"
    assert "GiB of memory for its output" in record["cells"]["baseline"]["reason"]
    assert record["samples"] == []


def test_one_check_for_all_panels():
    one = {"ok": True, "worst": 0.5, "same_bits": False, "checksum": "a"}
    two = {"ok": True, "worst": 0.1, "same_bits": True, "checksum": "b"}
    found = over_panels({0: one, 1: two})
    assert (found["worst"], found["same_bits"]) == (0.5, False)
    assert over_panels({0: one}) == one
    assert over_panels({0: one, 1: {**two, "worst": None}})["worst"] is None


def test_zeros_of_an_expected_result_take_no_disk(tmp_path, monkeypatch):
    """luxembourg_osm has 1.3 x 10^10 elements of output, nearly all of them zeros."""
    entry, size = product(), 3000
    kernel = make_kernel("square", entry, "square")
    operands = make_operands(kernel, tmp_path / "in", {"i": size, "j": size, "k": 30}, 0.1)
    arguments = ["oracle", "--kernel", json.dumps(entry), "--rows", "0", str(size)]
    arguments += ["--input", str(tmp_path / "in"), "--out", str(tmp_path / "out")]
    monkeypatch.setattr(sys, "argv", arguments)
    monkeypatch.setattr(oracle, "die_with_parent", lambda: None)
    oracle.main()
    for name, values in zip(("expected", "bound"), expected_result(kernel, operands), strict=True):
        path = tmp_path / "out" / f"{name}.npy"
        np.testing.assert_array_equal(np.load(path), values)
        assert np.count_nonzero(values) > 0
        assert path.stat().st_blocks * 512 < 0.1 * path.stat().st_size

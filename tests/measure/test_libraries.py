"""Libraries measured apart: what is installed, what is not, and what they are not asked for."""

import numpy as np
import pytest
from conftest import ENTRY

from splyce_bench.files import write_json
from splyce_bench.inputs.storage import open_tensor
from splyce_bench.kernels.catalog import load_kernels, make_kernel
from splyce_bench.measure.check import compare
from splyce_bench.measure.group import Group
from splyce_bench.measure.key import group_key
from splyce_bench.measure.libraries import PACKAGES, library_state, why_not_called
from splyce_bench.measure.library_calls import dense_result, make_library_call
from splyce_bench.measure.oracle import expected_result
from splyce_bench.measure.store import all_measured

SPMSPV = {**ENTRY, "name": "spmspv"}
ABSENT = {"library": "mkl", "versions": ""}
NOT_INSTALLED = "sparse_dot_mkl is not installed (pip install sparse_dot_mkl mkl)"


def measure(task):
    lines = []
    return Group(task, lines.append).measure(), lines


@pytest.fixture
def installed():
    def state(name):
        found = library_state(name)
        if not found["versions"]:
            pytest.skip(f"{PACKAGES[name][0]} is not installed")
        return found

    return state


@pytest.mark.parametrize("name", PACKAGES)
def test_a_library_has_samples_of_its_own(group_of, installed, name):
    libraries = {name: installed(name)}
    record, lines = measure(group_of({"baseline": ""}, kernel=SPMSPV, libraries=libraries))
    assert record["cells"][name] == {"outcome": "measured", "reason": ""}
    mine = [s for s in record["samples"] if s["pipeline"] == name]
    assert len(mine) >= 6
    assert all(s["apart"] and s["kernel_ns"] > 0 for s in mine)
    assert [s["repetition"] for s in mine] == list(range(len(mine)))
    assert record["apart"][name]["check"]["ok"]
    assert name not in record["compiled"]
    assert f"{name}: measured apart" in lines


@pytest.mark.parametrize("kernel", ["spgemm", "spmspv"])
@pytest.mark.parametrize("name", PACKAGES)
def test_a_product_of_a_library_is_the_kernels(root, tmp_path, installed, name, kernel):
    from test_panels import make_operands

    installed(name)
    made = load_kernels(root / "config" / "kernels.yaml")[kernel]
    sizes = {"i": 13, "j": 17, "k": 40}
    operands = make_operands(made, tmp_path / "in", sizes, 20.0)
    product = make_library_call(name, kernel, operands)()
    expected, bound = expected_result(made, operands)
    assert compare(dense_result(name, product, expected.shape), expected, bound)["ok"]


def test_a_library_that_is_not_installed_is_not_available(group_of):
    task = group_of({"baseline": ""}, kernel=SPMSPV, libraries={"mkl": ABSENT})
    record, _ = measure(task)
    assert record["cells"]["mkl"] == {"outcome": "not_available", "reason": NOT_INSTALLED}
    assert record["cells"]["baseline"]["outcome"] == "measured"
    assert all_measured(record), "its absence is in the key"
    later = {"library": "mkl", "versions": "sparse_dot_mkl 1"}
    same = group_of({"baseline": ""}, kernel=SPMSPV, libraries={"mkl": later})
    assert group_key(task) != group_key(same)


def test_a_package_that_does_not_load_says_why(group_of):
    state = {"library": "mkl", "versions": "sparse_dot_mkl 1"}
    if library_state("mkl")["versions"]:
        pytest.skip("sparse_dot_mkl is installed")
    record, _ = measure(group_of({"baseline": ""}, kernel=SPMSPV, libraries={"mkl": state}))
    assert record["cells"]["mkl"]["outcome"] == "not_available"
    assert "No module named 'sparse_dot_mkl'" in record["cells"]["mkl"]["reason"]


def test_a_wrong_product_fails(group_of, tmp_path, dot_input):
    """The library reads other values than the oracle did."""
    from splyce_bench.measure.apart import measure_apart

    task = group_of({"baseline": ""}, kernel=SPMSPV, libraries={"scipy": library_state("scipy")})
    operands = {name: open_tensor(dot_input / name) for name in ("B", "x")}
    made = make_kernel("spmspv", SPMSPV, "t")
    expected, bound = expected_result(made, operands)
    (task.scratch / "oracle").mkdir()
    np.save(task.scratch / "oracle" / "expected.npy", expected + 1)
    np.save(task.scratch / "oracle" / "bound.npy", bound)
    found = measure_apart(task, "scipy", [0])
    assert found.outcome == "failed"
    assert "wrong result: 40 of 40" in found.reason
    assert found.samples == []


def test_without_an_input_a_library_shares_the_fate_of_the_others(group_of, tmp_path):
    folder = tmp_path / "absent"
    write_json(folder / "meta.json", {"outcome": "absent", "reason": "no connection"})
    record, _ = measure(group_of({"baseline": ""}, input=folder, libraries={"mkl": ABSENT}))
    assert record["cells"]["mkl"] == {"outcome": "absent", "reason": "no connection"}


def test_what_a_library_is_not_asked_for(root):
    kernels = load_kernels(root / "config" / "kernels.yaml")
    state = {"library": "scipy", "versions": "scipy 1"}
    assert why_not_called(state, kernels["spgemm"], 1) == ""
    three = "scipy has no call for spmttkrp, only products of two operands"
    assert why_not_called(state, kernels["spmttkrp"], 1) == three
    assert "in 3 panels of rows" in why_not_called(state, kernels["spgemm"], 3)
    other = {**SPMSPV, "formats": {"B": "dcsr", "x": "sparse_vector"}}
    told = why_not_called(state, make_kernel("spmspv", other, "t"), 1)
    assert "written for the expression and formats" in told

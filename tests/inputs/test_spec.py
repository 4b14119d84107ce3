"""The inputs that experiments ask for, and what is known of them before anything is fetched."""

import json
import re

import pytest

from splyce_bench.configuration import load_yaml, merged
from splyce_bench.errors import UserError
from splyce_bench.files import read_json
from splyce_bench.inputs import spec as spec_module
from splyce_bench.inputs.recipe import build_input
from splyce_bench.inputs.spec import make_inputs
from splyce_bench.kernels.catalog import load_kernels

# No cluster: inputs are made where they are planned.
HERE = {"memory_gib": None}
COLUMNS = ("group", "name", "rows", "cols", "stored", "kernel", "pairing")


@pytest.fixture(scope="module")
def kernels(root):
    return load_kernels(root / "config" / "kernels.yaml")


@pytest.fixture
def listed(kernels, root, tmp_path):
    """Expand a list of lines for a kernel."""

    def expand(kernel, *lines, pairing=None):
        path = tmp_path / "mine.tsv"
        path.write_text("".join("\t".join(map(str, line)) + "\n" for line in (COLUMNS, *lines)))
        config = load_yaml(root / "config" / "default.yaml")
        config = merged(config, {"matrices": {"sweep": str(path)}})
        group = {"inputs": {"list": "sweep"}, **({"pairing": pairing} if pairing else {})}
        return list(make_inputs(group, kernels[kernel], config, "x.yaml: groups.0"))

    return expand


def test_a_line_may_be_for_one_kernel_with_a_pairing_of_its_own(listed):
    lines = [
        ("G", "a", 30, 30, 50, "", ""),
        ("G", "b", 30, 30, 50, "spmspv", ""),
        ("G", "c", 30, 40, 50, "spgemm", "B=matrix C=5 j=7"),
    ]
    found = listed("spgemm", *lines)
    assert [input.label["matrix"] for input in found] == ["G/a", "G/c"]
    assert found[1].recipe["operands"]["C"]["recipe"]["shape"] == ["cols", 7]


def test_another_pairing_is_another_input(listed):
    line = ("G", "a", 30, 30, 50, "", "")
    [one] = listed("spgemm", line)
    [two] = listed("spgemm", line, pairing={"B": "matrix", "C": 5, "j": 30})
    assert one.id != two.id


def test_a_matrix_that_is_not_square_wants_a_pairing_of_its_own(listed):
    with pytest.raises(UserError, match=r"mine.tsv: G/a: spgemm: index 'k' has size 40 in B"):
        listed("spgemm", ("G", "a", 30, 40, 50, "", ""))


def test_a_built_in_member_of_a_list_is_made_and_not_fetched(listed):
    [input] = listed("spgemm", ("JGD_Trefethen", "Trefethen_300", 300, 300, 4678, "", ""))
    assert input.recipe["operands"]["B"]["recipe"]["source"] == "builtin"


@pytest.mark.parametrize(
    ("kernel", "size", "reason"),
    [
        ("spgemm", (9000, 9000, 10**7), r"needs 0\.3 GiB of memory for its operands, has 0\.1 GiB"),
        ("spmmh", (9000, 9000, 1000), r"needs 0\.6 GiB of memory for its operands, has 0\.1 GiB"),
    ],
)
def test_too_large_is_known_before_it_is_fetched(
    listed, monkeypatch, tmp_path, kernel, size, reason
):
    monkeypatch.setattr(spec_module, "usable_memory", lambda: 2**27)
    pairing = {"B": "matrix", "D": "matrix"} if kernel == "spmmh" else None
    [input] = listed(kernel, ("G", "a", *size, "", ""), pairing=pairing)
    build_input(json.loads(json.dumps(input.recipe)), tmp_path / "in")
    found = read_json(tmp_path / "in" / "meta.json")
    assert found["outcome"] == "too_large"
    assert re.search(reason, found["reason"])
    assert found["operands"] == {}


def test_an_output_that_only_panels_can_hold_is_asked_for(listed, monkeypatch):
    line = ("G", "a", 9000, 9000, 1000, "", "")
    monkeypatch.setattr(spec_module, "usable_memory", lambda: 2**27)
    [spgemm] = listed("spgemm", line)
    assert "too_large" not in spgemm.recipe


@pytest.fixture
def tensors(kernels, tmp_path):
    """Make the input of a kernel from files: name -> text, the first one is the matrix."""

    def make(kernel, pairing, **files):
        paths = {}
        for name, text in files.items():
            path = tmp_path / name.replace("_", ".")
            path.write_text(text)
            paths[name] = str(path)
        roles = {name: paths.get(role, role) for name, role in pairing.items()}
        group = {"inputs": {"matrices": [next(iter(paths.values()))]}, "pairing": roles}
        [input] = make_inputs(
            group,
            kernels[kernel],
            {"seed": 1, "slurm": {"memory_gib": None}},
            "mine.yaml: groups.0",
        )
        build_input(json.loads(json.dumps(input.recipe, sort_keys=True)), tmp_path / "in")
        return read_json(tmp_path / "in" / "meta.json")["operands"]

    return make


RANK3 = "1 1 1 1.0\n2 3 4 2.0\n1 2 4 3.0\n"
DENSE = "%%MatrixMarket matrix array real general\n"


def test_a_tensor_file_gives_its_partners_their_sizes(tensors):
    made = tensors("spmttkrp", {"B": "matrix", "C": 50, "D": "density", "j": "k"}, t_tns=RANK3)
    shapes = {name: meta["shape"] for name, meta in made.items()}
    assert shapes == {"B": [2, 3, 4], "C": [4, 3], "D": [3, 3]}
    assert made["B"]["stored"] == 3
    assert made["D"]["density_pct"] == pytest.approx(12.5, abs=3)


def test_partners_follow_the_matrix_and_not_the_first_file(tensors):
    pairing = {"C": "matrix", "B": "t_tns"}
    made = tensors("spttspm", pairing, c_mtx=DENSE + "4 1\n1\n2\n0\n4\n", t_tns=RANK3)
    assert made["B"]["shape"] == [2, 3, 4]
    assert made["C"]["shape"] == [4, 1]


@pytest.mark.parametrize(
    ("pairing", "files", "expected"),
    [
        (
            {"B": "matrix", "C": "c_mtx"},
            {"t_tns": RANK3, "c_mtx": DENSE + "3 1\n1\n2\n3\n"},
            r"index 'k' has size 4 in B\[i,j,k\] of .*t\.tns but 3 in C\[k,r\] of .*c\.mtx; giv",
        ),
        (
            {"B": "matrix", "C": 50, "r": 2},
            {"t_tns": "1 1 1.0\n2 2 1.0\n"},
            r"t\.tns: it has 2 dimensions, and operand B of the kernel has 3; give it to another",
        ),
    ],
)
def test_files_that_do_not_fit_are_one_message(tensors, pairing, files, expected):
    with pytest.raises(UserError, match=expected):
        tensors("spttspm", pairing, **files)


def test_without_sizes_a_kernel_has_no_synthetic_input(kernels):
    config = {"sizes": {"spgemm": {"i": 5, "j": 5}}, "seed": 1, "slurm": HERE}
    with pytest.raises(UserError, match=r"sizes\.spgemm: no size for index 'k'"):
        list(make_inputs({"inputs": {"density_pct": [5]}}, kernels["spgemm"], config, "here"))


def test_skewed_inputs_leave_vectors_and_dense_operands_uniform(kernels):
    config = {"sizes": {"spmspv": {"i": 5, "j": 50}}, "seed": 1, "slurm": HERE}
    group = {"inputs": {"density_pct": [5], "distributions": ["uniform", "power_law"]}}
    plain, skewed = make_inputs(group, kernels["spmspv"], config, "here")
    assert (plain.id, skewed.id) == ("d5", "d5-power_law")
    assert skewed.label["label"] == "5 %, power law rows"
    operands = skewed.recipe["operands"]
    assert operands["B"]["recipe"]["distribution"] == "power_law"
    assert "distribution" not in operands["x"]["recipe"]
    assert "distribution" not in plain.recipe["operands"]["B"]["recipe"]

"""Storage formats and the synthetic generator."""

import math
import re
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from splyce_bench.errors import UserError
from splyce_bench.files import read_json
from splyce_bench.formats import NAMED_FORMATS, TensorFormat
from splyce_bench.inputs.builtin import BUILTIN
from splyce_bench.inputs.convert import from_coo
from splyce_bench.inputs.names import BUILTIN_NAMES
from splyce_bench.inputs.needs import input_bytes
from splyce_bench.inputs.recipe import build_input
from splyce_bench.inputs.storage import open_tensor, to_coo, write_tensor
from splyce_bench.inputs.synthetic import write_synthetic

TENSOR = TensorFormat(("dense", "compressed", "compressed"), (0, 1, 2))


@st.composite
def stored_tensors(draw):
    rank = draw(st.integers(1, 3))
    kinds = st.sampled_from(["dense", "compressed"])
    levels = tuple(draw(st.lists(kinds, min_size=rank - 1, max_size=rank - 1))) + ("compressed",)
    order = tuple(draw(st.permutations(range(rank))))
    bits = draw(st.sampled_from([8, 16, 32, 64]))
    shape = tuple(draw(st.lists(st.integers(1, 6), min_size=rank, max_size=rank)))
    cells = math.prod(shape)
    chosen = draw(st.lists(st.integers(0, cells - 1), unique=True))
    values = draw(st.lists(st.floats(0.5, 2), min_size=len(chosen), max_size=len(chosen)))
    coordinates = np.array(np.unravel_index(np.array(chosen, int), shape), np.int64)
    return coordinates, np.array(values), shape, TensorFormat(levels, order, bits, bits)


@settings(max_examples=200, deadline=None)
@given(stored_tensors())
def test_what_is_stored_comes_back(tmp_path_factory, case):
    coordinates, values, shape, format = case
    folder = tmp_path_factory.mktemp("tensor") / "t"
    write_tensor(from_coo(coordinates, values, shape, format), folder)
    found, back = to_coo(open_tensor(folder))
    expected = np.zeros(shape)
    expected[tuple(coordinates)] = values
    full = np.zeros(shape)
    full[tuple(found)] = back
    np.testing.assert_array_equal(full, expected)
    assert back.size == values.size


@pytest.mark.parametrize(
    ("bits", "size", "fits"), [(8, 256, True), (8, 257, False), (16, 70_000, False)]
)
def test_coordinates_too_narrow_for_the_data_are_refused(bits, size, fits):
    format = TensorFormat(("dense", "compressed"), (0, 1), bits)
    place = np.array([[0], [size - 1]])
    if fits:
        assert from_coo(place, np.ones(1), (1, size), format).coordinates[1][0] == size - 1
        return
    with pytest.raises(UserError, match=f"{bits}-bit coordinates cannot hold {size - 1}"):
        from_coo(place, np.ones(1), (1, size), format)


def test_positions_too_narrow_for_the_data_are_refused():
    format = TensorFormat(("compressed",), (0,), 64, 8)
    with pytest.raises(UserError, match="8-bit positions cannot hold 300"):
        from_coo(np.arange(300)[None], np.ones(300), (300,), format)


def test_a_dense_level_below_a_compressed_one_is_refused(tmp_path):
    format = TensorFormat(("compressed", "dense"), (0, 1))
    with pytest.raises(UserError, match="m.mtx: inputs need a compressed innermost level"):
        from_coo(np.zeros((2, 1), np.int64), np.ones(1), (2, 2), format, where="m.mtx")
    with pytest.raises(UserError, match="need a compressed innermost level"):
        synthetic(tmp_path, (2, 2), format, 50.0)


@pytest.mark.parametrize("sizes", [(40, 30, 20), (1 << 40, 1 << 40, 1 << 40)])
def test_duplicates_are_summed_in_file_order_on_both_routes(sizes):
    """The sums depend on the order of addition; too many cells for one integer change nothing."""
    source = np.random.Generator(np.random.PCG64(5))
    coordinates = source.integers(0, 6, (3, 2000))
    values = 10.0 ** source.integers(-8, 8, 2000) * source.choice([-1, 1], 2000)
    tensor = from_coo(coordinates, values, sizes, NAMED_FORMATS["csf"], "keep")
    found, sums = to_coo(tensor)
    order = np.lexsort(coordinates[::-1])
    unique, starts = np.unique(coordinates[:, order], axis=1, return_index=True)
    np.testing.assert_array_equal(found, unique)
    np.testing.assert_array_equal(sums, np.add.reduceat(values[order], starts))
    assert tensor.meta["duplicates_summed"] == 2000 - sums.size


def synthetic(tmp_path, shape, format, density, chunk=1 << 21, seed=3):
    folder = tmp_path / f"{density}-{chunk}-{seed}"
    folder.mkdir(exist_ok=True)
    write_synthetic(folder, shape, format, density, seed, largest_chunk=chunk)
    return open_tensor(folder)


@pytest.mark.parametrize(
    ("shape", "format"),
    [
        ((200, 300), NAMED_FORMATS["csr"]),
        ((200, 300), NAMED_FORMATS["csc"]),
        ((60_000,), NAMED_FORMATS["sparse_vector"]),
        ((30, 40, 50), TENSOR),
        ((200, 300), NAMED_FORMATS["dcsr"]),
        ((30, 40, 50), NAMED_FORMATS["csf"]),
    ],
)
@pytest.mark.parametrize("density", [0.01, 1.0, 30.0, 100.0])
def test_synthetic_tensors_are_sorted_unique_and_as_dense_as_asked(
    tmp_path, shape, format, density
):
    tensor = synthetic(tmp_path, shape, format, density)
    coordinates, values = to_coo(tensor)
    linear = np.ravel_multi_index(
        tuple(coordinates[d] for d in format.order), format.level_shape(shape)
    )
    assert np.all(np.diff(linear) > 0)
    cells, p = math.prod(shape), density / 100
    assert abs(values.size - cells * p) <= 6 * math.sqrt(cells * p * (1 - p)) + 1e-9
    assert values.min(initial=0.5) >= 0.5
    assert values.max(initial=2.5) <= 2.5


def test_the_bytes_do_not_depend_on_the_chunk(tmp_path):
    shape, format = (30, 40, 50), TENSOR
    sums = [
        synthetic(tmp_path, shape, format, 10.0, chunk).meta["sha256"] for chunk in (1, 7, 1 << 21)
    ]
    assert sums[0] == sums[1] == sums[2]
    assert synthetic(tmp_path, shape, format, 10.0, seed=4).meta["sha256"] != sums[0]


def test_where_a_synthetic_element_lies_is_uniform(tmp_path):
    coordinates, _ = to_coo(synthetic(tmp_path, (100, 1000), NAMED_FORMATS["csr"], 20.0))
    counts = np.histogram(coordinates[1], bins=10, range=(0, 1000))[0]
    expected = coordinates.shape[1] / 10
    # Chi-square with 9 degrees of freedom exceeds 45 once in a million.
    assert ((counts - expected) ** 2 / expected).sum() < 45


def test_memory_is_bounded_by_the_chunk(tmp_path, print_bytes):
    code = (
        "from splyce_bench.formats import NAMED_FORMATS\n"
        "from splyce_bench.inputs.synthetic import write_synthetic\n"
        "def make(n, name):\n"
        f"    folder = Path({str(tmp_path)!r}) / name; folder.mkdir()\n"
        "    write_synthetic(folder, (100, n), NAMED_FORMATS['csr'], 50.0, 1, 'uniform', 1 << 16)\n"
        "make(1000, 'small'); before = peak(); make(100_000, 'large'); print(peak() - before)\n"
    )
    # Five million elements of 16 bytes are 80 MB; a chunk is 1 MB.
    assert print_bytes(code) < 16e6


def test_a_dense_operand(tmp_path):
    format = TensorFormat(("dense", "dense"), (0, 1))
    tensor = synthetic(tmp_path, (3, 4), format, 100.0)
    assert tensor.values.shape == (3, 4)


def test_sizes_are_known_before_anything_is_made(tmp_path):
    recipe = {"source": "synthetic", "shape": [500, 700], "density_pct": 20.0, "seed": 1}
    entry = {"recipe": recipe, "format": NAMED_FORMATS["csr"].to_json()}
    build_input({"operands": {"B": entry}}, tmp_path / "in")
    made = sum(path.stat().st_size for path in (tmp_path / "in" / "B").glob("*.npy"))
    assert input_bytes({"B": entry}) == pytest.approx(made, rel=0.02)


def test_an_input_that_does_not_fit_on_the_disk_is_too_large_with_figures(tmp_path):
    recipe = {"source": "synthetic", "shape": [10**8, 10**8], "density_pct": 50.0, "seed": 1}
    entry = {"recipe": recipe, "format": NAMED_FORMATS["csr"].to_json()}
    build_input({"operands": {"B": entry}}, tmp_path / "in")
    found = read_json(tmp_path / "in" / "meta.json")
    assert found["outcome"] == "too_large"
    assert re.search(r"needs \d+\.\d+ GiB of disk, has", found["reason"])
    assert [path.name for path in (tmp_path / "in").iterdir()] == ["meta.json"]


def test_a_disk_that_fills_leaves_nothing_behind(tmp_path):
    """A file size limit stands in for a full disk: the write fails half-way with an OSError."""
    code = (
        "import resource, signal, sys\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))\n"
        "sys.argv[0] = 'inputs'\n"
        "import runpy; runpy.run_module('splyce_bench.inputs', run_name='__main__')\n"
    )
    format = str(NAMED_FORMATS["csr"].to_json()).replace("'", '"').replace("(", "[")
    spec = (
        '{"operands": {"B": {"recipe": {"source": "synthetic", "shape": [500, 700], '
        f'"density_pct": 20.0, "seed": 1}}, "format": {format.replace(")", "]")}}}}}}}'
    )
    result = subprocess.run(
        [sys.executable, "-c", code, "--spec", spec, "--out", str(tmp_path / "in")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 1
    assert "File too large" in result.stderr
    assert "Traceback" not in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_builtin_matrices():
    assert set(BUILTIN) == set(BUILTIN_NAMES)
    coordinates, values, shape = BUILTIN["JGD_Trefethen/Trefethen_300"]()
    assert (values.size, shape) == (4678, (300, 300))
    diagonal = values[coordinates[0] == coordinates[1]]
    assert list(diagonal[:5]) == [2, 3, 5, 7, 11]
    assert diagonal[-1] == 1987
    coordinates, values, shape = BUILTIN["Mycielski/mycielskian11"]()
    assert (values.size, shape) == (134710, (1535, 1535))
    assert np.unique(coordinates[0] * 1535 + coordinates[1]).size == 134710


def test_meta_has_the_recipe_and_the_checksums(tmp_path):
    recipe = {"source": "builtin", "name": "JGD_Trefethen/Trefethen_300"}
    entry = {"recipe": recipe, "format": NAMED_FORMATS["csc"].to_json()}
    build_input({"operands": {"C": entry}}, tmp_path / "in")
    meta = read_json(tmp_path / "in" / "meta.json")["operands"]["C"]
    assert meta["recipe"] == recipe
    assert set(meta["sha256"]) == {"positions_1.npy", "coordinates_1.npy", "values.npy"}


@pytest.mark.parametrize("density", [-1.0, 150.0, math.nan])
def test_densities_outside_their_range_are_refused(tmp_path, density):
    with pytest.raises(UserError, match="density_pct must be at least 0"):
        synthetic(tmp_path, (5, 5), NAMED_FORMATS["csr"], density)


def test_positions_that_turn_out_too_narrow_are_refused(tmp_path):
    """250 elements are expected and 255 fit; this seed gives more."""
    format = TensorFormat(("compressed",), (0,), 64, 8)
    counts = {
        s: synthetic(tmp_path, (500,), NAMED_FORMATS["sparse_vector"], 50.0, seed=s)
        for s in range(20)
    }
    seed = next(s for s, tensor in counts.items() if tensor.values.size > 255)
    with pytest.raises(UserError, match="8-bit positions cannot hold"):
        synthetic(tmp_path, (500,), format, 50.0, seed=seed)


@pytest.mark.parametrize("name", ["values", "positions_1", "coordinates_1"])
def test_arrays_that_do_not_fit_together_are_refused(tmp_path, name):
    synthetic(tmp_path, (20, 30), NAMED_FORMATS["csr"], 20.0)
    (path,) = tmp_path.rglob(f"{name}.npy")
    np.save(path, np.load(path)[:-1])
    with pytest.raises(UserError, match="make it again"):
        open_tensor(path.parent)

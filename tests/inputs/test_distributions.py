"""Skewed synthetic tensors: density, order, and the shape of the skew."""

import numpy as np
import pytest

from splyce_bench.errors import UserError
from splyce_bench.formats import NAMED_FORMATS, TensorFormat
from splyce_bench.inputs.distributions import BLOCK, DISTRIBUTIONS, skewed_cells
from splyce_bench.inputs.recipe import build_input
from splyce_bench.inputs.storage import open_tensor, to_coo

NAMES = sorted(DISTRIBUTIONS)
CUBE = TensorFormat(("dense", "compressed", "compressed"), (0, 1, 2))


def cells(name, rows, columns, density, seed=1):
    chunks = list(skewed_cells(name, rows, columns, density, np.random.SeedSequence(seed)))
    return np.concatenate(chunks) if chunks else np.empty(0, np.int64)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(
    ("rows", "columns", "density"),
    [
        (400, 500, 0.05),
        (1000, 100_000, 0.0005),
        (2000, 3000, 0.3),
        (300, 300, 0.8),
        (37, 1003, 0.05),
        (100_000, 40, 0.01),
    ],
)
def test_as_dense_as_asked_sorted_and_unique(name, rows, columns, density):
    found = cells(name, rows, columns, density)
    wanted = rows * columns * density
    assert abs(found.size - wanted) < 5 * np.sqrt(wanted)
    assert (np.diff(found) > 0).all()
    assert 0 <= found[0] <= found[-1] < rows * columns


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("rows", "columns"), [(1, 1), (1, 50), (50, 1), (3, 17)])
def test_small_shapes(name, rows, columns):
    sizes = [cells(name, rows, columns, 0.3, seed).size for seed in range(400)]
    wanted = 0.3 * rows * columns
    assert np.mean(sizes) == pytest.approx(wanted, abs=5 * np.sqrt(wanted / 400))


@pytest.mark.parametrize("name", NAMES)
def test_a_seed_decides(name):
    assert np.array_equal(cells(name, 300, 200, 0.1, 5), cells(name, 300, 200, 0.1, 5))
    assert not np.array_equal(cells(name, 300, 200, 0.1, 5), cells(name, 300, 200, 0.1, 6))


def test_more_cells_than_a_chunk_of_arrivals():
    found = cells("power_law", 3000, 2000, 0.5)
    assert found.size > 1 << 21
    assert (np.diff(found) > 0).all()


def test_power_law_rows_are_skewed_as_said():
    lengths = np.bincount(cells("power_law", 1000, 20_000, 0.01) // 20_000, minlength=1000)
    assert lengths.max() / np.median(lengths) > 40
    top = np.sort(lengths)[::-1]
    assert np.log(top[0] / top[99]) / np.log(100) == pytest.approx(0.7, abs=0.05)


def test_a_band_keeps_to_the_diagonal():
    found = cells("banded", 500, 1000, 0.05)
    offset = found % 1000 - found // 1000 * 2
    assert np.abs(offset).max() <= 0.05 * 1000 * 2 + 2


def test_blocks_are_shared_by_the_rows_of_a_block():
    rows, columns = np.divmod(cells("blocks", 320, 3200, 0.05), 3200)
    blocks = np.unique(rows // BLOCK * (3200 // BLOCK) + columns // BLOCK)
    per_block = rows.size / blocks.size
    assert per_block == pytest.approx(BLOCK * BLOCK / 2, rel=0.05)


@pytest.mark.parametrize("name", NAMES)
def test_denser_than_a_skew_can_be_is_refused(name):
    with pytest.raises(UserError, match=r"cannot be as dense as 97%"):
        cells(name, 31, 31, 0.97)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("format", [NAMED_FORMATS["csr"], NAMED_FORMATS["csc"], CUBE])
def test_stored_in_every_format(name, format, tmp_path):
    shape = (20, 30, 40)[: format.rank]
    recipe = {"source": "synthetic", "shape": shape, "density_pct": 20.0, "seed": 1}
    operand = {"recipe": {**recipe, "distribution": name}, "format": format.to_json()}
    build_input({"operands": {"B": operand}}, tmp_path / "in")
    tensor = open_tensor(tmp_path / "in" / "B")
    coordinates, values = to_coo(tensor)
    assert coordinates.shape[1] == values.size > 0
    assert tensor.meta["generator"].startswith(name)
    assert len(set(map(tuple, coordinates.T))) == values.size

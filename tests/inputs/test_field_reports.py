"""Files that went wrong for others: each `.expect.md` says ACCEPT with figures, or REFUSE.

The files belong to the developers' shared folder; without it these tests skip, and the files of
`data/` show the same defects.
"""

import re

import numpy as np
import pytest

from splyce_bench.errors import UserError
from splyce_bench.formats import NAMED_FORMATS
from splyce_bench.inputs.readers import READERS, read_tensor
from splyce_bench.inputs.recipe import build_input
from splyce_bench.inputs.storage import open_tensor


def build(path, folder, format):
    recipe = {"source": "file", "path": str(path), "explicit_zeros": "keep"}
    build_input({"operands": {"B": {"recipe": recipe, "format": format.to_json()}}}, folder)
    return open_tensor(folder / "B")


def check_accepted(path, expected, tensor):
    if shape := re.search(r"(?:shape|dims|dims inferred) (\d[\dx ]*\d)", expected):
        assert tensor.shape == tuple(map(int, shape.group(1).split("x"))), path.name
    if stored := re.search(
        r"(\d+) (?:stored entries after|stored after|entries,|stored entries,)", expected
    ):
        assert tensor.meta["stored"] == int(stored.group(1)), path.name
    if total := re.search(r"\bsum (-?[\d.]+\d)", expected):
        assert np.sum(tensor.values) == pytest.approx(float(total.group(1))), path.name


def test_every_file(shared, tmp_path):
    files = [p for p in sorted((shared / "field" / "inputs").iterdir()) if p.suffix in READERS]
    assert files
    for path in files:
        expected = path.with_name(f"{path.name}.expect.md").read_text(encoding="utf-8")
        if expected.startswith("REFUSE"):
            line = re.search(r"line (\d+)", expected)
            with pytest.raises(UserError, match=path.name) as error:
                read_tensor(path)
            assert line, path.name
            assert re.search(rf":{line.group(1)}:|line {line.group(1)}", str(error.value)), (
                path.name
            )
            continue
        rank = len(read_tensor(path).shape)
        format = NAMED_FORMATS["dcsr" if rank == 2 else "csf"]
        tensor = build(path, tmp_path / path.name, format)
        if path.name.startswith("b"):
            check_accepted(path, expected, tensor)


def test_what_a_reader_must_not_lose(shared, tmp_path):
    """Area G: signed zeros, Inf, NaN and denormals arrive with their bits."""
    folder = shared / "field" / "inputs"
    zero = build(folder / "g01_signed_zero_product.mtx", tmp_path / "1", NAMED_FORMATS["csr"])
    assert [np.signbit(v) for v in zero.values if v == 0] == [True, False]
    special = build(folder / "g02_inf_in_unmatched_lane.mtx", tmp_path / "2", NAMED_FORMATS["csr"])
    assert (special.meta["infinite"], special.meta["nan"]) == (3, 1)
    tiny = build(folder / "g06_denormal.mtx", tmp_path / "3", NAMED_FORMATS["csr"])
    assert (tiny.meta["denormal"], tiny.values[2]) == (2, 5e-324)
    empty = build(folder / "g07_empty_operand.mtx", tmp_path / "4", NAMED_FORMATS["csr"])
    assert list(empty.positions[1]) == [0, 2, 2]
    ordered = build(folder / "g08_unsorted_row.mtx", tmp_path / "5", NAMED_FORMATS["csr"])
    assert list(ordered.coordinates[1][:3]) == [1, 4, 8]

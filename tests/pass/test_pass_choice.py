"""Which lane `auto` takes for rows that are visited by coordinates, as in SpMTTKRP."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from counting import count
from fuzz_cases import TEMPLATES, Case
from fuzz_data import Array, Problem, Stored

ROWS, TENSOR_ROWS, RUN = 240, 3, 4

Rows = Callable[[np.random.Generator], list[Array]]


def _uniform(length: int) -> Rows:
    def draw_rows(draw: np.random.Generator) -> list[Array]:
        return [np.sort(draw.choice(ROWS, length, replace=False)) for _ in range(ROWS)]

    return draw_rows


def _arrowhead(draw: np.random.Generator) -> list[Array]:
    """Four elements a row, one of them in the last column."""
    return [
        np.append(np.sort(draw.choice(ROWS - 1, 3, replace=False)), ROWS - 1) for _ in range(ROWS)
    ]


def _banded(_: np.random.Generator) -> list[Array]:
    return [np.arange(row, min(row + 4, ROWS)) for row in range(ROWS)]


def _store(levels: list[list[Array]], shape: tuple[int, ...]) -> Stored:
    arrays: list[Array] = []
    for segments in levels:
        arrays += [np.cumsum([0, *map(len, segments)]), np.concatenate(segments)]
    arrays = [array.astype("u8") for array in arrays]
    return Stored([*arrays, np.ones(len(arrays[-1]))], shape, np.empty(0), np.empty(0))


def _problem(rows: Rows) -> Problem:
    """A tensor of which each fibre visits some rows of C, and C and D of the same kind."""
    draw = np.random.default_rng(1)
    runs = [np.sort(draw.choice(ROWS, RUN, replace=False)) for _ in range(TENSOR_ROWS * ROWS)]
    fibres = [np.arange(ROWS) for _ in range(TENSOR_ROWS)]
    tensor = _store([fibres, runs], (TENSOR_ROWS, ROWS, ROWS))
    matrices = [_store([rows(draw)], (ROWS, ROWS)) for _ in range(2)]
    return Problem([tensor, *matrices], np.zeros((TENSOR_ROWS, ROWS)))


@pytest.mark.parametrize(
    ("rows", "lane"),
    [
        pytest.param(_uniform(4), "workspace", id="short, overlapping, hardly a match"),
        pytest.param(_uniform(ROWS // 2), "workspace", id="long, all match"),
        pytest.param(_arrowhead, "masked", id="a match as likely as not"),
        pytest.param(_banded, "masked", id="hardly any overlap"),
    ],
)
def test_auto_knows_pairs_by_samples(
    rows: Rows, lane: str, tmp_path: Path, toolchain: dict[str, Any], pass_dir: Path
) -> None:
    template = next(t for t in TEMPLATES if t.name == "mttkrp")
    case = Case(
        "choice", template, "f64", (64, 64, 64), False, 8, "auto", (), "auto", "source", seed=0
    )
    whole, rest, matches = count(case, _problem(rows), tmp_path, toolchain, pass_dir)
    # Masked vectors count as the rest, and rows have less than a whole one where it is masked.
    assert (whole > 0, rest > 0) == (lane == "workspace", lane == "masked")
    assert matches > 0

"""How much there is to do in a group: coiteration steps and bytes, from sizes alone.

The same numbers come from a group that is planned and from the record of one that was measured,
so that what was measured corrects what is planned.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from splyce_bench.compile.pipelines import Pipeline
from splyce_bench.experiments import GroupSpec
from splyce_bench.formats import TensorFormat
from splyce_bench.inputs.needs import input_bytes
from splyce_bench.inputs.pairing import resolve
from splyce_bench.kernels.catalog import Kernel
from splyce_bench.kernels.notation import Access
from splyce_bench.measure.libraries import library_state, why_not_called
from splyce_bench.measure.memory import output_bytes

Sizes = dict[str, int]

# A merge ends where one fiber does, and the elements of real matrices cluster: over the paper's
# sweeps (130 matrices with spgemm, 60 with spmttkrp) 0.10 and 0.05 of the time that uniform
# elements would take, at the same nanoseconds a step.
MATRIX_SHARE = 0.1


@dataclass(frozen=True)
class Work:
    """A group: steps of one call, bytes, and how many pipelines run which kind of loop.

    `scalar` counts the sparsifier's own loops, the A/A control among them; references by hand are
    counted with the transformed ones, and as `libraries` those that are called. `real` tells a
    matrix from synthetic operands.
    """

    kernel: str
    real: bool
    steps: float
    stored: int
    operand_bytes: int
    output_bytes: int
    scalar: int
    vectorized: int
    cores: int
    # Not in the history of a cache from before it was counted.
    libraries: int = 0


def work_of_group(
    group: GroupSpec, kernel: Kernel, pipelines: Mapping[str, Pipeline]
) -> Work | None:
    """Return the work of a planned group; None when its size is known only from the input."""
    matrix = matrix_size(group)
    operands = group.input.recipe["operands"]
    if matrix is None:
        return None
    rows, cols, stored = matrix
    resolved = resolve(operands, {"rows": rows, "cols": cols}, 100.0 * stored / max(rows * cols, 1))
    shapes, counts = {}, {}
    for name, operand in resolved.items():
        recipe = operand["recipe"]
        synthetic = recipe["source"] == "synthetic"
        shapes[name] = tuple(recipe["shape"]) if synthetic else (rows, cols)
        share = recipe["density_pct"] / 100 if synthetic else 1.0
        counts[name] = int(math.prod(shapes[name]) * share) if synthetic else stored
    asked = [pipelines[name] for name in group.pipelines]
    compiled = [p for p in asked if not p.library]
    libraries = [library_state(p.library) for p in asked if p.library]
    called = [state for state in libraries if not why_not_called(state, kernel, panels=1)]
    vectorized = sum(bool(p.transform or p.source) for p in compiled)
    return _work(
        kernel,
        stored > 0,
        _index_sizes(kernel, shapes),
        counts,
        input_bytes(resolved, stored, (rows, cols)),
        (len(compiled) - vectorized + 1, vectorized, len(called)),
        group.cores,
    )


def matrix_size(group: GroupSpec) -> tuple[int, int, int] | None:
    """Return rows, columns and stored elements of a group's matrix; zeros without a matrix.

    None for a file whose header does not tell, and for several files.
    """
    member = group.input.member
    recipes = [operand["recipe"] for operand in group.input.recipe["operands"].values()]
    given = [recipe for recipe in recipes if recipe["source"] != "synthetic"]
    if any(recipe != given[0] for recipe in given):
        return None
    if member:
        return member.rows, member.cols, member.stored
    if not given:
        return 0, 0, 0
    if given[0]["source"] == "builtin":
        return _builtin_size(given[0]["name"])
    return _file_size(Path(given[0]["path"]))


def _builtin_size(name: str) -> tuple[int, int, int]:
    from splyce_bench.inputs.builtin import BUILTIN

    _, values, (rows, cols) = BUILTIN[name]()
    return rows, cols, int(values.size)


def _file_size(path: Path) -> tuple[int, int, int] | None:
    from splyce_bench.inputs.matrix_market_header import read_header
    from splyce_bench.inputs.names import file_suffix
    from splyce_bench.inputs.tensor_file import open_input, readable

    if file_suffix(path.name) != ".mtx":
        return None
    with readable(path), open_input(path) as file:
        header = read_header(file, path)
    twice = 1 if header.symmetry == "general" else 2
    return header.rows, header.columns, twice * header.entries


def work_of_record(record: Mapping[str, Any], kernels: Mapping[str, Kernel]) -> Work | None:
    """Return the work of a measured group; None where the catalog has no such kernel any more."""
    kernel = kernels.get(record["kernel"])
    operands = record["input"]["meta"].get("operands", {})
    if kernel is None or set(operands) != {access.tensor for access in kernel.operands}:
        return None
    shapes = {name: tuple(meta["shape"]) for name, meta in operands.items()}
    counts = {name: int(meta["stored"]) for name, meta in operands.items()}
    made = [entry["pipeline"] for entry in record["compiled"].values()]
    vectorized = sum(bool(p["transform"] or p.get("source")) for p in made)
    kinds = (len(made) - vectorized + 1, vectorized, len(record.get("apart", {})))
    size = int(record["loaded"].get("operand_bytes", 0))
    sizes = _index_sizes(kernel, shapes)
    real = record["input"]["matrix"] is not None
    return _work(kernel, real, sizes, counts, size, kinds, record["cores"])


def _work(
    kernel: Kernel,
    real: bool,
    sizes: Sizes,
    stored: Sizes,
    size: int,
    kinds: tuple[int, int, int],
    cores: int,
) -> Work:
    scalar, vectorized, libraries = kinds
    return Work(
        kernel.name,
        real,
        coiteration_steps(kernel, sizes, stored) * (MATRIX_SHARE if real else 1),
        sum(stored.values()),
        size,
        output_bytes(kernel, sizes),
        scalar,
        vectorized,
        cores,
        libraries,
    )


def _index_sizes(kernel: Kernel, shapes: Mapping[str, tuple[int, ...]]) -> Sizes:
    sizes: Sizes = {}
    for access in kernel.operands:
        sizes |= dict(zip(access.indices, shapes[access.tensor], strict=True))
    return sizes


def coiteration_steps(kernel: Kernel, sizes: Sizes, stored: Sizes) -> float:
    """Return how many stored elements the innermost loops of one call pass over.

    A fiber is passed once for each combination of the outer indices that it does not have, as far
    as the other sparse operands store something there.
    """
    inner = kernel.loops[-1]
    total = 0.0
    for access in kernel.operands:
        if inner not in access.indices or kernel.formats[access.tensor].is_dense:
            continue
        free = [index for index in kernel.loops[:-1] if index not in access.indices]
        visits = math.prod(sizes[index] for index in free)
        others = [a for a in kernel.operands if a is not access]
        share = math.prod(_share(kernel, other, sizes, stored) for other in others)
        total += stored[access.tensor] * visits * share
    return total


def _share(kernel: Kernel, access: Access, sizes: Sizes, stored: Sizes) -> float:
    """Return the share of the outer iterations at which an operand stores a fiber or element."""
    format = kernel.formats[access.tensor]
    if format.is_dense or not _skips(format, kernel.loops[-1] in access.indices):
        return 1.0
    outer = [index for index in access.indices if index != kernel.loops[-1]]
    return min(1.0, stored[access.tensor] / max(1, math.prod(sizes[index] for index in outer)))


def _skips(format: TensorFormat, coiterated: bool) -> bool:
    """True when the outer loops run over stored coordinates only."""
    levels = format.levels[:-1] if coiterated else format.levels
    return "compressed" in levels

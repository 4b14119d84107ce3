"""Every lane, width, type and order of additions, on operands of every length."""

import itertools
from collections.abc import Iterator
from dataclasses import replace

from fuzz_cases import FP_ORDERS, LANES, PHASES, TEMPLATES, WIDTHS, Case, legal_intersects

# A sum along the segment, and a load and a store at the matched coordinate.
GRID_TEMPLATES = [t for t in TEMPLATES if t.name in ("spgemm", "hadamard")]
VALUE_TYPES = ("f64", "f32")
COORDINATE_BITS = (64, 32, 0, 16, 8)  # 0 is `index`
PHASE_SETS = [
    tuple(itertools.compress(PHASES, chosen)) for chosen in itertools.product((0, 1), repeat=3)
]
# A part is one module: what a lane is built with, where its width is an option.
PARTS = [
    f"{lane}-{width}"
    for lane in LANES
    for width in (WIDTHS if lane != "workspace" else WIDTHS[1:2])
]


def make_long() -> list[Case]:
    """Return the cases whose sums are more than a buffer takes, in every lane that has one."""
    cases = []
    for lane, width in (("masked", 4), ("masked", 8), ("auto", 8), ("workspace", 4)):
        for case in make_grid(f"{lane}-{width}"):
            keeps = case.fp_order == "source" and case.intersect in ("auto", "compare")
            if keeps and case.coordinate_bits[0] in (64, 16):
                name = f"{case.name}_{lane}{width}"
                cases.append(replace(case, name=name, long=True))
    return cases


def make_grid(part: str) -> list[Case]:
    """Return the cases of a part. Coordinates take turns where they are not told apart."""
    lane, width = part.split("-")
    cases = []
    for template, value_type, fp_order in itertools.product(GRID_TEMPLATES, VALUE_TYPES, FP_ORDERS):
        plain = Case(
            name="",
            template=template,
            value_type=value_type,
            coordinate_bits=(),
            subtract=False,
            width=int(width),
            lane=lane,
            phases=(),
            intersect="auto",
            fp_order=fp_order,
            seed=0,
            every_length=True,
        )
        cases += _variants(plain)
    return [_finish(case, number) for number, case in enumerate(cases)]


def make_jammed(width: int) -> list[Case]:
    """Return the cases of a width whose lanes are jammed, each beside the lane alone."""
    return [
        replace(case, jam=2, beside_unjammed=True)
        for case in make_grid(f"masked-{width}")
        if case.template.name == "spgemm" and case.fp_order != "source"
    ]


def _variants(case: Case) -> Iterator[Case]:
    """What a lane can be told apart from width, type and order."""
    if case.lane == "paper":
        yield from (replace(case, phases=phases) for phases in PHASE_SETS)
    elif case.lane in ("masked", "auto"):
        for bits in COORDINATE_BITS:
            for intersect in legal_intersects(case.width, case.value_type, (bits,)):
                yield replace(case, intersect=intersect, coordinate_bits=(bits,))
    else:
        yield case


def _finish(case: Case, number: int) -> Case:
    bits = case.coordinate_bits or (COORDINATE_BITS[number % len(COORDINATE_BITS)],)
    return replace(
        case,
        name=f"g{number}_{case.template.name}",
        coordinate_bits=bits * len(case.template.operands),
        seed=number,
    )

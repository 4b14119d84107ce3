"""Random kernels for the pass: what they compute, how operands are stored, which lane they get."""

import random
from dataclasses import dataclass, replace

from splyce_bench.measure.host import cpu_flags

LANES = ("paper", "masked", "auto", "workspace")
PHASES = ("match", "compute", "advance")
WIDTHS = (2, 4, 8, 16)
# How lane masked finds matches, with what the processor must have for it.
INTERSECTS = {
    "compare": "",
    "rotate": "",
    "permute": "avx512f",
    "vp2intersect": "avx512_vp2intersect",
}
FP_ORDERS = ("source", "tree", "free")


@dataclass(frozen=True)
class Operand:
    """An input: its indices in dimension order and its levels, outer to inner.

    `d` is a dense and `c` a compressed level; `levels` is empty for an ordinary dense array.
    `order` is the dimension that each level stores.
    """

    indices: str
    levels: str = ""
    order: tuple[int, ...] = ()

    @property
    def is_sparse(self) -> bool:
        return bool(self.levels)

    @property
    def level_indices(self) -> str:
        """The indices outer level to inner, which is how the arrays are stored."""
        return "".join(self.indices[d] for d in self.order) if self.is_sparse else self.indices


@dataclass(frozen=True)
class Template:
    """An index expression: the sum, or difference, of products of all operands."""

    name: str
    output: str
    operands: tuple[Operand, ...]
    loops: str

    @property
    def einsum(self) -> str:
        return ",".join(operand.level_indices for operand in self.operands) + "->" + self.output

    @property
    def lanes(self) -> tuple[str, ...]:
        """The lanes that are legal: a workspace wants a segment that the loop outside leaves."""
        outside, inside = self.loops[-2:]
        segments = [o.indices for o in self.operands if o.is_sparse and inside in o.indices]
        return LANES if any(outside not in indices for indices in segments) else LANES[:-1]


def sparse(indices: str, levels: str, order: tuple[int, ...] | None = None) -> Operand:
    """A sparse operand; its levels follow its indices unless an order is given."""
    return Operand(indices, levels, order or tuple(range(len(indices))))


TEMPLATES = (
    Template("dot", "i", (sparse("is", "dc"), sparse("s", "c")), "is"),
    Template("spgemm", "ij", (sparse("is", "dc"), sparse("sj", "dc", (1, 0))), "ijs"),
    Template("rows", "i", (sparse("is", "dc"), sparse("is", "dc")), "is"),
    Template("cubes", "i", (sparse("ijs", "ddc"), sparse("ijs", "ddc")), "ijs"),
    Template("nested", "i", (sparse("ijs", "dcc"), sparse("ijs", "dcc")), "ijs"),
    Template("tensor", "ijr", (sparse("ijs", "dcc"), sparse("sr", "dc", (1, 0))), "ijrs"),
    Template("invariant", "ij", (sparse("is", "dc"), sparse("js", "dc"), Operand("ij")), "ijs"),
    Template("along", "ij", (sparse("is", "dc"), sparse("js", "dc"), Operand("s")), "ijs"),
    Template("along2", "ij", (sparse("is", "dc"), sparse("js", "dc"), Operand("sj")), "ijs"),
    Template("scatter", "is", (sparse("is", "dc"), sparse("is", "dc")), "is"),
    Template(
        "hadamard",
        "sj",
        (sparse("sk", "dc", (1, 0)), Operand("kj"), sparse("sj", "dc", (1, 0))),
        "jks",
    ),
    Template(
        "mttkrp", "ik", (sparse("ikl", "dcc"), sparse("ls", "dc"), sparse("ks", "dc")), "ikls"
    ),
)


@dataclass(frozen=True)
class Case:
    """One function of the module under test."""

    name: str
    template: Template
    value_type: str
    coordinate_bits: tuple[int, ...]
    subtract: bool
    width: int
    lane: str
    phases: tuple[str, ...]  # of lane paper
    intersect: str  # of lanes masked and auto
    fp_order: str
    seed: int
    jam: int = 1  # of lane masked
    beside_unjammed: bool = False  # compared with the lane alone instead of the scalar loop
    every_length: bool = False  # operands of every_length.py instead of random ones
    long: bool = False  # of those, the long ones

    @property
    def options(self) -> str:
        """The pass options of this function."""
        options = [f"target-function={self.name}", f"lane={self.lane}", f"fp-order={self.fp_order}"]
        if self.lane != "workspace":
            options.append(f"vector-width={self.width}")
        if self.lane in ("masked", "auto"):
            options.append(f"intersect={self.intersect}")
        if self.jam > 1:
            options.append(f"unroll-and-jam={self.jam}")
        if self.lane == "paper":
            options.append(f"vectorize={','.join(self.phases)}")
        return " ".join(options)

    @property
    def reference_options(self) -> str:
        """The pass options of what the result is compared with; none for the scalar loop."""
        return replace(self, jam=1).options if self.beside_unjammed else ""

    @property
    def reference_name(self) -> str:
        """Its function; cases that differ in nothing but the lane share a scalar loop."""
        if self.beside_unjammed or not self.every_length:
            return self.name
        return f"{self.template.name}_{self.value_type}_{self.coordinate_bits[0]}"

    @property
    def keeps_bits(self) -> bool:
        """Whether the result has the bits of what it is compared with."""
        in_order = self.lane == "workspace" and self.fp_order != "free"
        # Jammed lanes keep their sums in other lanes of a vector where matches are in front.
        jammed = self.beside_unjammed and self.intersect != "vp2intersect"
        return self.fp_order == "source" or in_order or jammed


def legal_intersects(width: int, value_type: str, bits: tuple[int, ...]) -> tuple[str, ...]:
    """What lane masked can do here: instructions take 512 bits, where the processor has them."""
    is_narrow = {*bits, int(value_type[1:])} <= {8, 16, 32} and len(set(bits)) == 1
    fits = {"permute": (8,), "vp2intersect": (2, 4, 8)}
    flags = ["", *cpu_flags()]
    return tuple(
        name
        for name, needed in INTERSECTS.items()
        if needed in flags and (not needed or is_narrow and width == 16 or width in fits[name])
    )


def make_cases(count: int, seed: int) -> list[Case]:
    """Return `count` cases: every template in turn, everything else drawn at random."""
    return [_make_case(number, random.Random(f"{seed}/{number}")) for number in range(count)]


def _make_case(number: int, draw: random.Random) -> Case:
    template = TEMPLATES[number % len(TEMPLATES)]
    bits = draw.choice((64, 64, 0, 32, 16, 8))
    other = draw.choice((bits, bits, bits, 64, 32))
    value_type = draw.choice(("f64", "f64", "f32"))
    coordinate_bits = tuple(draw.choice((bits, other)) for _ in template.operands)
    width = draw.choice(WIDTHS)
    case = Case(
        name=f"f{number}_{template.name}",
        template=template,
        value_type=value_type,
        coordinate_bits=coordinate_bits,
        subtract=draw.random() < 0.2,
        width=width,
        lane=draw.choice(template.lanes),
        phases=tuple(phase for phase in PHASES if draw.random() < 0.5),
        fp_order=draw.choice(FP_ORDERS),
        intersect=draw.choice(legal_intersects(width, value_type, coordinate_bits)),
        seed=draw.randrange(2**31),
    )
    return replace(case, jam=draw.choice((1, 2))) if case.lane == "masked" else case


def position_bits(coordinate_bits: int) -> int:
    """Positions of narrow coordinates: wide enough for every case."""
    return 32 if coordinate_bits in (8, 16) else coordinate_bits


def _map(loops: str, indices: str) -> str:
    return f"affine_map<({', '.join(loops)}) -> ({', '.join(indices)})>"


def _encoding(operand: Operand, bits: int) -> str:
    dims = [f"d{d}" for d in range(len(operand.indices))]
    kinds = {"d": "dense", "c": "compressed"}
    levels = [f"d{d} : {kinds[k]}" for d, k in zip(operand.order, operand.levels, strict=True)]
    return (
        f"#sparse_tensor.encoding<{{ map = ({', '.join(dims)}) -> ({', '.join(levels)}), "
        f"posWidth = {position_bits(bits)}, crdWidth = {bits} }}>"
    )


def _type(indices: str, value_type: str, encoding: str = "") -> str:
    shape = "x".join("?" for _ in indices)
    return f"tensor<{shape}x{value_type}{', ' + encoding if encoding else ''}>"


def mlir_of(case: Case, name: str | None = None) -> str:
    """Return the function of a case, as a linalg.generic on sparse tensors."""
    template, kind = case.template, case.value_type
    types = [
        _type(o.indices, kind, _encoding(o, bits) if o.is_sparse else "")
        for o, bits in zip(template.operands, case.coordinate_bits, strict=True)
    ]
    names = [f"%t{n}" for n in range(len(types))]
    out = _type(template.output, kind)
    maps = [_map(template.loops, o.indices) for o in template.operands]
    maps.append(_map(template.loops, template.output))
    iterators = ['"parallel"' if i in template.output else '"reduction"' for i in template.loops]
    arguments = ", ".join(f"{n}: {t}" for n, t in zip(names, types, strict=True))
    return f"""
func.func @{name or case.name}({arguments}, %out: {out}) -> {out} {{
  %r = linalg.generic {{indexing_maps = [{", ".join(maps)}],
                       iterator_types = [{", ".join(iterators)}]}}
    ins({", ".join(names)} : {", ".join(types)}) outs(%out : {out}) {{
  ^bb0({", ".join(f"%x{n}: {kind}" for n in range(len(types)))}, %acc: {kind}):
{_body(case)}
  }} -> {out}
  return %r : {out}
}}
"""


def _body(case: Case) -> str:
    kind, lines, product = case.value_type, [], "%x0"
    for number in range(1, len(case.template.operands)):
        lines.append(f"    %m{number} = arith.mulf {product}, %x{number} : {kind}")
        product = f"%m{number}"
    operation = "subf" if case.subtract else "addf"
    lines.append(f"    %s = arith.{operation} %acc, {product} : {kind}")
    lines.append(f"    linalg.yield %s : {kind}")
    return "\n".join(lines)

"""Storage formats of sparse tensors, as MLIR's sparse_tensor dialect describes them."""

from dataclasses import asdict, dataclass
from typing import Any

from splyce_bench.errors import UserError

LEVEL_TYPES = ("dense", "compressed")
COORDINATE_BITS = (64, 32, 16, 8)


@dataclass(frozen=True)
class TensorFormat:
    """How a tensor is stored: level types outer to inner, and the dimension each level stores.

    CSR is levels (dense, compressed) with order (0, 1); CSC has order (1, 0).
    """

    levels: tuple[str, ...]
    order: tuple[int, ...]
    coordinate_bits: int = 64
    position_bits: int = 64
    value_type: str = "f64"

    @property
    def rank(self) -> int:
        """Number of dimensions, which is the number of levels."""
        return len(self.levels)

    @property
    def is_dense(self) -> bool:
        """True for an ordinary array without positions and coordinates."""
        return all(level == "dense" for level in self.levels)

    def level_shape(self, shape: tuple[int, ...]) -> tuple[int, ...]:
        """Return the level sizes of a tensor of the given dimension sizes."""
        return tuple(shape[dimension] for dimension in self.order)

    def to_json(self) -> dict[str, Any]:
        """Return a JSON value that `from_json` reads."""
        return asdict(self)

    @staticmethod
    def from_json(value: dict[str, Any]) -> "TensorFormat":
        """Read what `to_json` wrote."""
        fields = dict(value, levels=tuple(value["levels"]), order=tuple(value["order"]))
        return TensorFormat(**fields)


NAMED_FORMATS: dict[str, TensorFormat] = {
    "csr": TensorFormat(("dense", "compressed"), (0, 1)),
    "csc": TensorFormat(("dense", "compressed"), (1, 0)),
    "dcsr": TensorFormat(("compressed", "compressed"), (0, 1)),
    "sparse_vector": TensorFormat(("compressed",), (0,)),
    "csf": TensorFormat(("compressed", "compressed", "compressed"), (0, 1, 2)),
}


def parse_format(spec: Any, rank: int, where: str) -> TensorFormat:
    """Read a format from configuration: a name, or {levels: [...], order: [...], ...}.

    `dense` fits any rank. Raises UserError, naming `where`, on anything else.
    """
    if spec == "dense":
        return TensorFormat(("dense",) * rank, tuple(range(rank)))
    if isinstance(spec, str):
        if spec not in NAMED_FORMATS:
            allowed = ", ".join(["dense", *NAMED_FORMATS])
            raise UserError(f"{where}: unknown format '{spec}'; allowed: {allowed}, or a mapping")
        found = NAMED_FORMATS[spec]
    else:
        levels = tuple(spec["levels"])
        order = tuple(spec.get("order", range(len(levels))))
        extra = {k: v for k, v in spec.items() if k not in ("levels", "order")}
        found = TensorFormat(levels, order, **extra)
    _check(found, rank, where)
    return found


def _check(found: TensorFormat, rank: int, where: str) -> None:
    if found.rank != rank:
        raise UserError(
            f"{where}: the format has {found.rank} levels but the operand has {rank} indices; "
            "give one level per index"
        )
    if bad := [level for level in found.levels if level not in LEVEL_TYPES]:
        allowed = ", ".join(LEVEL_TYPES)
        raise UserError(f"{where}: unknown level type '{bad[0]}'; allowed: {allowed}")
    if sorted(found.order) != list(range(rank)):
        raise UserError(f"{where}: order {list(found.order)} is not a permutation of 0..{rank - 1}")
    for name in ("coordinate_bits", "position_bits"):
        if getattr(found, name) not in COORDINATE_BITS:
            raise UserError(f"{where}: {name} must be one of {COORDINATE_BITS}")
    if found.value_type not in ("f64", "f32"):
        raise UserError(f"{where}: value_type must be f64 or f32, found '{found.value_type}'")

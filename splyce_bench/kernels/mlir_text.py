"""Generate the MLIR of a kernel: a linalg.generic on sparse_tensor operands of dynamic sizes."""

from collections.abc import Iterator
from itertools import count

from splyce_bench.formats import TensorFormat
from splyce_bench.kernels.catalog import Kernel
from splyce_bench.kernels.notation import Access, Binary, Constant, Expression

_OPERATIONS = {"+": "arith.addf", "-": "arith.subf", "*": "arith.mulf"}


def kernel_text(kernel: Kernel, features: str = "") -> str:
    """Return a module with one function, named as the kernel, that adds into its last argument.

    `features` are the target's beyond its cpu, as in `+avx512f,+avx512vl`: passes may ask for them.
    """
    arguments = [*kernel.operands, kernel.output]
    types = {a.tensor: _tensor_type(a, kernel.formats[a.tensor]) for a in arguments}
    signature = ", ".join(f"%{a.tensor}: {types[a.tensor]}" for a in arguments)
    result = types[kernel.output.tensor]
    lines = [
        f"// {kernel.expression}",
        *_encodings(kernel),
        f"func.func @{kernel.name}({signature}) -> {result}",
        f"    attributes {{{', '.join(_attributes(features))}}} {{",
        *(f"  {line}" for line in _generic(kernel, types)),
        f"  return %result : {result}",
        "}",
    ]
    return "\n".join(lines) + "\n"


def _attributes(features: str) -> Iterator[str]:
    yield "llvm.emit_c_interface"
    if features:
        names = ", ".join(f'"{name}"' for name in features.split(","))
        yield f"target_features = #llvm.target_features<[{names}]>"


def _encodings(kernel: Kernel) -> Iterator[str]:
    for access in kernel.operands:
        format = kernel.formats[access.tensor]
        if format.is_dense:
            continue
        dimensions = ", ".join(f"d{d}" for d in range(format.rank))
        levels = ", ".join(
            f"d{d} : {level}" for d, level in zip(format.order, format.levels, strict=True)
        )
        yield (
            f"#{access.tensor} = #sparse_tensor.encoding<{{ map = ({dimensions}) -> ({levels}), "
            f"posWidth = {format.position_bits}, crdWidth = {format.coordinate_bits} }}>"
        )


def _tensor_type(access: Access, format: TensorFormat) -> str:
    encoding = "" if format.is_dense else f", #{access.tensor}"
    return f"tensor<{'?x' * len(access.indices)}{format.value_type}{encoding}>"


def _generic(kernel: Kernel, types: dict[str, str]) -> Iterator[str]:
    loops = ", ".join(kernel.loops)
    maps = ",\n    ".join(
        f"affine_map<({loops}) -> ({', '.join(a.indices)})>"
        for a in [*kernel.operands, kernel.output]
    )
    reduced = kernel.assignment.reduced
    kinds = ", ".join('"reduction"' if i in reduced else '"parallel"' for i in kernel.loops)
    names = ", ".join(f"%{a.tensor}" for a in kernel.operands)
    in_types = ", ".join(types[a.tensor] for a in kernel.operands)
    out = kernel.output.tensor
    yield "%result = linalg.generic {"
    yield f"  indexing_maps = [\n    {maps}],"
    yield f"  iterator_types = [{kinds}]}}"
    yield f"  ins({names} : {in_types})"
    yield f"  outs(%{out} : {types[out]})"
    # Without this the sparsifier may order the loops anew: SpMMH came out as k, j, i.
    yield "  attrs = {sorted = true} {"
    yield from (f"  {line}" for line in _body(kernel))
    yield f"}} -> {types[out]}"


def _body(kernel: Kernel) -> Iterator[str]:
    scalar = kernel.formats[kernel.output.tensor].value_type
    names = [f"%{a.tensor.lower()}_value" for a in [*kernel.operands, kernel.output]]
    yield f"^bb0({', '.join(f'{name}: {scalar}' for name in names)}):"
    values = dict(zip((a.tensor for a in kernel.operands), names, strict=False))
    lines: list[str] = []
    value = _emit(kernel.assignment.value, scalar, values, lines, count())
    lines.append(f"%sum = arith.addf {names[-1]}, {value} : {scalar}")
    yield from (f"  {line}" for line in lines)
    yield f"  linalg.yield %sum : {scalar}"


def _emit(
    expression: Expression,
    scalar: str,
    values: dict[str, str],
    lines: list[str],
    fresh: "count[int]",
) -> str:
    match expression:
        case Access(tensor, _):
            return values[tensor]
        case Constant(value):
            name = f"%t{next(fresh)}"
            lines.append(f"{name} = arith.constant {value!r} : {scalar}")
        case Binary(operator, left, right):
            first = _emit(left, scalar, values, lines, fresh)
            second = _emit(right, scalar, values, lines, fresh)
            name = f"%t{next(fresh)}"
            lines.append(f"{name} = {_OPERATIONS[operator]} {first}, {second} : {scalar}")
    return name

"""The pass lists every kernel goes through before and after a pipeline's own passes."""

# Up to the loops: sparse operands become memrefs and storage specifiers, expressions become loops.
_SPARSIFY = "sparsification-and-bufferization"

_TO_LLVM = (
    "sparse-storage-specifier-to-llvm",
    "convert-linalg-to-loops",
    "convert-vector-to-scf",
    "expand-realloc",
    "expand-strided-metadata",
    "canonicalize",
    "cse",
    "convert-scf-to-cf",
    "lower-affine",
    "convert-vector-to-llvm",
    "memref-expand",
    "arith-expand",
    "convert-math-to-llvm",
    "finalize-memref-to-llvm",
    "convert-arith-to-llvm",
    "convert-openmp-to-llvm",
    "convert-func-to-llvm",
    "convert-index-to-llvm",
    "convert-cf-to-llvm",
    "convert-ub-to-llvm",
    "reconcile-unrealized-casts",
)

_STRATEGY = "parallelization-strategy=dense-outer-loop"


def to_loops(parallel: bool) -> str:
    """Return the pass list from linalg on sparse tensors to scf loops on memrefs."""
    return f"{_SPARSIFY}{{{_STRATEGY}}}" if parallel else _SPARSIFY


def to_llvm(parallel: bool) -> str:
    """Return the pass list from loops to the LLVM dialect.

    OpenMP regions are made while loops are still structured; canonicalizing afterwards removes
    the `memref.alloca_scope` around each body, which may not hold the blocks of lowered loops.
    """
    openmp = ("convert-scf-to-openmp", "canonicalize") if parallel else ()
    return ",".join(("canonicalize", "cse", *openmp, *_TO_LLVM))


def oneshot(parallel: bool) -> str:
    """Return upstream's whole sparsifier pipeline, with the same calling convention.

    With a parallel strategy it leaves no OpenMP operation (field report A10), so there is no
    parallel form to ask for.
    """
    if parallel:
        raise ValueError("upstream's one-shot sparsifier has no parallel lowering")
    return "sparsifier{enable-runtime-library=false}"

"""Runs the cases of one module in a process of its own: a wild load ends it, not pytest.

Usage: fuzz_worker.py BASELINE.so LANES.so SELECTION
Prints the name of each case before it runs, and a line starting with FAIL for a wrong result.
"""

import ctypes
import sys

import numpy as np
from every_length import every_length
from fuzz_cases import Case
from fuzz_data import Array, Problem, Stored, make_problem
from fuzz_selection import select
from guarded import GuardedMemory


def memref_words(array: Array) -> list[int]:
    """The words of a memref descriptor."""
    strides = [stride // array.itemsize for stride in array.strides]
    return [array.ctypes.data, array.ctypes.data, 0, *array.shape, *strides]


def operand_words(
    stored: Stored, is_sparse: bool, memory: GuardedMemory, at_start: bool
) -> list[int]:
    """The words of an operand: its arrays, and the storage specifier of a sparse one."""
    arrays = [memory.copy(array, at_start) for array in stored.arrays]
    words = [word for array in arrays for word in memref_words(array)]
    return words + [*stored.sizes, *(a.size for a in arrays)] if is_sparse else words


def run(library: ctypes.CDLL, name: str, case: Case, problem: Problem, at_start: bool) -> Array:
    """Call a function on guarded copies of the operands and return the output."""
    memory = GuardedMemory()
    words: list[int] = []
    for operand, stored in zip(case.template.operands, problem.operands, strict=True):
        words += operand_words(stored, operand.is_sparse, memory, at_start)
    output = memory.copy(problem.output, at_start)
    words += memref_words(output)
    returned = (ctypes.c_int64 * 16)()
    function = getattr(library, name)
    function.restype = None
    function(ctypes.c_void_p(ctypes.addressof(returned)), *map(ctypes.c_int64, words))
    result = output.copy()
    memory.close()
    return result


def count_terms(case: Case, problem: Problem) -> Array:
    """How many products each element of the output is the sum of."""
    terms: Array = np.einsum(case.template.einsum, *(o.present for o in problem.operands))
    return terms


def bounds(case: Case, problem: Problem) -> tuple[Array, Array]:
    """The oracle's result, and how far any order of additions may be from it.

    With u the unit roundoff, n additions and m multiplications in any order differ from the exact
    result by at most (n + m) u / (1 - (n + m) u) times the sum of magnitudes (Higham, 3.1).
    """
    spec, operands = case.template.einsum, problem.operands
    sign = -1.0 if case.subtract else 1.0
    start = problem.output.astype(float)
    exact = start + sign * np.einsum(spec, *(o.dense for o in operands))
    magnitude = np.abs(start) + np.einsum(spec, *(np.abs(o.dense) for o in operands))
    steps = count_terms(case, problem) + len(operands) + 1
    rounding = steps * np.finfo(problem.output.dtype).eps / 2
    return exact, 2 * rounding / (1 - rounding) * magnitude + np.finfo(problem.output.dtype).tiny


def same_bits(left: Array, right: Array) -> bool:
    """Whether two results agree bit for bit."""
    return left.tobytes() == right.tobytes()


def check(case: Case, problem: Problem, baseline: ctypes.CDLL, lanes: ctypes.CDLL) -> str:
    """Return what is wrong with a case, or nothing."""
    exact, bound = bounds(case, problem)
    untouched = count_terms(case, problem) == 0
    for at_start in (False, True):
        expected = run(baseline, case.scalar_name, case, problem, at_start)
        found = run(lanes, case.name, case, problem, at_start)
        if not np.all(np.abs(expected - exact) <= bound):
            return "the baseline differs from the oracle"
        if case.keeps_bits and not same_bits(expected, found):
            return f"not bit for bit: {expected.ravel()} {found.ravel()}"
        if not same_bits(found[untouched], problem.output[untouched]):
            return "an output without a matched pair changed, at least in the sign of a zero"
        if not np.all(np.abs(found - expected) <= 2 * bound):
            return f"beyond the bound: {np.nanmax(np.abs(found - expected) - 2 * bound)}"
    return ""


def main() -> None:
    baseline, lanes = ctypes.CDLL(sys.argv[1]), ctypes.CDLL(sys.argv[2])
    for case in select(sys.argv[3]):
        print(case.name, case.options, f"seed={case.seed}", flush=True)
        for problem in every_length(case) if case.every_length else [make_problem(case)]:
            if wrong := check(case, problem, baseline, lanes):
                print(f"FAIL {case.name} {case.options}: {wrong}", flush=True)


if __name__ == "__main__":
    main()

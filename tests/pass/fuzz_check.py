"""Whether a result is the scalar loop's and the oracle's, and untouched elsewhere."""

import numpy as np
from fuzz_cases import Case
from fuzz_data import Array, Problem


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


def compare(case: Case, problem: Problem, expected: Array, found: Array) -> str:
    """Return what is wrong with a result next to the scalar loop's, or nothing."""
    exact, bound = bounds(case, problem)
    untouched = count_terms(case, problem) == 0
    if not np.all(np.abs(expected - exact) <= bound):
        return "the baseline differs from the oracle"
    if case.keeps_bits and not same_bits(expected, found):
        return f"not bit for bit: {expected.ravel()} {found.ravel()}"
    if not same_bits(found[untouched], problem.output[untouched]):
        return "an output without a matched pair changed, at least in the sign of a zero"
    if not np.all(np.abs(found - expected) <= 2 * bound):
        return f"beyond the bound: {np.nanmax(np.abs(found - expected) - 2 * bound)}"
    return ""

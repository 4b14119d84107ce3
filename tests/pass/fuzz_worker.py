"""Runs the cases of one module in a process of its own: a wild load ends it, not pytest.

Usage: fuzz_worker.py BASELINE.so LANES.so SELECTION
Prints the name of each case before it runs, and a line starting with FAIL for a wrong result.
"""

import ctypes
import sys

from fuzz_calls import arguments
from fuzz_cases import Case
from fuzz_check import compare
from fuzz_data import Array, Problem
from fuzz_selection import problems_of, select
from guarded import GuardedMemory


def run(library: ctypes.CDLL, name: str, case: Case, problem: Problem, at_start: bool) -> Array:
    """Call a function on guarded copies of the operands and return the output."""
    memory = GuardedMemory()
    copies: dict[int, Array] = {}
    words = []
    for word in arguments(case, problem):
        if not isinstance(word, int):
            if id(word) not in copies:
                copies[id(word)] = memory.copy(word, at_start)
            word = copies[id(word)].ctypes.data
        words.append(ctypes.c_int64(word))
    returned = (ctypes.c_int64 * 16)()
    function = getattr(library, name)
    function.restype = None
    function(ctypes.c_void_p(ctypes.addressof(returned)), *words)
    result = copies[id(problem.output)].copy()
    memory.close()
    return result


def check(case: Case, problem: Problem, baseline: ctypes.CDLL, lanes: ctypes.CDLL) -> str:
    """Return what is wrong with a case, or nothing."""
    for at_start in (False, True):
        expected = run(baseline, case.reference_name, case, problem, at_start)
        found = run(lanes, case.name, case, problem, at_start)
        if wrong := compare(case, problem, expected, found):
            return wrong
    return ""


def main() -> None:
    baseline, lanes = ctypes.CDLL(sys.argv[1]), ctypes.CDLL(sys.argv[2])
    for case in select(sys.argv[3]):
        print(case.name, case.options, f"seed={case.seed}", flush=True)
        for problem in problems_of(case):
            if wrong := check(case, problem, baseline, lanes):
                print(f"FAIL {case.name} {case.options}: {wrong}", flush=True)


if __name__ == "__main__":
    main()

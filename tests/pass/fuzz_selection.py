"""The cases of one module, by a text that the test and its worker both understand.

`random:COUNT:SEED:FIRST:STEP`, `grid:PART`, `jammed:WIDTH` or `long`, and `:without-avx512`
behind any for code that is to run without AVX-512.
"""

from dataclasses import replace

from every_length import every_length
from fuzz_cases import INTERSECTS, Case, make_cases
from fuzz_data import Problem, make_problem
from fuzz_grid import make_grid, make_jammed, make_long

WITHOUT = ":without-avx512"


def select(text: str) -> list[Case]:
    """Return the cases that a text names."""
    kind, *words = text.removesuffix(WITHOUT).split(":")
    if kind == "grid":
        cases = make_grid(words[0])
    elif kind == "jammed":
        cases = make_jammed(int(words[0]))
    elif kind == "long":
        cases = make_long()
    else:
        count, seed, first, step = map(int, words)
        cases = make_cases(count, seed)[first::step]
    if not text.endswith(WITHOUT):
        return cases
    return [replace(c, intersect="auto") if INTERSECTS.get(c.intersect) else c for c in cases]


def problems_of(case: Case) -> list[Problem]:
    """Return the operands that a case runs on."""
    return every_length(case) if case.every_length else [make_problem(case)]

"""The predictors of a ratio: least squares on logarithms, and a small tree.

Each is fitted to rows (x, y) and gives a function of x. Columns of x are logarithms of features, y
is log2 of the ratio.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from splyce_bench.report.features import CHEAP, FEATURES, RUN_TIME, Array
from splyce_bench.report.regression_tree import grow, predict

Prediction = Callable[[Array], Array]
Fit = Callable[[Array, Array], Prediction]

KERNEL = "kernel"
# Coordinates that the paper's best lane (n = 4) takes of each side.
WIDTH = 4
CHOSEN = 3


@dataclass(frozen=True)
class Predictor:
    """A way to predict from `columns`; `cheap` when it needs no instrumented run."""

    name: str
    kind: str
    columns: tuple[str, ...]
    fit: Fit
    cheap: bool = True

    def among(self, known: set[str]) -> "Predictor":
        """Return it without the features that no row has, where it takes whatever is cheap."""
        if self.columns != CHEAP:
            return self
        return replace(self, columns=tuple(c for c in self.columns if c in known))


def fit_mean(_: Array, y: Array) -> Prediction:
    """Return the predictor of the mean, which every other has to beat."""
    mean = float(y.mean())
    return lambda x: np.full(len(x), mean)


def fit_categories(x: Array, y: Array) -> Prediction:
    """Return the predictor of the mean of a category (one column of codes), else of all."""
    means = {code: float(y[x[:, 0] == code].mean()) for code in np.unique(x[:, 0])}
    everywhere = float(y.mean())
    return lambda other: np.array([means.get(code, everywhere) for code in other[:, 0]])


def fit_below_width(x: Array, y: Array) -> Prediction:
    """Return the means below and from the width of the lane on, of one column of logarithms."""
    inner = fit_categories(x < np.log2(WIDTH), y)
    return lambda other: inner(other < np.log2(WIDTH))


def fit_linear(x: Array, y: Array) -> Prediction:
    """Return the plane of least squares."""
    return _least_squares(x, y, lambda part: part)


def fit_quadratic(x: Array, y: Array) -> Prediction:
    """Return the parabolas of least squares, one a column, added up."""
    return _least_squares(x, y, lambda part: np.hstack([part, part**2]))


def _least_squares(x: Array, y: Array, basis: Callable[[Array], Array]) -> Prediction:
    low, high, center = x.min(axis=0), x.max(axis=0), x.mean(axis=0)

    def design(part: Array) -> Array:
        # Outside of the rows it was fitted to, a parabola tells nothing: it is held at their edge.
        inside = np.clip(part, low, high) - center
        return np.hstack([np.ones((len(part), 1)), basis(inside)])

    weights = np.linalg.lstsq(design(x), y, rcond=None)[0]
    return lambda other: np.asarray(design(other) @ weights)


def fit_chosen(x: Array, y: Array) -> Prediction:
    """Return parabolas of the few columns that predict best within the rows given."""
    columns = choose(x, y)
    inner = fit_quadratic(x[:, columns], y)
    return lambda other: inner(other[:, columns])


def choose(x: Array, y: Array) -> list[int]:
    """Add one column after the other, each time the one with the least error of left-out rows."""
    chosen: list[int] = []
    while len(chosen) < min(CHOSEN, x.shape[1]):
        rest = [n for n in range(x.shape[1]) if n not in chosen]
        chosen.append(min(rest, key=lambda n: _press(x[:, [*chosen, n]], y)))
    return chosen


def _press(x: Array, y: Array) -> float:
    """Return the squared errors of rows left out one by one, from one fit (Allen's PRESS)."""
    centered = x - x.mean(axis=0)
    q, _ = np.linalg.qr(np.hstack([np.ones((len(x), 1)), centered, centered**2]))
    leverage = np.minimum((q**2).sum(axis=1), 1 - 1e-9)
    return float((((y - q @ (q.T @ y)) / (1 - leverage)) ** 2).sum())


def fit_tree(x: Array, y: Array) -> Prediction:
    """Return the small tree of least squares."""
    node = grow(x, y)
    return lambda other: predict(node, other)


BASELINE, COUNTED = "mean", "SIMD(%)"
BEST, AT_RUN_TIME, EVERYTHING = "best three cheap", "known at run time", "all cheap"
TREE = "tree of cheap ones"
# One side, or both, with fewer elements than a step of the lane takes.
RULES = {
    f"shorter segment below {WIDTH}": "segment_short",
    f"longer segment below {WIDTH}": "segment_long",
}

PREDICTORS = (
    Predictor(BASELINE, "baseline", (), fit_mean),
    Predictor(KERNEL, "baseline", (KERNEL,), fit_categories),
    *(Predictor(f.label, "one feature", (f.name,), fit_quadratic, f.cheap) for f in FEATURES),
    *(Predictor(name, "rule", (column,), fit_below_width) for name, column in RULES.items()),
    Predictor(AT_RUN_TIME, "set", RUN_TIME, fit_quadratic),
    Predictor(BEST, "set", CHEAP, fit_chosen),
    Predictor(EVERYTHING, "set", CHEAP, fit_linear),
    Predictor(TREE, "set", CHEAP, fit_tree),
    Predictor("SIMD(%) and run time", "set", ("simd_pct", *RUN_TIME), fit_quadratic, cheap=False),
)


def named(name: str) -> Predictor:
    """Return a predictor by its name."""
    return next(predictor for predictor in PREDICTORS if predictor.name == name)

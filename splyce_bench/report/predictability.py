"""How well a ratio is predicted on matrices, and on kernels, that were left out of the fit.

Errors are those of log2 of the ratio. Intervals are bootstrapped over matrices, all rows of a
matrix together: they hold for other matrices of this kind, with the fits as they are.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pandas as pd

from splyce_bench.report.features import FEATURES, Array
from splyce_bench.report.predictors import KERNEL, PREDICTORS, Predictor

Names = npt.NDArray[np.str_]
Chosen = npt.NDArray[np.bool_]
Indices = npt.NDArray[np.intp]

WANTED_MATRICES = 20
RESAMPLES = 1000
CONFIDENCE = 0.95

# What is told of predictions: see `_scores`.
SCORES = ("r2", "factor", "precision", "recall", "gain")


@dataclass(frozen=True)
class Samples:
    """The rows of one pipeline: a column of x a feature, y = log2 ratio."""

    x: pd.DataFrame
    y: Array
    matrices: Names
    kernels: Names
    regressed: Chosen

    def where(self, chosen: Chosen) -> "Samples":
        """Return the chosen rows."""
        return Samples(
            self.x[chosen],
            self.y[chosen],
            self.matrices[chosen],
            self.kernels[chosen],
            self.regressed[chosen],
        )


def samples_of(rows: pd.DataFrame) -> Samples:
    """Return what is fitted to, from the feature rows of one pipeline."""
    seen = {f.name: f.seen(rows[f.name].to_numpy(float)) for f in FEATURES}
    kernels = rows["kernel"].to_numpy(str)
    codes = np.unique(kernels, return_inverse=True)[1].astype(float)
    return Samples(
        pd.DataFrame({**seen, KERNEL: codes}),
        np.log2(rows["speedup"].to_numpy(float)),
        rows["matrix"].to_numpy(str),
        kernels,
        rows["speedup_high"].to_numpy(float) < 1,
    )


def enough(rows: pd.DataFrame) -> dict[str, int]:
    """Return the matrices of each pipeline that has as many as are wanted."""
    return {name: count for name, count in _matrices(rows).items() if count >= WANTED_MATRICES}


def too_few(rows: pd.DataFrame) -> list[str]:
    """Say which pipelines have too few matrices for a study, or that this run has none."""
    counts = _matrices(rows)
    if not any(rows["experiment"] != "published"):
        counts["this run"] = 0
    return [
        f"{name}: not enough matrices: has {count}, wants {WANTED_MATRICES}."
        for name, count in counts.items()
        if count < WANTED_MATRICES
    ]


def _matrices(rows: pd.DataFrame) -> dict[str, int]:
    counts = rows.groupby("pipeline", sort=False)["matrix"].nunique()
    return {str(name): int(count) for name, count in counts.items()}


def left_out_predictions(predictor: Predictor, samples: Samples, groups: Names) -> Array:
    """Return each row's prediction by a fit to the rows of the other groups; NaN without others."""
    x, found = samples.x[list(predictor.columns)].to_numpy(float), np.full(len(groups), np.nan)
    for group in np.unique(groups):
        out = groups == group
        if not out.all():
            found[out] = predictor.fit(x[~out], samples.y[~out])(x[out])
    return found


def study(rows: pd.DataFrame) -> pd.DataFrame:
    """Return one row a pipeline and predictor, with its scores and their intervals."""
    tables = [
        {"pipeline": pipeline, **judged}
        for pipeline in enough(rows)
        for samples in [samples_of(rows[rows["pipeline"] == pipeline])]
        for judged in (_judged(predictor, samples) for predictor in PREDICTORS)
    ]
    return pd.DataFrame(tables)


def usable(predictor: Predictor, samples: Samples) -> tuple[Predictor, Samples]:
    """Return a predictor of the features that there are, and the rows that have all of them."""
    known = samples.x.notna()
    mine = predictor.among(set(known.columns[known.any()]))
    return mine, samples.where(known[list(mine.columns)].all(axis=1).to_numpy(bool))


def _judged(predictor: Predictor, samples: Samples) -> dict[str, object]:
    asked, mine = usable(predictor, samples)
    matrices = len(np.unique(mine.matrices))
    told: dict[str, object] = {
        "predictor": predictor.name,
        "kind": predictor.kind,
        "cheap": predictor.cheap,
        "rows": len(mine.y),
        "matrices": matrices,
        "regressions": int(mine.regressed.sum()),
    }
    if matrices < WANTED_MATRICES:
        return told
    for name, groups in (("matrix", mine.matrices), ("kernel", mine.kernels)):
        told |= {f"{name}_{key}": v for key, v in _scored(asked, mine, groups).items()}
    return told


def _scored(predictor: Predictor, samples: Samples, groups: Names) -> dict[str, float]:
    """Return each score, its low and its high end."""
    found = left_out_predictions(predictor, samples, groups)
    if np.isnan(found).any():
        return {}
    mean = left_out_predictions(PREDICTORS[0], samples, groups)

    def scores(chosen: Indices) -> list[float]:
        return _scores(samples.y[chosen], found[chosen], mean[chosen], samples.regressed[chosen])

    values = scores(np.arange(len(found)))
    low, high = _bootstrap(scores, samples.matrices)
    ends = {"": values, "_low": low, "_high": high}
    return {f"{s}{end}": v for end, row in ends.items() for s, v in zip(SCORES, row, strict=True)}


def ahead_of(
    predictor: Predictor, other: Predictor, samples: Samples, left_out: str = "matrix"
) -> tuple[float, float, float] | None:
    """Return by how much R^2 is above another's, and the ends of its interval.

    `left_out` is matrix or kernel. Both on the rows that have the features of both; None where
    there are too few matrices, or one kernel alone.
    """
    predictor, mine = usable(predictor, samples)
    other, mine = usable(other, mine)
    groups = {"matrix": mine.matrices, "kernel": mine.kernels}[left_out]
    if len(np.unique(mine.matrices)) < WANTED_MATRICES or len(np.unique(groups)) < 2:
        return None
    first, second, mean = (
        left_out_predictions(p, mine, groups) for p in (predictor, other, PREDICTORS[0])
    )

    def difference(chosen: Indices) -> list[float]:
        y = mine.y[chosen]
        errors = [float(((y - found[chosen]) ** 2).sum()) for found in (first, second, mean)]
        return [(errors[1] - errors[0]) / errors[2] if errors[2] else np.nan]

    (low,), (high,) = _bootstrap(difference, mine.matrices)
    return difference(np.arange(len(mine.y)))[0], low, high


def _scores(y: Array, found: Array, mean: Array, regressed: Chosen) -> list[float]:
    """Return R^2 against the left-out mean, the median factor of error, and what is decided by it.

    Precision and recall are those of a predicted ratio below 1 as the sign of a regression. The
    gain is the geometric mean of the ratios when the lane is taken where it is predicted to gain.
    """
    around = float(((y - mean) ** 2).sum())
    left_over = float(((y - found) ** 2).sum())
    warned = found < 0
    hits = float((warned & regressed).sum())
    return [
        1 - left_over / around if around else np.nan,
        float(2 ** np.median(np.abs(y - found))),
        hits / warned.sum() if warned.any() else np.nan,
        hits / regressed.sum() if regressed.any() else np.nan,
        float(2 ** np.where(warned, 0, y).mean()),
    ]


def _bootstrap(
    scores: Callable[[Indices], list[float]], matrices: Names
) -> tuple[Sequence[float], Sequence[float]]:
    """Return the low and the high ends of scores when matrices are drawn with replacement."""
    source = np.random.default_rng(1)
    members = [np.flatnonzero(matrices == name) for name in np.unique(matrices)]
    drawn = source.integers(len(members), size=(RESAMPLES, len(members)))
    found = np.array([scores(np.concatenate([members[n] for n in row])) for row in drawn])
    tail = (1 - CONFIDENCE) / 2
    return [_quantile(c, tail) for c in found.T], [_quantile(c, 1 - tail) for c in found.T]


def _quantile(values: Array, share: float) -> float:
    """Return a quantile of the resamples in which the score exists; NaN when it never does."""
    known = values[~np.isnan(values)]
    return float(np.quantile(known, share)) if len(known) else np.nan

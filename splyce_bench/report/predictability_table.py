"""The table of the study of predictability: a row a pipeline and predictor, and its grounds."""

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from splyce_bench.report.features import FEATURES
from splyce_bench.report.predictability import (
    CONFIDENCE,
    WANTED_MATRICES,
    Samples,
    ahead_of,
    enough,
    left_out_predictions,
    samples_of,
    study,
    too_few,
    usable,
)
from splyce_bench.report.predictors import (
    AT_RUN_TIME,
    BEST,
    COUNTED,
    EVERYTHING,
    RULES,
    TREE,
    WIDTH,
    Predictor,
    choose,
    named,
)
from splyce_bench.report.regression_tree import grow, leaves
from splyce_bench.report.tables import Heading, write_forms
from splyce_bench.report.text import ratio

HOW = (
    "R^2: the share of the mean's squared error, in log2 of the ratio, that is gone; negative is "
    "worse than the mean. Error: the median factor between predicted and measured ratio.",
    "Matrix left out: all rows of a matrix at once, over all kernels. Kernel left out: fitted to "
    "the other kernels only.",
    "A regression is a ratio whose interval lies below 1; a predicted ratio below 1 warns of one. "
    "Gain: the geometric mean of the ratios when the lane is taken only without a warning.",
    f"Intervals: {100 * CONFIDENCE:.0f} % by bootstrap over matrices.",
)


def write_predictability(rows: pd.DataFrame, stem: Path, text: Heading) -> None:
    """Write `<stem>.csv`, `.md` and `.tex`; a sentence for what has too few matrices."""
    numbers = study(rows)
    shown = [_shown(row) for row in numbers.to_dict("records") if row["rows"]]
    notes = [*too_few(rows), *(HOW if shown else []), *_findings(rows, numbers)]
    write_forms(numbers, shown, lambda _: notes, stem, text)


def _shown(row: dict[Any, Any]) -> dict[str, str]:
    return {
        "pipeline": str(row["pipeline"]),
        "predictor": str(row["predictor"]),
        "before a run": "yes" if row["cheap"] else "no",
        "rows": str(row["rows"]),
        "R^2, matrix left out": _ends(row, "matrix_r2"),
        "error": _times(row, "matrix_factor"),
        "R^2, kernel left out": _ends(row, "kernel_r2"),
        "error, kernel left out": _times(row, "kernel_factor"),
        "warnings right": _percent(row, "matrix_precision"),
        "regressions found": _percent(row, "matrix_recall"),
        "gain when heeded": _times(row, "matrix_gain"),
    }


def _ends(row: dict[Any, Any], name: str) -> str:
    if pd.isna(row.get(name)):
        return "-"
    return f"{row[name]:.2f} [{row[f'{name}_low']:.2f}, {row[f'{name}_high']:.2f}]"


def _times(row: dict[Any, Any], name: str) -> str:
    return ratio(row.get(name), row.get(f"{name}_low"), row.get(f"{name}_high")).replace("n/a", "-")


def _percent(row: dict[Any, Any], name: str) -> str:
    # Without a regression, as for published medians, nothing can be found or missed.
    if pd.isna(row.get(name)) or not row["regressions"]:
        return "-"
    ends = [100 * row[f"{name}{end}"] for end in ("", "_low", "_high")]
    return "{:.0f} % [{:.0f}, {:.0f}]".format(*ends)


def _findings(rows: pd.DataFrame, numbers: pd.DataFrame) -> list[str]:
    notes = []
    for pipeline, matrices in enough(rows).items():
        mine = rows[rows["pipeline"] == pipeline]
        samples = samples_of(mine)
        notes += [f"{pipeline}: not recorded: {lost}." for lost in _not_recorded(samples)]
        notes.append(f"{pipeline}: {_counted(mine, samples, matrices)}")
        notes += [f"{pipeline}: {told}" for told in _best(numbers, pipeline, samples)]
        notes.append(f"{pipeline}: {_by_width(samples)}")
        tree, known = usable(named(TREE), samples)
        if len(np.unique(known.matrices)) >= WANTED_MATRICES:
            notes.append(f"{pipeline}: {_chosen(known, tree.columns)}")
            rules = "; ".join(tree_rules(known, tree.columns))
            notes.append(f"{pipeline}: the tree of all rows: {rules}.")
    return notes


def _not_recorded(samples: Samples) -> list[str]:
    lost = [f.label for f in FEATURES if samples.x[f.name].isna().all()]
    return [", ".join(lost)] if lost else []


def _counted(rows: pd.DataFrame, samples: Samples, matrices: int) -> str:
    by_kernel = ", ".join(f"{n} {k}" for k, n in Counter(samples.kernels).items())
    y = samples.y
    always, never_worse = 2 ** y.mean(), 2 ** np.maximum(y, 0).mean()
    intervals = rows["speedup_high"].notna().any()
    below = f"{int(samples.regressed.sum())} regressions" if intervals else "no intervals"
    return (
        f"{len(y)} ratios on {matrices} matrices ({by_kernel}), {below}; geometric mean "
        f"{always:.2f}x always, {never_worse:.2f}x where one knew which lose."
    )


def _best(numbers: pd.DataFrame, pipeline: str, samples: Samples) -> list[str]:
    """Name the best single features, what sets add to the best one, and where it errs most."""
    mine = numbers[(numbers["pipeline"] == pipeline) & numbers["cheap"]]
    single = mine[mine["kind"] == "one feature"].dropna(subset="matrix_r2")
    if single.empty:
        return []
    order = single.sort_values("matrix_r2", ascending=False).head(3)
    best = ", ".join(f"{r.predictor} ({r.matrix_r2:.2f})" for r in order.itertuples())
    first = named(str(order["predictor"].iloc[0]))
    return [
        f"best single features before a run, by R^2 with a matrix left out: {best}.",
        *(
            told
            for other in (COUNTED, AT_RUN_TIME, BEST, EVERYTHING, TREE)
            for told in _ahead(named(other), first, samples)
        ),
        _farthest(first, samples),
        *_crossing(first, samples),
    ]


def _ahead(predictor: Predictor, first: Predictor, samples: Samples) -> list[str]:
    """Tell a predictor's R^2 against the best single feature's, matrix and kernel left out."""
    parts = ", ".join(
        "{:+.2f} [{:+.2f}, {:+.2f}]".format(*found) + f" with a {left_out} left out"
        for left_out in ("matrix", "kernel")
        if (found := ahead_of(predictor, first, samples, left_out))
    )
    return [f"R^2 of {predictor.name} less that of {first.name}: {parts}."] if parts else []


def _farthest(predictor: Predictor, samples: Samples) -> str:
    """Name the two rows with the largest errors, and their share of the squared error."""
    asked, mine = usable(predictor, samples)
    errors = (mine.y - left_out_predictions(asked, mine, mine.matrices)) ** 2
    rows = np.argsort(-errors)[:2]
    names = ", ".join(
        f"{mine.kernels[n]} on {mine.matrices[n]} ({2 ** mine.y[n]:.2f}x)" for n in rows
    )
    share = 100 * errors[rows].sum() / errors.sum()
    return f"{share:.0f} % of the squared error of {asked.name} are those of two ratios: {names}."


def _crossing(predictor: Predictor, samples: Samples) -> list[str]:
    """Tell where the parabola of all rows goes from a loss to a gain."""
    _, mine = usable(predictor, samples)
    x = mine.x[list(predictor.columns)].to_numpy(float)
    along = np.linspace(x.min(), x.max(), 1000)
    gains = predictor.fit(x, mine.y)(along[:, None]) > 0
    starts = along[1:][gains[1:] & ~gains[:-1]]
    feature = next(f for f in FEATURES if f.name == predictor.columns[0])
    return [f"its fit to all rows goes above 1 at {feature.back(at):.3g}." for at in starts]


def _by_width(samples: Samples) -> str:
    """Tell the ratios by how many sides have a mean segment shorter than the lane is wide."""
    known = samples.x[list(RULES.values())].dropna()
    sides = (known < np.log2(WIDTH)).sum(axis=1)
    ratios = pd.Series(samples.y, samples.x.index)[known.index].groupby(sides)
    names = {2: "both", 1: "one side", 0: "neither"}
    parts = [
        f"{names[int(count)]} {2 ** y.mean():.2f}x ({len(y)} rows, {(y < 0).sum()} below 1)"
        for count, y in sorted(ratios, reverse=True, key=lambda item: int(item[0]))
    ]
    return f"mean segments below {WIDTH}: {', '.join(parts)}."


def _chosen(samples: Samples, columns: tuple[str, ...]) -> str:
    chosen = choose(samples.x[list(columns)].to_numpy(float), samples.y)
    labels = {feature.name: feature.label for feature in FEATURES}
    return f"the {BEST} of all rows: {', '.join(labels[columns[n]] for n in chosen)}."


def tree_rules(samples: Samples, columns: tuple[str, ...]) -> list[str]:
    """Return a line a leaf of the tree of all rows, in the features' own units."""
    by_name = {feature.name: feature for feature in FEATURES}
    features = [by_name[name] for name in columns]
    node = grow(samples.x[list(columns)].to_numpy(float), samples.y)
    return [
        f"{_way(way, features)}: {2**leaf.mean:.2f}x ({leaf.rows} rows)"
        for way, leaf in leaves(node)
    ]


def _way(way: Any, features: list[Any]) -> str:
    steps = [
        f"{features[column].label} {'at most' if at_most else 'above'} "
        f"{features[column].back(threshold):.3g}"
        for column, at_most, threshold in way
    ]
    return " and ".join(steps) or "everywhere"

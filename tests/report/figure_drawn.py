"""Draw a figure of records, as the rule does."""

import pandas as pd

from splyce_bench.report.figures import KINDS, draw
from splyce_bench.report.tidy import tidy


def drawn(name, records, folder):
    """Draw from a CSV; return the SVG."""
    tidy(records).to_csv(folder / "tidy.csv", index=False)
    draw(name, pd.read_csv(folder / "tidy.csv"), "splyce", folder / name)
    assert all((folder / f"{name}.{kind}").stat().st_size > 1000 for kind in KINDS)
    return (folder / f"{name}.svg").read_text()

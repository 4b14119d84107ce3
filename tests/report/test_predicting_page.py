"""docs/predicting-regressions.md holds the table that its records give."""

import pandas as pd
import pytest

from splyce_bench.configuration import load_yaml
from splyce_bench.errors import UserError
from splyce_bench.report.included import filled
from splyce_bench.report.predictability_table import write_predictability
from splyce_bench.report.tables import Heading

FOLDER = "docs/reference/predictability"


def test_the_page_holds_its_table(root):
    page = root / "docs" / "predicting-regressions.md"
    command = f"python -m splyce_bench.report.included {page.relative_to(root)}"
    assert page.read_text() == filled(page), f"run: {command}"


def test_the_table_is_what_the_features_give(root, tmp_path):
    entry = load_yaml(root / "experiments" / "predictability.yaml")
    rows = pd.read_csv(root / FOLDER / "features.csv")
    heading = Heading(entry["title"], entry["caption"], "paper")
    write_predictability(rows, tmp_path / "predictability", heading)
    made = (tmp_path / "predictability.md").read_text()
    assert made == (root / FOLDER / "predictability.md").read_text(), "see the end of the page"


def test_a_file_that_is_not_there_is_named(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("<!-- include docs/nowhere.md -->\n<!-- end -->\n")
    with pytest.raises(UserError, match=r"include docs/nowhere\.md: no such file"):
        filled(page)

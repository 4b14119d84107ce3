"""docs/predicting-regressions.md holds the table that its records give."""

import os
import shlex
import shutil
import subprocess
import sys

import pytest

from splyce_bench.errors import UserError
from splyce_bench.report.included import filled

FOLDER = "docs/reference/predictability"
# Whole lines, as the page has them.
COMMANDS = """\
python -m splyce_bench.report table --experiment predictability --scale paper --tidy docs/reference/predictability/features.csv --out-stem docs/reference/predictability/predictability
python -m splyce_bench.report figure --name predictability --style splyce --tidy docs/reference/predictability/features.csv --out-stem docs/reference/predictability/predictability
python -m splyce_bench.report.included docs/predicting-regressions.md
"""  # noqa: E501


def test_the_page_holds_its_table(root):
    page = root / "docs" / "predicting-regressions.md"
    command = f"python -m splyce_bench.report.included {page.relative_to(root)}"
    assert page.read_text() == filled(page), f"run: {command}"


def test_its_commands_make_what_it_holds(root, tmp_path):
    """The last lines of the page, on a copy of its records without what they make."""
    (tmp_path / FOLDER).mkdir(parents=True)
    shutil.copy(root / FOLDER / "features.csv", tmp_path / FOLDER)
    page = "docs/predicting-regressions.md"
    shutil.copy(root / page, tmp_path / page)
    for command in COMMANDS.splitlines():
        program, *arguments = shlex.split(command)
        assert program == "python"
        environment = {**os.environ, "PYTHONPATH": str(root)}
        subprocess.run([sys.executable, *arguments], cwd=tmp_path, env=environment, check=True)
    for made in (f"{FOLDER}/predictability.md", page):
        assert (tmp_path / made).read_text() == (root / made).read_text(), "see the page's end"
    assert (tmp_path / FOLDER / "predictability.png").exists()


def test_a_file_that_is_not_there_is_named(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("<!-- include docs/nowhere.md -->\n<!-- end -->\n")
    with pytest.raises(UserError, match=r"include docs/nowhere\.md: no such file"):
        filled(page)

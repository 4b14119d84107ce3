"""The pages that walk through an example, followed to the letter in a clone."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pandas as pd
import pytest
from blocks import blocks_of, put_file

# Page, and what its runs measured: results folder, experiment, rows.
EXAMPLES = {
    "your-kernel.md": [("rowdot", "rowdot", 4)],
    "your-matrices.md": [("grid", "grid", 4), ("mine", "figure15", 4)],
    "your-pass.md": [("mypass", "mypass", 5)],
}


@pytest.fixture
def reader(make_clone, tmp_path, root):
    """A clone with the pages, and a shell in it with the environment active."""
    clone = make_clone(tmp_path / "clone")
    shutil.copytree(root / "docs", clone.folder / "docs")
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])

    def shell(script: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["bash", "-euo", "pipefail", "-c", script],
            cwd=clone.folder,
            env={**clone.environment, "PATH": path},
            capture_output=True,
            text=True,
            check=False,
            timeout=300,
        )

    clone.shell = shell
    return clone


@pytest.mark.parametrize("page", EXAMPLES)
def test_the_page_works_as_written(reader, root, page):
    for block in blocks_of(root / "docs" / page):
        put_file(block, reader.folder)
        if block.mark == ("commands:", "run"):
            done = reader.shell(block.text)
            said = done.stdout[-3000:] + done.stderr[-5000:]
            assert done.returncode == 0, f"{block.where}: {block.text}\n{said}"
    for run, experiment, rows in EXAMPLES[page]:
        found = pd.read_csv(reader.folder / f"results/{run}/tidy/{experiment}.csv")
        assert found["outcome"].eq("measured").all(), found[["pipeline", "outcome"]]
        assert len(found) == rows


def test_only_these_pages_say_that_their_commands_are_run(root):
    running = {
        page.name
        for page in (root / "docs").glob("*.md")
        if any(block.mark == ("commands:", "run") for block in blocks_of(page))
    }
    assert running == set(EXAMPLES)

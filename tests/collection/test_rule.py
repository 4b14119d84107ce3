"""The rule in Snakemake: what is absent is recorded, and asked for again by the same command."""

import os
import shutil
import subprocess
import sys

import pytest
from serving import SMALL, mtx, tar_gz

from splyce_bench.files import read_json

PARTS = (
    "Snakefile",
    "config",
    "experiments",
    "profiles",
    "splyce_bench",
    "splyce_pass",
    "workflow",
)
NAMES = ("a", "b.c-d_e")


@pytest.fixture
def clone(root, tmp_path):
    folder = tmp_path / "clone"
    folder.mkdir()
    for part in PARTS:
        (folder / part).symlink_to(root / part)
    shutil.copy2(root / "environment.yml", folder)
    columns = ("group", "name", "rows", "cols", "stored")
    rows = [columns, *(("G", name, "3", "3", "2") for name in NAMES)]
    (folder / "mine.tsv").write_text("".join("\t".join(row) + "\n" for row in rows))
    return folder


def test_the_rule_fetches_what_was_absent(clone, server, cache):
    server.add("G", "a", SMALL)
    records = [f"results/r/matrices/G/{name}.json" for name in NAMES]
    command = [sys.executable, "-m", "splyce_bench.snakemake_cli", *records, "--config", "run=r"]
    command += [f"collection={{mirror: '{server.mirror}'}}", "matrices={sweep: mine.tsv}"]

    def outcomes():
        environment = {**os.environ, "SPLYCE_CACHE": str(cache)}
        result = subprocess.run(command, cwd=clone, env=environment, capture_output=True, text=True)
        assert result.returncode == 0, result.stderr
        return [read_json(clone / record)["outcome"] for record in records]

    assert outcomes() == ["available", "absent"]
    asked = len(server.requests)
    server.files["/MM/G/b.c-d_e.tar.gz"] = tar_gz(("b.c-d_e/b.c-d_e.mtx", mtx()))
    assert outcomes() == ["available", "available"]
    assert len(server.requests) == asked + 1

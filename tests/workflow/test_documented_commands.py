"""Every command line of the README and of docs/ is run, dry-run, or says what it needs."""

import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from blocks import NEEDS, blocks_of, pages, put_files

ROOT = Path(__file__).resolve().parent.parent.parent
BLOCKS = [block for page in pages(ROOT) for block in blocks_of(page) if block.commands]
UNMARKED = [block for block in BLOCKS if block.mark[0] != "commands:"]
PLAIN = [(block.where, line) for block in UNMARKED for line in block.commands]


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.where)
def test_a_mark_says_something_that_holds(block):
    kind, _, detail = block.mark[1].partition(" ")
    if block.mark[0] != "commands:" or block.mark[1] == "run":
        return
    assert kind in ("by", "needs"), f"{block.where}: see the marks in tests/workflow/blocks.py"
    if kind == "needs":
        assert detail in NEEDS, f"{block.where}: needs one of {NEEDS}"
        return
    text = (ROOT / detail).read_text(encoding="utf-8")
    missing = [line for line in block.commands if line not in text]
    assert not missing, f"{block.where}: {detail} does not run {missing}"


@pytest.mark.parametrize(("where", "line"), PLAIN)
def test_what_has_no_mark_can_be_tried_without_running_it(where, line):
    program = shlex.split(line)[0]
    assert program in ("snakemake", "splyce-bench"), (
        f"{where}: `{line}` needs a mark before its block, see tests/workflow/blocks.py"
    )


@pytest.fixture(scope="module")
def followed(make_clone, tmp_path_factory):
    """A clone in which a reader has written the files of every page."""
    clone = make_clone(tmp_path_factory.mktemp("pages") / "clone")
    shutil.copytree(ROOT / "docs", clone.folder / "docs")
    for page in pages(ROOT):
        put_files(page, clone.folder)
    # What a command of a page makes, and a dry run only asks to be there.
    header = "%%MatrixMarket matrix coordinate real general\n"
    (clone.folder / "grid.mtx").write_text(header + "2 2 1\n1 1 1\n")
    (clone.folder.parent / "my-pass/build").mkdir(parents=True)
    (clone.folder.parent / "my-pass/build/MyPass.so").touch()
    return clone


def lines_of(program):
    return [pair for pair in PLAIN if shlex.split(pair[1])[0] == program]


@pytest.mark.parametrize(("where", "line"), lines_of("snakemake"))
def test_a_snakemake_line_plans(followed, where, line):
    result = followed.snakemake("-n", *shlex.split(line)[1:], config=())
    assert result.returncode == 0, f"{where}: {line}\n{result.stderr[-3000:]}"


@pytest.mark.parametrize(("where", "line"), lines_of("splyce-bench"))
def test_a_splyce_bench_line_names_a_command(followed, where, line):
    command = [sys.executable, "-c", "from splyce_bench.cli import main; main()"]
    command += [shlex.split(line)[1], "--help"]
    result = subprocess.run(
        command, cwd=followed.folder, env=followed.environment, capture_output=True, check=False
    )
    assert result.returncode == 0, f"{where}: {line}\n{result.stderr.decode()[-3000:]}"

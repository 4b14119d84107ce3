"""The `splyce-bench` command."""

import pytest

from splyce_bench.cli import clean_folders
from splyce_bench.errors import UserError


@pytest.fixture
def folder(tmp_path):
    results = tmp_path / "results"
    for name in ("smoke", "paper"):
        (results / name).mkdir(parents=True)
        (results / name / "x").write_bytes(bytes(3_000_000))
    return results


def test_clean_shows_and_changes_nothing(folder, capsys):
    clean_folders([folder, folder.with_name("absent")], [])
    assert "3.0 MB  results/smoke\n" in capsys.readouterr().out
    assert (folder / "smoke/x").exists()


def test_clean_removes_what_is_named_and_nothing_else(folder):
    clean_folders([folder], ["results/smoke"])
    assert [path.name for path in folder.iterdir()] == ["paper"]


def test_an_unknown_name_removes_nothing(folder):
    with pytest.raises(UserError, match="no entry 'results/smok'; there is: .*results/smoke"):
        clean_folders([folder], ["results/paper", "results/smok"])
    assert len(list(folder.iterdir())) == 2

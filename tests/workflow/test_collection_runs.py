"""Tables and figures of matrices in Snakemake: a mirror, no network, and what is too large."""

import sys
from pathlib import Path

import pandas as pd
import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "collection"))

from serving import Server, mtx, tar_gz

from splyce_bench.files import read_json

COLUMNS = ("kernel", "group", "name", "rows", "cols", "stored", "pairing")
LARGE = 40_000_000


@pytest.fixture
def server(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    server = Server()
    for name, size in (("a", 30), ("b.c-d_e", 20)):
        archive = tar_gz((f"{name}/{name}.mtx", mtx(size, size * size // 2)))
        server.add("G", name, archive)
    yield server
    server.stop()


@pytest.fixture
def study(clone, server, tmp_path):
    """A clone whose lists name two matrices of the mirror and one that fits nowhere."""
    lines = [
        ("spgemm", "G", "a", 30, 30, 450, ""),
        ("spgemm", "G", "b.c-d_e", 20, 20, 200, ""),
        ("spgemm", "G", "huge", LARGE, LARGE, 10**12, ""),
        ("spmspv", "G", "a", 30, 30, 450, "B=matrix x=20"),
        ("spmmh", "G", "a", 30, 30, 450, ""),
    ]
    text = "".join("\t".join(map(str, line)) + "\n" for line in (COLUMNS, *lines))
    (clone.folder / "mine.tsv").write_text(text)
    settings = f"{{mirror: '{server.mirror}', retries: 0, timeout_seconds: 2}}"
    clone.config = (
        "run=tiny",
        "matrices={sweep: mine.tsv, real_world: mine.tsv}",
        f"collection={settings}",
        clone.tiny[2],
        f"cache_dir={tmp_path / 'cache'}",
    )
    return clone


def told(result):
    return result.stdout[-3000:] + result.stderr[-6000:]


def outcomes(folder, name):
    """Return the outcome of the fast lane by kernel and matrix."""
    rows = pd.read_csv(folder / f"results/tiny/tidy/{name}.csv")
    mine = rows[rows["pipeline"] == "config5"]
    return dict(zip(mine["kernel"] + " " + mine["input"], mine["outcome"], strict=True))


def test_a_table_and_a_figure_from_a_mirror(study, server):
    result = study.snakemake("table4", "figure14", "figure16", config=study.config)
    assert result.returncode == 0, told(result)
    assert outcomes(study.folder, "table4") == {
        "spgemm G/a": "measured",
        "spgemm G/b.c-d_e": "measured",
        "spgemm G/huge": "too_large",
        "spmspv G/a": "measured",
        "spmmh G/a": "measured",
    }
    assert outcomes(study.folder, "figure14")["spgemm G/a"] == "measured"
    run = study.folder / "results/tiny"
    for name in ("figure14", "figure16"):
        assert (run / f"figures/{name}.svg").stat().st_size > 1000
    rows = pd.read_csv(run / "tidy/table4.csv").set_index(["kernel", "input", "pipeline"])
    mine = rows.loc[("spgemm", "G/a", "config5")]
    assert (mine["rows"], mine["stored"], mine["matrix_density_pct"]) == (30, 450, 50)
    assert 0 <= mine["simd_pct"] <= 100
    assert not (run / "inputs").exists() or not list((run / "inputs").rglob("*.npy"))
    table = (run / "tables/table4.md").read_text()
    assert "spgemm, G/huge: too large: needs" in table
    assert "GiB of memory for its operands, has" in table
    # Each matrix once, and what cannot fit never.
    assert sorted(path for path, _ in server.requests) == [
        "/MM/G/a.tar.gz", "/MM/G/b.c-d_e.tar.gz",
    ]  # fmt: skip
    again = study.snakemake("table4", "figure14", config=study.config)
    assert "Nothing to be done" in again.stdout + again.stderr


def test_without_network_the_rest_is_drawn_and_the_next_call_asks_again(study, server):
    config = tuple(c.replace(server.mirror, "http://127.0.0.1:9") for c in study.config)
    result = study.snakemake("figure14", config=config)
    assert result.returncode == 0, told(result)
    assert outcomes(study.folder, "figure14") == {
        "spgemm G/a": "absent", "spgemm G/b.c-d_e": "absent", "spgemm G/huge": "too_large",
    }  # fmt: skip
    assert "absent: figure14/spgemm/a-" in result.stdout + result.stderr
    svg = study.folder / "results/tiny/figures/figure14.svg"
    assert svg.read_text().count("<!-- absent -->") == 2
    # The same command with a network that is back; only the mirror's address differs.
    again = study.snakemake("figure14", config=study.config)
    assert again.returncode == 0, told(again)
    found = outcomes(study.folder, "figure14")
    assert found == {
        "spgemm G/a": "measured", "spgemm G/b.c-d_e": "measured", "spgemm G/huge": "too_large",
    }  # fmt: skip
    assert "<!-- absent -->" not in svg.read_text()


def test_a_cache_serves_without_network(study, server):
    assert study.snakemake("figure14", config=study.config).returncode == 0
    server.stop()
    config = ("run=other", *study.config[1:])
    result = study.snakemake("figure14", config=config)
    assert result.returncode == 0, told(result)
    found = [
        read_json(path)["outcome"]
        for path in (study.folder / "results/other/matrices").rglob("*.json")
    ]
    assert found == ["available", "available"]


def test_a_damaged_archive_costs_its_cells_and_fails_the_run(study, server):
    server.files["/MM/G/a.tar.gz"] = b"not an archive"
    result = study.snakemake("figure14", config=study.config)
    assert result.returncode != 0
    assert outcomes(study.folder, "figure14") == {
        "spgemm G/a": "failed", "spgemm G/b.c-d_e": "measured", "spgemm G/huge": "too_large",
    }  # fmt: skip
    assert "failed: figure14/spgemm/a-" in result.stdout + result.stderr
    assert "Traceback" not in result.stdout + result.stderr


def test_disk_holds_one_input_at_a_time(study):
    """Inputs are deleted after their last use, before the next is made."""
    result = study.snakemake("figure14", config=study.config)
    assert result.returncode == 0, told(result)
    most, held = 0, 0
    for line in (result.stdout + result.stderr).splitlines():
        held += line.startswith("Job ") and "Making input" in line
        held -= "Removing temporary output" in line and "/inputs/" in line
        most = max(most, held)
    assert most == 1

"""An experiment of one's own on tensor files: from YAML to measured cells, and its mistakes."""

import random

import pandas as pd
import pytest
import yaml

PIPELINES = ["baseline", "config5"]


def tensor(path, shape=(6, 5, 300), stored=900):
    source = random.Random(1)
    places = {tuple(source.randrange(size) + 1 for size in shape) for _ in range(stored)}
    lines = [*sorted(places - {shape}), shape]
    path.write_text(
        "".join(f"{' '.join(map(str, at))} {n % 7 + 1}.5\n" for n, at in enumerate(lines))
    )
    return str(path)


@pytest.fixture
def study(clone, tmp_path):
    """Write experiments/mine.yaml from groups, without kernel options that do not matter here."""

    def write(*groups):
        entry = {
            "title": "Mine", "section": "none", "caption": "My tensors.", "baseline": "baseline",
            "groups": [{"pipelines": PIPELINES, **group} for group in groups], "claims": [],
        }  # fmt: skip
        (clone.folder / "experiments/mine.yaml").write_text(yaml.safe_dump(entry))
        return clone

    write.path = tensor(tmp_path / "mine.tns")
    return write


def of(kernel, path, **pairing):
    return {"kernel": kernel, "inputs": {"matrices": [path]}, "pairing": pairing}


def test_a_tensor_is_measured_with_partners_of_its_sizes(study):
    clone = study(
        of("spmttkrp", study.path, B="matrix", C=20, D="density>=5", j=200),
        of("spttspm", study.path, B="matrix", C="density", r="i"),
    )
    result = clone.snakemake("mine")
    assert result.returncode == 0, result.stdout[-3000:] + result.stderr[-6000:]
    rows = pd.read_csv(clone.folder / "results/tiny/tidy/mine.csv")
    assert set(rows["kernel"]) == {"spmttkrp", "spttspm"}
    assert rows["outcome"].eq("measured").all()
    assert rows["speedup"].notna().all()
    assert "mine.tns" in (clone.folder / "results/tiny/tables/mine.md").read_text()


@pytest.mark.parametrize("option", ["-n", "-k"])
def test_a_missing_file_is_one_message_before_the_first_job(study, option):
    clone = study(of("spttspm", "/data/absent.tns", B="matrix", C=5, r=4))
    result = clone.snakemake(option, "mine")
    assert result.returncode == 1
    told = "error: /data/absent.tns: no such file; experiments/mine.yaml gives it to operand B of"
    assert told in result.stderr
    assert "Traceback" not in result.stderr
    # Whoever wants something else is not kept from it.
    assert "measure_group" in clone.planned("figure13")


def test_a_file_of_another_rank_is_one_message(study, tmp_path):
    flat = tensor(tmp_path / "flat.tns", shape=(6, 5), stored=20)
    clone = study(of("spttspm", flat, B="matrix", C=5, r=4))
    result = clone.snakemake("mine")
    assert result.returncode != 0
    output = result.stdout + result.stderr
    assert "flat.tns: it has 2 dimensions, and operand B of the kernel has 3" in output
    assert "Traceback" not in output

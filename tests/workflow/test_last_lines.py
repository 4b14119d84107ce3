"""What a run that failed in a cell ends with: the A/A control, where the results are, the cells."""

import json
import subprocess

import yaml

TRAP = "void splyce_call(const long *w) { __builtin_trap(); }"


def test_a_kernel_that_crashes_costs_its_cell_and_the_last_lines_tell(clone):
    path = clone.folder / "experiments/figure13.yaml"
    table = yaml.safe_load(path.read_text())
    table["groups"] = [
        {"kernel": "spgemm", "pipelines": ["baseline", "config5", "config7"]}
        | {"inputs": {"density_pct": [5]}}
    ]
    path.write_text(yaml.safe_dump(table))
    built = clone.snakemake("figure13", "--until", "compile_kernel")
    assert built.returncode == 0, built.stderr[-3000:]
    [folder] = clone.folder.glob("build/*/kernels/spgemm/config7/serial")
    command = ["cc", "-shared", "-fPIC", "-xc", "-", "-o", str(folder / "kernel.so")]
    subprocess.run(command, input=TRAP, text=True, check=True)
    result = clone.snakemake("figure13")
    assert result.returncode == 1
    raw = clone.folder / "results/tiny/failed/raw/figure13/spgemm/d5/c1-1.json"
    cells = json.loads(raw.read_text())["cells"]
    assert {name: cell["outcome"] for name, cell in cells.items()} == {
        "baseline": "measured", "config5": "measured", "config7": "failed",
    }  # fmt: skip
    # What Snakemake adds is its own.
    last = result.stderr.rpartition("results/tiny/figures: figure13")[2].splitlines()
    [cell] = [n for n, line in enumerate(last) if line.startswith("failed: ")]
    [control] = [line for line in last[:cell] if line.startswith("A/A control ")]
    assert "pairs of 1 groups" in control
    assert last[cell] == "failed: figure13/spgemm/d5/c1/config7: crashed with SIGILL"
    assert last[cell + 1].startswith("error: some cells failed; the same command measures just")
    assert not any(line.startswith("error: ") for line in last[:cell])


def test_errors_of_an_earlier_call_are_not_repeated(clone):
    log = clone.folder / "results/tiny/logs/measure/old.log"
    log.parent.mkdir(parents=True)
    log.write_text("error: of long ago\n")
    path = clone.folder / "config/pipelines.yaml"
    table = yaml.safe_load(path.read_text())
    table["config5"]["plugins"] = ["/nonexistent.so"]
    path.write_text(yaml.safe_dump(table))
    result = clone.snakemake("figure13", "--until", "compile_kernel")
    assert result.returncode == 1
    assert "error: of long ago" not in result.stderr
    assert "/nonexistent.so" in result.stderr

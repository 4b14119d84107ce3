"""A kernel that the sparsifier of an LLVM does not know costs its own rows (field report A12)."""

import json
import os
import stat

import pandas as pd
import pytest
import yaml

WRAPPER = """#!/bin/sh
case "$*" in *sparsif*)
  if grep -q '@spmspv(' "$2"; then
    echo "error: failed to legalize operation 'arith.maxsi'" >&2
    exit 1
  fi ;;
esac
exec {tool} "$@"
"""


@pytest.fixture
def older(clone):
    """A clone whose mlir-opt fails on SpMSpV, as an LLVM does on an operation it does not know."""
    path = next(clone.folder.glob("build/*/toolchain.json"))
    toolchain = json.loads(path.read_text())
    wrapper = clone.folder / "mlir-opt"
    wrapper.write_text(WRAPPER.format(tool=toolchain["tools"]["mlir-opt"]))
    wrapper.chmod(wrapper.stat().st_mode | stat.S_IXUSR)
    toolchain["tools"]["mlir-opt"] = str(wrapper)
    times = path.stat()
    path.write_text(json.dumps(toolchain))
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    experiment = clone.folder / "experiments" / "table3.yaml"
    table = yaml.safe_load(experiment.read_text())
    table["groups"] = [g for g in table["groups"] if g["kernel"] in ("spgemm", "spmspv")]
    experiment.write_text(yaml.safe_dump(table))
    sizes = "sizes={spgemm: {i: 20, j: 20, k: 500}, spmspv: {i: 10, j: 1000}}"
    clone.config = (clone.tiny[0], sizes, clone.tiny[2])
    return clone


def test_one_row_is_marked_and_the_others_are_complete(older):
    result = older.snakemake("table3", config=older.config)
    output = result.stdout + result.stderr
    assert result.returncode != 0
    reason = "failed: table3/spmspv/d5/c1/config5: unsupported by this LLVM: sparsification of"
    assert reason in output
    assert "failed to legalize operation 'arith.maxsi'" in output
    assert "Traceback" not in output
    run = older.folder / "results/tiny"
    rows = pd.read_csv(run / "tidy/table3.csv").set_index(["kernel", "pipeline"])
    assert rows.loc[("spgemm", "config5"), "outcome"] == "measured"
    assert rows.loc[("spmspv", "config5"), "outcome"] == "failed"
    assert rows.loc["spmspv", ["time_s", "speedup"]].isna().all(axis=None)
    table = (run / "tables/table3.md").read_text()
    assert table.count("unsupported by this LLVM") == 2
    assert [line for line in table.splitlines() if "| spmspv" in line and "| failed" in line]
    log = run / "logs/compile/spmspv/config5/serial.log.steps"
    assert "failed to legalize" in log.read_text()


def test_an_operation_that_the_notation_does_not_know_is_named(clone):
    path = clone.folder / "config/kernels.yaml"
    table = yaml.safe_load(path.read_text())
    formats = {"a": "sparse_vector", "b": "sparse_vector"}
    expression = "y[i] = max(a[i], b[i])"
    table["larger"] = {"description": "d", "expression": expression, "formats": formats}
    path.write_text(yaml.safe_dump(table))
    result = clone.snakemake("-n", "table3")
    assert result.returncode != 0
    assert f"larger.expression: cannot read '{expression}' at column 11" in result.stderr
    assert "Traceback" not in result.stderr

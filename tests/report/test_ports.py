"""The table of port pressure: what the blocks need, labelled static; or why there is none."""

import pandas as pd
import pytest

from splyce_bench.compile.pipelines import load_pipelines
from splyce_bench.report.ports import port_rows, write_ports


def block(name, loop, **pressure):
    cycles = max(pressure.values())
    found = {"block": name, "loop": loop, "instructions": 9, "block_cycles": cycles}
    return {**found, "pressure": pressure}


def group(**pipelines):
    static = {
        name: {"kind": "static", "model": "llvm-mca 22.1.8, znver5", "blocks": blocks}
        if isinstance(blocks, list)
        else {"kind": "unavailable", "reason": blocks}
        for name, blocks in pipelines.items()
    }
    return {"kernel": "spgemm", "static": static}


@pytest.fixture
def written(root, tmp_path):
    def write(*records):
        stem = tmp_path / "figure11_ports"
        pipelines = load_pipelines(root / "config" / "pipelines.yaml")
        write_ports(list(records), pipelines, stem, "smoke")
        return {kind: stem.with_suffix(f".{kind}") for kind in ("csv", "md", "tex")}

    return write


def test_each_block_with_its_busiest_ports(written):
    lane = block("BB0_5", "fast lane", P0=2.0, P1=6.0, P2=0.0, P3=1.0, P4=1.0, P5=1.0)
    record = group(
        baseline=[block("BB0_4", "two-finger loop", P0=1.0)],
        config5=[lane, block("BB0_9", "epilogue", P0=3.0)],
    )
    files = written(record, record)
    table = pd.read_csv(files["csv"])
    assert list(table["block"]) == ["BB0_4", "BB0_5", "BB0_9"], "a kernel counted twice is one"
    assert list(table["P1"]) == [0.0, 6.0, 0.0]
    text = files["md"].read_text()
    assert "Port pressure, STATIC, by llvm-mca 22.1.8, znver5" in text
    assert "P1 6.0, P0 2.0, P3 1.0, P4 1.0 |" in text
    assert "two-finger loop" in text
    assert "BB0_9" not in text
    assert "tabular" in files["tex"].read_text()


def test_without_llvm_mca_the_reason_is_there(written):
    files = written(group(config5="no llc or llvm-mca in the toolchain"))
    assert "config5: no static analysis: no llc or llvm-mca" in files["md"].read_text()
    assert pd.read_csv(files["csv"]).empty


def test_no_record_is_no_row():
    assert port_rows([]).empty

"""callgrind's files and llvm-mca's answers, without running either; llvm-mca live."""

import json
import subprocess

import pytest

from splyce_bench.counters.mca import McaError, analyse, innermost_blocks
from splyce_bench.counters.valgrind import parse_callgrind, to_record
from splyce_bench.errors import UserError

DUMP = "events: Ir Bc Bcm Bi Bim\nfn=(1) kernel\n0 7\ntotals: 1000 100 10\n"

IR = """
define double @kernel(ptr %a, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i64 [0, %entry], [%next, %loop]
  %sum = phi double [0.0, %entry], [%more, %loop]
  %at = getelementptr double, ptr %a, i64 %i
  %x = load double, ptr %at
  %more = fadd double %sum, %x
  %next = add i64 %i, 1
  %again = icmp slt i64 %next, %n
  br i1 %again, label %loop, label %done
done:
  ret double %more
}
"""


def test_callgrind_totals():
    record = to_record(parse_callgrind(DUMP, "callgrind.out"))
    assert record["kind"] == "simulated"
    assert (record["instructions"], record["branches"], record["branch_misses"]) == (1000, 100, 10)


def test_a_cut_callgrind_file_is_told():
    with pytest.raises(UserError, match=r"callgrind\.out: expected the lines"):
        parse_callgrind("events: Ir Bc\n", "callgrind.out")


@pytest.fixture
def compiled(tmp_path):
    (tmp_path / "kernel.opt.ll").write_text(IR)
    settings = {"cpu": "x86-64-v3", "llc_flags": ["-O3"]}
    record = {"pipeline": {"cpu": None, "features": ""}, "settings": settings, "rewritten": 0}
    (tmp_path / "kernel.json").write_text(json.dumps(record))
    return tmp_path


def test_blocks_of_the_innermost_loop(compiled, toolchain):
    command = [toolchain["tools"]["llc"], "-O3", str(compiled / "kernel.opt.ll"), "-o", "-"]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    [block] = innermost_blocks(text)
    assert block.depth == 1
    assert any("addsd" in line for line in block.lines)


def test_port_pressure(compiled, toolchain):
    found = analyse(compiled, toolchain)
    assert found["kind"] == "static"
    [block] = found["blocks"]
    assert block["loop"] == "two-finger loop"
    assert block["block_cycles"] > 0
    assert max(block["pressure"].values()) > 0


def test_a_toolchain_without_llvm_mca_is_told(compiled, monkeypatch):
    monkeypatch.setattr("shutil.which", lambda name: None)
    with pytest.raises(McaError, match="llvm-mca in the toolchain"):
        analyse(compiled, {"tools": {}})

"""Recordings of an Intel and an AMD processor, played by a fake perf, drive a full Figure 11."""

import io
import os
import shutil
import sys
from pathlib import Path

import matplotlib.pyplot as plt
import pandas as pd
import pytest

from splyce_bench.counters.group import CounterGroup
from splyce_bench.counters.record import unavailable_record
from splyce_bench.counters.topdown import LEVEL1
from splyce_bench.counters.valgrind import to_record
from splyce_bench.report.counters import counter_rows
from splyce_bench.report.figure11 import draw_figure11
from splyce_bench.report.figures import draw

CONFIGS = ["baseline", *(f"config{n}" for n in range(1, 9))]
RECORDINGS = Path(__file__).parent / "recordings"

# It answers with the recording that fits the arguments, and refuses what this processor has not.
PLAYER = """\
#!{python} -S
import os, shutil, signal, sys
a = sys.argv[1:]
if a == ["--version"]:
    print("perf version 6.8"); sys.exit()
out, folder = a[a.index("-o") + 1], "{folder}"
asked = a[a.index("-M") + 1] if "-M" in a else a[a.index("-e") + 1]
name = asked
if "topdown-heavy" in asked: name = "level2"
elif "topdown" in asked: name = "level1"
elif "name=frontend" in asked: name = "dispatch"
elif asked.startswith(("cycles", "instr", "branch", "task-clock")): name = "events"
source = folder + "/" + name + ".json"
if not os.path.exists(source):
    sys.exit("event syntax error: " + asked)
def finish(*_):
    shutil.copy(source, out); os._exit(0)
if "-p" not in a:
    finish()
signal.signal(signal.SIGINT, finish)
control, ack = a[a.index("--control") + 1].removeprefix("fifo:").split(",")
c, k = os.open(control, os.O_RDWR), os.open(ack, os.O_RDWR)
while True:
    os.read(c, 64)
    os.write(k, b"ack\\n\\0")
"""


@pytest.fixture
def play(tmp_path, monkeypatch):
    def install(folder: str) -> None:
        (tmp_path / "bin").mkdir()
        perf = tmp_path / "bin/perf"
        perf.write_text(PLAYER.format(python=sys.executable, folder=RECORDINGS / folder))
        perf.chmod(0o755)
        monkeypatch.setenv("PATH", f"{perf.parent}:{os.environ['PATH']}")

    return install


def rows_of(task):
    task.toolchain.write_text('{"tools": {}}')
    record = CounterGroup(task, task, lambda line: None, 75).measure()
    return counter_rows([record]), record


def drawn(rows):
    # As the workflow does it, through a file.
    rows = pd.read_csv(io.StringIO(rows.to_csv(index=False)))
    figure = plt.figure()
    draw_figure11(figure, rows)
    panels = [
        (
            {part.get_label(): [bar.get_height() for bar in part] for part in axes.containers},
            " ".join([t.get_text() for t in axes.texts] + [axes.get_xlabel()]),
            [[bar.get_height() for bar in part] for part in axes.containers],
        )
        for axes in figure.axes
    ]
    plt.close(figure)
    return panels


@pytest.mark.parametrize(
    ("folder", "method", "shares", "level2"),
    [
        ("documented-intel-sapphire-rapids-6.8", "Intel top-down events", [20, 65, 5, 10], 9),
        ("documented-amd-zen4-6.8", "AMD dispatch-slot events", [50, 30, 10, 10], None),
    ],
)
def test_a_recorded_processor_draws_figure11(
    group_of, play, tmp_path, folder, method, shares, level2
):
    play(folder)
    rows, record = rows_of(group_of(dict.fromkeys(CONFIGS, "")))
    assert list(rows["kind"]) == ["measured"] * 9
    assert set(rows["topdown_method"]) == {method}
    (_, words, heights), *below = drawn(rows)
    # Ours first: retiring, backend, frontend, bad speculation (and SMT on AMD), one bar each.
    assert [part[0] for part in heights[:4]] == pytest.approx(shares)
    assert all(len(part) == 9 for part in heights)
    assert heights[-4][0] == pytest.approx(18.04), "the paper's retiring of the sparsifier"
    assert method in words
    assert "simulated" not in words
    found = record["counters"]["config5"]["topdown_l2"]
    if level2:
        assert found["branch_mispredicts"] == pytest.approx(level2)
        [(parts, words, heights)] = below
        assert parts["branch mispredicts"] == pytest.approx([level2] * 9)
        assert parts["memory bound"][0] == pytest.approx(50)
        assert sum(part[0] for part in heights) == pytest.approx(100)
        assert "level 2, ours: Intel top-down events, level 2" in words
    else:
        assert below == [], "nothing stands where level 2 would"
        assert "33.3 %" in record["counters"]["config5"]["unavailable"]["topdown_l2"]
    draw("figure11", rows, "splyce", tmp_path / "figure11")
    assert (tmp_path / "figure11.pdf").stat().st_size > 1000


def test_level2_under_amds_names_and_a_pipeline_without_it():
    group = simulated_group(baseline=64, config5=10)
    for record in group["counters"].values():
        record |= {"kind": "measured", "topdown_l1": dict.fromkeys(LEVEL1, 25.0)}
    level2 = {"retiring_fastpath": 49.0, "retiring_microcode": 1.0, "backend_bound_memory": 22.0}
    method = {"topdown_l2": level2, "topdown_l2_method": "perf -M PipelineL2"}
    group["counters"]["config5"] |= {**method, "scaled": ["topdown_l2"]}
    _, (parts, words, _) = drawn(counter_rows([group]))
    assert parts["retiring fastpath"] == [0, 49]
    assert words.startswith("no level 2 *")
    assert "perf -M PipelineL2" in words


def simulated_group(**misses):
    counters = {}
    for name, count in misses.items():
        totals = {"Ir": 1000, "Bc": 100, "Bi": 0, "Bcm": count, "Bim": 0}
        counters[name] = to_record(totals)
    cells = {name: {"outcome": "measured", "reason": ""} for name in counters}
    group = {"experiment": "figure11", "kernel": "spgemm", "input": {"label": "5 %"}}
    return {**group, "cores": 1, "baseline": "baseline", "cells": cells, "counters": counters}


def test_simulated_counts_are_a_panel_of_their_own():
    [(_, words, heights)] = drawn(counter_rows([simulated_group(baseline=64, config5=10)]))
    assert heights == [[1, 1], [1, pytest.approx(10 / 64)]]
    assert "SIMULATED by callgrind" in words


def test_a_lost_record_is_marked():
    group = simulated_group(baseline=64, config5=10)
    group["counters"]["config5"] = unavailable_record("crashed with SIGILL")
    group["cells"]["config5"]["outcome"] = "failed"
    [(_, words, heights)] = drawn(counter_rows([group]))
    assert heights[1] == [1, 0]
    assert "failed" in words


def test_without_both_the_figure_says_why(group_of, monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    rows, _ = rows_of(group_of({"baseline": ""}))
    assert list(rows["kind"]) == ["unavailable"]
    [(_, words, _)] = drawn(rows)
    assert "no perf program" in " ".join(words.split())

"""Groups: what a crash, a hang, a wrong result or a lacking machine costs is one cell."""

import json
import os
import platform
import re
import subprocess
import sys
from dataclasses import replace

import pytest
from conftest import SETTINGS, compile_fake

from splyce_bench.files import read_json, write_json
from splyce_bench.measure.group import Group
from splyce_bench.measure.key import group_key
from splyce_bench.measure.outcomes import check_results, unmeasured
from splyce_bench.measure.store import all_measured


def measure(task):
    lines = []
    record = Group(task, lines.append).measure()
    json.dumps(record, allow_nan=False)
    return record, lines


def test_a_good_group_is_measured_in_turn(group_of):
    record, lines = measure(group_of({"baseline": "", "other": ""}))
    assert all_measured(record)
    timed = [s for s in record["samples"] if not s["warmup"]]
    assert {s["pipeline"] for s in timed[:3]} == {"baseline", "baseline-again", "other"}
    for repetition in {s["repetition"] for s in timed}:
        assert sum(s["repetition"] == repetition for s in timed) == 3
    names = [s["pipeline"] for s in timed]
    assert len({tuple(names[i : i + 3]) for i in range(0, len(names), 3)}) > 1, "shuffled anew"
    assert record["stopped_by"] in ("interval", "max_repetitions", "max_seconds")
    # It tells the widest interval, which may be the control's.
    assert any(re.search("repetition.*(other|baseline-again)", line) for line in lines)


def test_what_may_change_a_clock_is_in_the_record(group_of):
    record, _ = measure(group_of({"baseline": ""}))
    assert {"governor", "boost", "clock_source", "hypervisor"} <= set(record["host"])
    for when in ("before", "after"):
        assert record["state"][when]["cpu_mhz"]
        assert record["state"][when]["load_average"]


def test_two_openmp_runtimes_in_one_process_are_no_measurement(group_of, tmp_path):
    names = ("libgomp.so.1", "libiomp5.so")
    for name in names:
        command = ["cc", "-shared", "-xc", "/dev/null", "-o", str(tmp_path / name)]
        subprocess.run(command, check=True)
    line = "".join(f'dlopen("{tmp_path / name}", RTLD_NOW);' for name in names)
    record, _ = measure(group_of({"baseline": "", "both": line, "other": ""}))
    outcomes = {name: cell["outcome"] for name, cell in record["cells"].items()}
    assert outcomes == {"baseline": "measured", "both": "failed", "other": "measured"}
    assert "two OpenMP runtimes in one process" in record["cells"]["both"]["reason"]


def test_faster_than_its_operands_can_be_read_is_not_believed(group_of, monkeypatch):
    monkeypatch.setattr("splyce_bench.measure.group.PLAUSIBLE_BYTES_PER_NS", 1e-9)
    record, _ = measure(group_of({"baseline": ""}))
    assert record["cells"]["baseline"]["outcome"] == "failed"
    assert record["cells"]["baseline"]["reason"].startswith("implausibly fast: ")


@pytest.mark.skipif(platform.machine() != "x86_64", reason="MXCSR is x86's")
def test_a_kernel_that_flushes_denormals_for_all_costs_its_own_cell(group_of):
    """As code linked with -ffast-math does, by a constructor."""
    flush = "__attribute__((constructor)) static void flush(void) { __builtin_ia32_ldmxcsr(0x9fc0);"
    record, _ = measure(group_of({"baseline": "", "fast": f"}} {flush}", "other": ""}))
    outcomes = {name: cell["outcome"] for name, cell in record["cells"].items()}
    assert outcomes == {"baseline": "measured", "fast": "failed", "other": "measured"}
    assert "flushes denormals in the whole process" in record["cells"]["fast"]["reason"]
    assert not record["loaded"]["float_control"] & 0x8040


def test_short_calls_are_batched(group_of):
    record, _ = measure(group_of({"baseline": "", "other": ""}))
    for sample in record["samples"]:
        if not sample["warmup"]:
            assert sample["batch"] > 1
            assert sample["kernel_ns"] * sample["batch"] > 100 * record["loaded"]["clock_step_ns"]


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("*(volatile int *)8 = 1;", "crashed with SIGSEGV"),
        ("__builtin_trap();", "crashed with SIGILL"),
        ("for (;;) sleep(1);", "no answer within 2 s"),
        ("exit(3);", "exit code 3"),
        ("y[3] += 1e-3;", "wrong result: 1 of 40 elements are wrong, the first at (3,)"),
        ("y[3] = 0.0 / 0.0;", "wrong result: 1 of 40"),
        ("for (int i = 0; i < rows; ++i) y[i] = 0;", "wrong result: "),
    ],
)
def test_a_bad_pipeline_costs_its_own_cell(group_of, line, reason):
    record, _ = measure(group_of({"baseline": "", "bad": line, "other": ""}))
    outcomes = {name: cell["outcome"] for name, cell in record["cells"].items()}
    assert outcomes == {"baseline": "measured", "bad": "failed", "other": "measured"}
    assert reason in record["cells"]["bad"]["reason"]
    assert {s["pipeline"] for s in record["samples"]} == {"baseline", "baseline-again", "other"}


def test_a_crash_while_sampling_starts_the_others_afresh(group_of):
    line = "static int n; if (++n > 2) abort();"
    record, _ = measure(group_of({"baseline": "", "bad": line}))
    assert record["cells"]["bad"]["reason"] == "crashed with SIGABRT"
    assert record["cells"]["baseline"]["outcome"] == "measured"
    assert {s["attempt"] for s in record["samples"]} == {1}


def test_the_repetitions_are_spread_over_fresh_processes(group_of):
    """A static counter starts anew in each, and every process has a share of the repetitions."""
    line = "static int n; if (n == 0) usleep(20000); n = 1;"
    record, _ = measure(
        group_of({"baseline": "", "other": line}, settings={**SETTINGS, "processes": 6})
    )
    timed = [s for s in record["samples"] if not s["warmup"] and s["pipeline"] == "other"]
    assert len({s["process"] for s in timed}) >= 6
    repetitions = [s["repetition"] for s in timed]
    assert repetitions == sorted(set(repetitions))
    slow = [s for s in record["samples"] if s["kernel_ns"] * s["batch"] > 1.5e7]
    # The check takes the slow first call of the first process.
    assert len({s["process"] for s in slow if s["pipeline"] == "other"}) >= 5
    assert all_measured(record)


def test_a_crash_in_a_later_process_starts_the_others_afresh(group_of, tmp_path):
    flag = tmp_path / "third"
    line = (
        f'int f = open("{flag}", O_CREAT | O_RDWR | O_APPEND, 0600); static int n; '
        'if (!n++) write(f, "x", 1); if (lseek(f, 0, SEEK_END) > 2) abort(); close(f);'
    )
    settings = {**SETTINGS, "processes": 6}
    record, _ = measure(group_of({"baseline": "", "bad": line}, settings=settings))
    assert record["cells"]["bad"]["reason"] == "crashed with SIGABRT"
    assert record["cells"]["baseline"]["outcome"] == "measured"
    assert {s["attempt"] for s in record["samples"]} == {1}


def test_a_kernel_that_prints_does_not_break_the_protocol(group_of):
    record, _ = measure(group_of({"baseline": "", "chatty": 'write(1, "{}\\n", 3);'}))
    assert all_measured(record)


def test_a_kernel_that_does_nothing_after_the_first_call_is_wrong(group_of):
    lazy = "static int n; if (n++) for (int i = 0; i < rows; ++i) y[i] = 0;"
    record, _ = measure(group_of({"baseline": "", "lazy": lazy}))
    assert record["cells"]["lazy"]["outcome"] == "failed"


def test_fewer_threads_than_cores_are_not_relabelled(group_of):
    record, _ = measure(group_of({"baseline": ""}, cores=8, threads=2))
    cell = record["cells"]["baseline"]
    assert cell["outcome"] == "not_available"
    assert "asked for 8 cores" in cell["reason"]


@pytest.mark.skipif(len(os.sched_getaffinity(0)) < 2, reason="two processors are needed")
def test_threads_that_do_not_run_are_missed(group_of):
    """The interpreter's own thread beside that of the kernel is none of them."""
    record, _ = measure(group_of({"baseline": ""}, cores=2, threads=2))
    cell = record["cells"]["baseline"]
    assert cell["outcome"] == "failed"
    assert cell["reason"] == "asked for 2 threads, 1 ran"


def test_more_cores_than_the_machine_has(group_of):
    record, _ = measure(group_of({"baseline": ""}, cores=4096, threads=4096))
    assert record["cells"]["baseline"]["outcome"] == "not_available"
    assert record["samples"] == []


def test_a_missing_vector_extension_is_said_before_it_crashes(group_of, tmp_path):
    task = group_of({"baseline": "", "future": ""})
    compile_fake(tmp_path / "future", "", features="+avx4096")
    record, _ = measure(task)
    assert record["cells"]["future"]["outcome"] == "not_available"
    assert "no avx4096" in record["cells"]["future"]["reason"]
    assert record["cells"]["baseline"]["outcome"] == "measured"


def test_the_control_is_the_baseline_from_another_file_and_no_cell(group_of):
    line = "static int n; ++n;"
    task = group_of({"baseline": line, "other": ""})
    record, _ = measure(task)
    assert record["control"] == {"pipeline": "baseline-again", "outcome": "measured", "reason": ""}
    assert set(record["cells"]) == {"baseline", "other"}
    assert record["checks"]["baseline-again"]["same_bits"]
    copy = task.scratch / "again" / "kernel.so"
    original = task.pipelines["baseline"] / "kernel.so"
    assert copy.read_bytes() == original.read_bytes()
    assert not copy.samefile(original)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("__builtin_trap();", "crashed with SIGILL"),
        ("y[3] += 1e-3;", "wrong result: 1 of 40"),
        ("static int n; if (++n > 2) abort();", "crashed with SIGABRT"),
    ],
)
def test_a_group_ends_with_its_baseline(group_of, line, why):
    """No ratio could come of the others, so that they are not sampled, and say why."""
    record, lines = measure(group_of({"baseline": line, "other": ""}))
    assert record["control"]["outcome"] != "measured"
    assert record["samples"] == []
    assert not any("repetition" in line for line in lines)
    told = {name.rpartition("/")[2]: (outcome, why) for name, outcome, why in unmeasured(record)}
    assert told["baseline"][0] == told["other"][0] == "failed"
    assert told["baseline"][1].startswith(why)
    assert told["other"][1].startswith(f"no ratio without baseline: {why}")


def test_a_control_that_fails_is_told(group_of):
    """The copy is a file of its own: a kernel may behave otherwise in it."""
    line = 'Dl_info d; if (dladdr(&splyce_call, &d) && strstr(d.dli_fname, "/again/")) abort();'
    record, _ = measure(group_of({"baseline": line, "other": ""}))
    outcomes = {name: cell["outcome"] for name, cell in record["cells"].items()}
    assert outcomes == {"baseline": "measured", "other": "measured"}
    assert not all_measured(record)
    told = [("test/dot/d20/c1/baseline-again", "failed", "crashed with SIGABRT")]
    assert list(unmeasured(record)) == told


def test_linux_and_llvm_name_an_extension_differently(group_of, tmp_path, monkeypatch):
    flags = ["avx512f", "avx512_vp2intersect"]
    monkeypatch.setattr("splyce_bench.measure.cells.cpu_flags", lambda: flags)
    task = group_of({"baseline": "", "masked": ""})
    compile_fake(tmp_path / "masked", "", features="+avx512vp2intersect")
    record, _ = measure(task)
    assert record["cells"]["masked"]["outcome"] == "measured"


def test_masked_vp2_on_a_processor_without_the_instruction(group_of, tmp_path, plan, monkeypatch):
    monkeypatch.setattr("splyce_bench.measure.cells.cpu_flags", lambda: ["avx512f", "avx2"])
    task = group_of({"baseline": "", "masked-vp2": "__builtin_trap();"})
    features = plan.pipelines["masked-vp2"].features
    compile_fake(tmp_path / "masked-vp2", "__builtin_trap();", features=features)
    record, _ = measure(task)
    cell = record["cells"]["masked-vp2"]
    assert cell["outcome"] == "not_available"
    assert cell["reason"] == "this processor has no avx512vp2intersect"
    assert record["cells"]["baseline"]["outcome"] == "measured"


def test_the_key_is_of_what_decides_and_nothing_else(group_of):
    task = group_of({"baseline": "", "other": ""})
    same = group_of({"baseline": "", "other": ""}, experiment="elsewhere", group="x")
    assert group_key(task) == group_key(same)
    longer = {**SETTINGS, "min_repetitions": 7}
    assert group_key(task) != group_key(group_of({"baseline": "", "other": ""}, settings=longer))


def record_with(path, **cells):
    control = {"pipeline": "baseline-again", "outcome": "measured", "reason": ""}
    record = {"experiment": "e", "group": "g", "baseline": "baseline", "control": control}
    record["cells"] = {}
    for name, (outcome, reason) in {"baseline": ("measured", ""), **cells}.items():
        record["cells"][name] = {"outcome": outcome, "reason": reason}
    write_json(path, record)
    return path


def test_check_results_sets_failures_aside_and_fails(tmp_path, capsys):
    good = record_with(tmp_path / "raw/e/a.json", baseline=("measured", ""))
    bad = record_with(tmp_path / "raw/e/b.json", p=("failed", "crashed"), q=("measured", ""))
    out, log = tmp_path / "checked.json", tmp_path / "log"
    assert check_results(tmp_path, [good, bad], out, log) == 1
    assert "failed: e/g/p: crashed" in capsys.readouterr().out
    assert good.exists()
    assert not bad.exists()
    assert (tmp_path / "failed/raw/e/b-1.json").exists()
    assert not out.exists()


def test_check_results_tells_of_what_is_not_available_and_passes(tmp_path, capsys):
    path = record_with(tmp_path / "raw/e/a.json", p=("not_available", "one core"))
    assert check_results(tmp_path, [path], tmp_path / "out.json", tmp_path / "log") == 0
    assert "not available: e/g/p: one core" in capsys.readouterr().out
    assert path.exists()
    assert len(read_json(tmp_path / "out.json")["not_measured"]) == 1


def test_the_worker_dies_with_its_parent(tmp_path):
    """A killed driver leaves no worker that goes on measuring."""
    code = (
        "import sys, time\n"
        "from splyce_bench.measure.session import Session\n"
        "s = Session([0]); print(s.process.pid, flush=True); time.sleep(60)\n"
    )
    driver = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    assert driver.stdout
    worker = int(driver.stdout.readline())
    # The worker asks for its parent's death signal first thing; wait until it waits for input.
    _wait(lambda: b"worker" in _command_line(worker) and _asleep(worker))
    driver.kill()
    driver.wait()
    _wait(lambda: not _command_line(worker))


def _command_line(pid):
    try:
        with open(f"/proc/{pid}/cmdline", "rb") as file:  # noqa: PTH123
            return file.read()
    except OSError:
        return b""


def _asleep(pid):
    with open(f"/proc/{pid}/wchan") as file:  # noqa: PTH123
        return "pipe" in file.read()


def _wait(condition, seconds=10.0):
    import time

    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "gave up waiting"
        assert os.getpid()
        time.sleep(0.05)


def test_a_control_of_long_calls_is_left_out_when_asked(group_of):
    task = group_of({"baseline": "usleep(3000);", "other": "usleep(3000);"})
    settings = {**task.settings, "control_max_call_seconds": 0.001}
    record, _ = measure(replace(task, settings=settings))
    assert record["control"]["outcome"] == "not_available"
    assert "control_max_call_seconds: 0.001" in record["control"]["reason"]
    assert all_measured(record)

"""Choosing processors and reading a machine's state, on made-up trees of /sys and /proc."""

import os

import pytest

from splyce_bench.measure.host import choose_cpus, cpu_model, one_cpu_per_core, parse_cpu_list
from splyce_bench.measure.session import worker_environment


def fake_sys(path, siblings):
    for cpu, text in siblings.items():
        folder = path / f"devices/system/cpu/cpu{cpu}/topology"
        folder.mkdir(parents=True)
        (folder / "thread_siblings_list").write_text(text)
    return path


def test_cpu_lists():
    assert parse_cpu_list("2-5,8") == [2, 3, 4, 5, 8]
    assert parse_cpu_list("0") == [0]


@pytest.mark.parametrize(
    ("siblings", "expected"),
    [
        ({0: "0-1", 1: "0-1", 2: "2-3", 3: "2-3"}, [0, 2]),
        ({0: "0,4", 1: "1,5", 4: "0,4", 5: "1,5"}, [0, 1]),
        ({}, [0, 1]),
    ],
)
def test_one_processor_a_physical_core(tmp_path, siblings, expected):
    cpus = sorted(siblings) or [0, 1]
    assert one_cpu_per_core(cpus, fake_sys(tmp_path, siblings)) == expected


@pytest.fixture
def allowed(monkeypatch):
    return lambda cpus: monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(cpus))


def test_processor_0_is_left_out_where_there_are_enough(tmp_path, allowed):
    allowed(range(4))
    assert choose_cpus(2, None, tmp_path)[0] == [1, 2]


def test_processor_0_is_used_and_told_where_there_are_not(tmp_path, allowed):
    allowed(range(2))
    cpus, how = choose_cpus(2, None, tmp_path)
    assert cpus == [0, 1]
    assert "processor 0 had to be used" in how


def test_too_few_processors_give_none(tmp_path, allowed):
    allowed(range(2))
    assert choose_cpus(3, None, tmp_path)[0] == []
    assert choose_cpus(2, "1,7", tmp_path)[0] == []


def test_configured_processors(tmp_path, allowed):
    allowed(range(8))
    assert choose_cpus(2, "5-7", tmp_path)[0] == [5, 6]


def test_unknown_is_said(tmp_path):
    assert cpu_model(tmp_path) == "unknown"


def test_the_callers_openmp_settings_do_not_reach_the_kernels(monkeypatch):
    monkeypatch.setenv("OMP_NUM_THREADS", "7")
    monkeypatch.setenv("OMP_PROC_BIND", "spread")
    found = worker_environment([2, 3])
    assert found["OMP_NUM_THREADS"] == "2"
    assert found["OMP_PLACES"] == "{2},{3}"
    assert os.environ["OMP_NUM_THREADS"] == "7"


@pytest.mark.parametrize("name", ["MALLOC_ARENA_MAX", "MALLOC_PERTURB_", "GLIBC_TUNABLES"])
def test_the_callers_malloc_settings_do_not_reach_the_kernels(monkeypatch, name):
    monkeypatch.setenv(name, "1")
    assert name not in worker_environment([1])


def with_nodes(path, nodes):
    for number, cpus in enumerate(nodes):
        folder = path / f"devices/system/node/node{number}"
        folder.mkdir(parents=True)
        (folder / "cpulist").write_text(cpus + "\n")
    return path


SMT = {cpu: f"{cpu % 8},{cpu % 8 + 8}" for cpu in range(16)}


@pytest.mark.parametrize(
    ("nodes", "cores", "expected"),
    [
        # Processor 0 leaves three free cores in its node, so four take the other one.
        (["0-3,8-11", "4-7,12-15"], 3, [1, 2, 3]),
        (["0-3,8-11", "4-7,12-15"], 4, [4, 5, 6, 7]),
        # Two cores in small nodes first, eight of 0-7 in none.
        (["0-1,8-9", "2-7,10-15"], 2, [2, 3]),
        (["0-3,8-11", "4-7,12-15"], 5, []),
        (["0-15"], 8, list(range(8))),
        # Memory without processors is a node as well.
        (["0-15", ""], 7, list(range(1, 8))),
        ([], 8, list(range(8))),
    ],
)
def test_all_in_one_numa_node_and_siblings_left_alone(tmp_path, allowed, nodes, cores, expected):
    allowed(range(16))
    sys = with_nodes(fake_sys(tmp_path, SMT), nodes)
    assert choose_cpus(cores, None, sys)[0] == expected


def test_too_few_in_every_node_says_how_many(tmp_path, allowed):
    allowed(range(16))
    sys = with_nodes(fake_sys(tmp_path, SMT), ["0-3,8-11", "4-7,12-15"])
    cpus, how = choose_cpus(6, None, sys)
    assert cpus == []
    assert how == "this machine has 8 physical cores, at most 4 in one NUMA node"


def test_a_container_may_use_a_part_of_a_node(tmp_path, allowed):
    allowed([2, 3, 10, 12])
    sys = with_nodes(fake_sys(tmp_path, SMT), ["0-3,8-11", "4-7,12-15"])
    assert choose_cpus(2, None, sys)[0] == [2, 3]
    assert choose_cpus(3, None, sys)[0] == []

"""Without counters the reason comes first, then what grants them; hybrid processors are told."""

import pytest

from splyce_bench.counters.access import obstacle, paranoid
from splyce_bench.counters.discovery import ask, core_pmu, preferred_cpus
from splyce_bench.counters.perf import PerfError

CAPABLE, NOT_CAPABLE = "000001fffeffffff", "00000000a80425fb"


@pytest.fixture
def machine(tmp_path):
    """A made-up /proc and /sys."""

    def make(
        setting="2",
        caps=NOT_CAPABLE,
        seccomp="0",
        pmu="cpu",
        cpuinfo="flags : fpu",
        bound=NOT_CAPABLE,
    ):
        proc, sys = tmp_path / "proc", tmp_path / "sys"
        status = f"Seccomp:\t{seccomp}\nCapEff:\t{caps}\nCapBnd:\t{bound}\n"
        files = {
            proc / "self/status": status,
            proc / "cpuinfo": cpuinfo,
        }
        if setting is not None:
            files[proc / "sys/kernel/perf_event_paranoid"] = f"{setting}\n"
        for path, text in files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        (sys / "bus/event_source/devices" / pmu).mkdir(parents=True)
        return proc, sys

    return make


@pytest.mark.parametrize("setting", ["2", "1", "-1"])
def test_settings_that_allow(machine, setting):
    assert obstacle(*machine(setting)) is None


@pytest.mark.parametrize(
    ("changes", "reason", "remedy"),
    [
        ({"setting": "4"}, "perf_event_paranoid is 4", "sysctl kernel.perf_event_paranoid=2"),
        ({"setting": "3"}, "perf_event_paranoid is 3", "cap_perfmon"),
        ({"setting": None}, "no perf_event_paranoid", "CONFIG_PERF_EVENTS"),
        ({"pmu": "software", "cpuinfo": "flags : hypervisor"}, "virtual machine", "pmu=on"),
        ({"pmu": "software"}, "drives no PMU", "newer kernel"),
        ({"seccomp": "2"}, "container", "--cap-add PERFMON"),
    ],
)
def test_obstacles(machine, changes, reason, remedy):
    found = obstacle(*machine(**changes))
    assert reason in found.reason
    assert remedy in found.remedy


def test_capabilities_lift_the_setting(machine):
    assert obstacle(*machine("4", caps=CAPABLE, seccomp="2", bound=CAPABLE)) is None


def test_a_user_of_a_container_that_was_given_perfmon_may_count(machine):
    assert obstacle(*machine(seccomp="2", bound=CAPABLE)) is None


def test_paranoid_of_a_kernel_without_it(tmp_path):
    assert paranoid(tmp_path) is None


def test_core_types_of_a_hybrid_processor(tmp_path):
    for name, cpus in {"cpu_core": "0-3", "cpu_atom": "4-7"}.items():
        (tmp_path / "devices" / name).mkdir(parents=True)
        (tmp_path / "devices" / name / "cpus").write_text(f"{cpus}\n")
    assert core_pmu([1, 2], tmp_path) == "cpu_core"
    assert core_pmu([4], tmp_path) == "cpu_atom"
    assert core_pmu([3, 4], tmp_path) == ""
    assert preferred_cpus(None, tmp_path) == "1,2,3,0"
    assert preferred_cpus("5", tmp_path) == "5"
    assert preferred_cpus(None, tmp_path / "nowhere") is None


def test_without_top_down_the_counts_remain_and_perfs_words_are_kept(recording):
    def trial(arguments):
        if "-M" in arguments or any("slots" in a or "umask" in a for a in arguments):
            raise PerfError("top down event configuration requires system-wide mode (-a)")
        return recording("documented-6.8.csv")

    offer = ask(trial, "")
    assert (offer.events[0], offer.level1, offer.level2) == ("cycles", None, None)
    assert "Intel top-down events: top down event conf" in offer.unavailable["topdown_l1"]
    assert "perf -M PipelineL2: top down event configuration" in offer.unavailable["topdown_l2"]


def test_events_of_a_hybrid_processor_name_their_pmu(recording):
    asked = []

    def trial(arguments):
        asked.append(arguments)
        if "-M" in arguments:
            raise PerfError("no such metric")
        return recording("documented-intel-sapphire-rapids-6.8/level2.json")

    offer = ask(trial, "cpu_core")
    assert ["-e", "cpu_core/cycles/"] in asked
    assert ["--cputype", "core", "-M", "TopdownL1"] in asked
    assert offer.level1.name == "Intel top-down events"
    assert offer.level2.arguments("cpu_core")[1].startswith("{cpu_core/slots/,cpu_core/topdown-")

"""The ways to ask a processor where its pipeline slots went (top-down analysis), and to compute it.

Intel since Ice Lake counts slots itself; perf knows metric groups for other processors; AMD since
Zen 4 counts empty dispatch slots, which with the dispatched ones make up all. Which of them works
is found by trying. A category of one maker isn't the other's: a record names its method.
"""

from collections.abc import Callable
from dataclasses import dataclass

from splyce_bench.counters.perf_output import PerfOutput

LEVEL1 = ("retiring", "bad_speculation", "frontend_bound", "backend_bound")
# AMD counts apart the slots that went to the other thread of the core.
OPTIONAL = ("smt_contention",)

INTEL_LEVEL1 = {
    "topdown-retiring": "retiring",
    "topdown-bad-spec": "bad_speculation",
    "topdown-fe-bound": "frontend_bound",
    "topdown-be-bound": "backend_bound",
}
# Counted part of each category of level 1, and the name of the rest.
INTEL_LEVEL2 = {
    "topdown-heavy-ops": ("topdown-retiring", "heavy_operations", "light_operations"),
    "topdown-br-mispredict": ("topdown-bad-spec", "branch_mispredicts", "machine_clears"),
    "topdown-fetch-lat": ("topdown-fe-bound", "fetch_latency", "fetch_bandwidth"),
    "topdown-mem-bound": ("topdown-be-bound", "memory_bound", "core_bound"),
}
# AMD's Processor Programming Reference, family 19h model 11h: events 0AAh, 1A0h and 0C1h.
AMD_EVENTS = {
    "dispatched": "event=0xaa,umask=0x07",
    "frontend": "event=0x1a0,umask=0x01",
    "backend": "event=0x1a0,umask=0x1e",
    "smt": "event=0x1a0,umask=0x60",
    "retired": "event=0xc1",
}

Shares = dict[str, float]


@dataclass(frozen=True)
class Method:
    """One way: its name, perf's arguments for a PMU ('' is the only one), and the computation.

    `compute` returns percentages, or a text that says why there are none.
    """

    name: str
    arguments: Callable[[str], list[str]]
    compute: Callable[[PerfOutput], Shares | str]


def _named_events(pmu: str, names: list[str]) -> str:
    return "{" + ",".join(f"{pmu}/{name}/" if pmu else name for name in names) + "}"


def _intel_level1(output: PerfOutput) -> Shares | str:
    values = _values(output, list(INTEL_LEVEL1))
    if isinstance(values, str):
        return values
    total = sum(values.values())
    if total <= 0:
        return "no slots were counted"
    return {INTEL_LEVEL1[event]: 100 * value / total for event, value in values.items()}


def _intel_level2(output: PerfOutput) -> Shares | str:
    values = _values(output, [*INTEL_LEVEL1, *INTEL_LEVEL2])
    if isinstance(values, str):
        return values
    total = sum(values[event] for event in INTEL_LEVEL1)
    if total <= 0:
        return "no slots were counted"
    shares: Shares = {}
    for event, (whole, part, rest) in INTEL_LEVEL2.items():
        shares[part] = 100 * values[event] / total
        shares[rest] = max(0.0, 100 * (values[whole] - values[event]) / total)
    return shares


def _amd_level1(output: PerfOutput) -> Shares | str:
    values = _values(output, list(AMD_EVENTS))
    if isinstance(values, str):
        return values
    if values["frontend"] + values["backend"] <= 0:
        return "this processor counts no empty dispatch slots (AMD: Zen 4 or later)"
    total = sum(values[name] for name in ("dispatched", "frontend", "backend", "smt"))
    return {
        "retiring": 100 * values["retired"] / total,
        "bad_speculation": max(0.0, 100 * (values["dispatched"] - values["retired"]) / total),
        "frontend_bound": 100 * values["frontend"] / total,
        "backend_bound": 100 * values["backend"] / total,
        "smt_contention": 100 * values["smt"] / total,
    }


def _metrics_level1(output: PerfOutput) -> Shares | str:
    found = _metrics(output)
    missing = [name for name in LEVEL1 if name not in found]
    if missing:
        return _notes(output) or f"perf printed no metric {', '.join(missing)}"
    return {name: found[name] for name in (*LEVEL1, *OPTIONAL) if name in found}


def _metrics_level2(output: PerfOutput) -> Shares | str:
    found = {n: v for n, v in _metrics(output).items() if n not in (*LEVEL1, *OPTIONAL)}
    return found or _notes(output) or "perf printed no metric of level 2"


def _metrics(output: PerfOutput) -> Shares:
    return {name.removeprefix("tma_"): value for name, value in output.metrics.items()}


def _values(output: PerfOutput, names: list[str]) -> Shares | str:
    values = {name: output.value(name) for name in names}
    if missing := [name for name, value in values.items() if value is None]:
        return _notes(output) or f"perf did not report {', '.join(missing)}"
    return {name: value for name, value in values.items() if value is not None}


def _notes(output: PerfOutput) -> str:
    found: dict[str, list[str]] = {}
    for event, reason in output.reasons().items():
        found.setdefault(reason, []).append(event)
    return "; ".join(f"{', '.join(events)} {reason}" for reason, events in found.items())


def _group(name: str, compute: Callable[[PerfOutput], Shares | str]) -> Method:
    def arguments(pmu: str) -> list[str]:
        # perf's own spelling of one core type of a hybrid processor.
        kind = ["--cputype", pmu.removeprefix("cpu_")] if pmu else []
        return [*kind, "-M", name]

    return Method(f"perf -M {name}", arguments, compute)


def _amd_arguments(pmu: str) -> list[str]:
    events = [f"{pmu or 'cpu'}/{code},name={name}/" for name, code in AMD_EVENTS.items()]
    return ["-e", "{" + ",".join(events) + "}"]


METHODS1 = (
    Method(
        "Intel top-down events",
        lambda pmu: ["-e", _named_events(pmu, ["slots", *INTEL_LEVEL1])],
        _intel_level1,
    ),
    _group("PipelineL1", _metrics_level1),
    _group("TopdownL1", _metrics_level1),
    Method("AMD dispatch-slot events", _amd_arguments, _amd_level1),
)
METHODS2 = (
    Method(
        "Intel top-down events, level 2",
        lambda pmu: ["-e", _named_events(pmu, ["slots", *INTEL_LEVEL1, *INTEL_LEVEL2])],
        _intel_level2,
    ),
    _group("PipelineL2", _metrics_level2),
    _group("TopdownL2", _metrics_level2),
)

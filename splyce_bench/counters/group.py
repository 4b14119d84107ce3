"""Count one group: by perf where there are counters, else by callgrind, else say why not.

A pipeline is counted in a process of its own, apart from the timed samples, so that whatever goes
wrong costs its record only.
"""

from dataclasses import replace
from pathlib import Path
from typing import Any

from splyce_bench.counters.access import counter_thieves
from splyce_bench.counters.discovery import Offer, discover, preferred_cpus
from splyce_bench.counters.mca import McaError, analyse
from splyce_bench.counters.measured import Counting
from splyce_bench.counters.perf import PerfError
from splyce_bench.counters.record import Record, unavailable_record
from splyce_bench.counters.valgrind import missing_valgrind, simulate
from splyce_bench.errors import UserError
from splyce_bench.files import key_of, read_json
from splyce_bench.measure.cells import Cells, Notify
from splyce_bench.measure.key import group_key
from splyce_bench.measure.session import CellError, Session
from splyce_bench.measure.task import Task


class CounterGroup(Cells):
    """The counters of one task. `simulated` is the same group on a build and input for callgrind.

    Its pipelines are compiled for AVX2 (valgrind has no AVX-512) and its input keeps the
    contracted size and the density, with outer loops short enough for a simulation. Without it
    nothing is simulated.
    """

    def __init__(
        self, task: Task, simulated: Task | None, notify: Notify, least_share_pct: float
    ) -> None:
        wanted = preferred_cpus(task.settings["cpus"])
        super().__init__(replace(task, settings={**task.settings, "cpus": wanted}), notify)
        self.measured_task, self.simulated_task = self.task, simulated
        self.least_share_pct = least_share_pct
        self.records: dict[str, Record] = {}
        self.offer = Offer()

    def measure(self) -> dict[str, Any]:
        """Count every pipeline and return the group's record."""
        self.offer = discover(self.cpus, self.task.scratch)
        if self.offer.obstacle:
            self.notify(f"no hardware counters: {self.offer.obstacle}")
            self._simulate_all()
        else:
            self._each(self._count)
        return self._summary()

    def _simulate_all(self) -> None:
        why_not = missing_valgrind()
        if self.simulated_task is None:
            why_not = "`counters.simulate` of the configuration does not name this experiment"
        elif not why_not and self.task.cores > 1:
            why_not = "callgrind runs one thread at a time: parallel kernels are not simulated"
        if why_not or self.simulated_task is None:
            for name in self.task.pipelines:
                self._lose(name, "not_available", f"{self.offer.obstacle}; {why_not}")
            return
        self.task = self.simulated_task
        self.compiled = self.task.compiled()
        self._each(self._simulate)

    def _asked(self) -> list[str]:
        # Counts are not compared in time: they need no A/A control.
        return list(self.task.pipelines)

    def _left(self, names: list[str]) -> list[str]:
        # A count says something without the baseline's.
        return [name for name in names if name not in self.outcomes]

    def _lacking(self, name: str) -> str:
        features = self.compiled[name]["pipeline"]["features"]
        if self.task is self.simulated_task and "+avx512" in features:
            return "valgrind knows no AVX-512, which this pipeline asks for"
        return super()._lacking(name)

    def _each(self, count: Any) -> None:
        names = self._available()
        ready = names and self._fits(names) and self._oracle(0, names)
        for name in names if ready else []:
            try:
                if record := count(name):
                    self.records[name] = record
                    self._set(name, "measured")
            except (CellError, PerfError, UserError) as error:
                self._lose(name, "failed", str(error))
        for name, cell in self.outcomes.items():
            self.records.setdefault(name, unavailable_record(cell["reason"]))

    def _lose(self, name: str, outcome: str, reason: str) -> None:
        self._set(name, outcome, reason)
        self.records[name] = unavailable_record(reason)

    def _count(self, name: str) -> Record | None:
        assert self.offer.perf
        timeout = self.task.settings["timeout_seconds"]
        counting = Counting(
            self.offer.perf, self.offer, self.task.scratch, timeout, self.least_share_pct
        )
        with Session(self.cpus) as session:
            kernel_ns = self._checked(session, name)
            self.notify(f"{name}: counting with perf")
            return None if kernel_ns is None else counting.record(session, name, kernel_ns)

    def _simulate(self, name: str) -> Record | None:
        with Session(self.cpus) as session:
            if self._checked(session, name) is None:
                return None
        self.notify(f"{name}: simulating with callgrind")
        timeout = self.task.settings["timeout_seconds"]
        return simulate(self.cpus, self._load_command([name]), self.task.scratch, timeout)

    def _checked(self, session: Session, name: str) -> float | None:
        """Load a pipeline and check its result; return its time, or None when it is wrong."""
        self._load(session, [name])
        kernel_ns = self._check(session, name, 0)
        return None if name in self.outcomes else kernel_ns

    def _summary(self) -> dict[str, Any]:
        task = self.task
        return {
            **self._circumstances(),
            "counters": {name: self.records[name] for name in task.pipelines},
            "static": {name: self._static(name) for name in task.pipelines},
            "obstacle": vars(self.offer.obstacle) if self.offer.obstacle else None,
            "perf": self.offer.perf.version if self.offer.perf else "",
            "pmu": self.offer.pmu,
            "counter_thieves": counter_thieves(),
            "least_share_pct": self.least_share_pct,
        }

    def _static(self, name: str) -> dict[str, Any]:
        task = self.measured_task
        try:
            return analyse(task.pipelines[name], read_json(task.toolchain))
        except McaError as error:
            return {"kind": "unavailable", "reason": str(error)}


def counter_key(measured: Task, simulated: Task | None, least_share_pct: float) -> str:
    """Return the key of what decides the counters of a group."""
    substitute = group_key(simulated) if simulated else None
    return key_of([group_key(measured), substitute, least_share_pct])


def split_task(
    value: dict[str, Any], paths: dict[str, Path], **shared: Any
) -> tuple[Task, Task | None]:
    """Return the measured and the simulated task of the workflow's JSON.

    `simulated_pipelines` in it names the builds for AVX2, or is null; `paths` has `input` and
    `simulated_input`.
    """
    plain = {key: v for key, v in value.items() if key != "simulated_pipelines"}
    measured = Task.from_json(plain, input=paths["input"], **shared)
    if value["simulated_pipelines"] is None:
        return measured, None
    builds = {**plain, "pipelines": value["simulated_pipelines"]}
    return measured, Task.from_json(builds, input=paths["simulated_input"], **shared)

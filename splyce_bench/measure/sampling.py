"""Sample the pipelines of a group in turn until the ratios are known well enough.

The pipelines are called once each a repetition, in an order shuffled anew, so that a slow phase of
a shared machine falls on all of them; the ratio to the baseline is taken within the repetition.
The repetitions are spread over fresh processes: a ratio can differ from process to process by more
than the noise within one shows.
"""

import math
import random
import time
from collections.abc import Callable
from typing import Any

from splyce_bench.measure.session import Session
from splyce_bench.stats import Estimate, estimate_over_processes

# A process samples at least this long, about what it takes to start one.
LEAST_SECONDS = 0.3

Sample = dict[str, Any]


class Rounds:
    """The samples of a group, and why sampling stopped; `notify` receives progress lines."""

    def __init__(
        self, settings: dict[str, Any], baseline: str, notify: Callable[[str], None]
    ) -> None:
        self.settings, self.baseline, self.notify = settings, baseline, notify
        self.samples: list[Sample] = []
        self.processes = self.repetitions = 0
        self.started = time.monotonic()
        self.stopped_by = ""

    def are_done(self) -> bool:
        """True when there is a reason to stop."""
        return bool(self.stopped_by)

    def ratios(self, pipeline: str) -> list[list[float]]:
        """Return baseline time / pipeline time of each repetition, by process."""
        times = self._times(pipeline)
        reference = self._times(self.baseline)
        processes: dict[int, list[float]] = {}
        for place in sorted(times.keys() & reference.keys()):
            processes.setdefault(place[0], []).append(reference[place] / times[place])
        return list(processes.values())

    def _times(self, pipeline: str) -> dict[tuple[int, int], float]:
        return {
            (s["process"], s["repetition"]): s["kernel_ns"]
            for s in self.samples
            if s["pipeline"] == pipeline and not s["warmup"]
        }

    def judge(self) -> None:
        """Set `stopped_by` where the intervals are narrow or a cap is hit."""
        seconds = time.monotonic() - self.started
        widest, shown = self._widest()
        self.notify(f"repetition {self.repetitions}, {seconds:.0f} s{shown}")
        settings = self.settings
        few = self.repetitions < settings["min_repetitions"]
        if few or self.processes < settings["processes"]:
            return
        if widest <= settings["interval_width"]:
            self.stopped_by = "interval"
        elif self.repetitions >= settings["max_repetitions"]:
            self.stopped_by = "max_repetitions"
        elif seconds >= settings["max_seconds"]:
            self.stopped_by = "max_seconds"

    def _widest(self) -> tuple[float, str]:
        estimates: dict[str, Estimate] = {}
        for name in {s["pipeline"] for s in self.samples} - {self.baseline}:
            if ratios := self.ratios(name):
                estimates[name] = estimate_over_processes(ratios, self.settings["confidence"])
        if not estimates:
            return 0.0, ""
        name = max(estimates, key=lambda n: estimates[n].width)
        found = estimates[name]
        interval = f" [{found.low:.3f}, {found.high:.3f}]" if math.isfinite(found.high) else ""
        return found.width, f", {name} {found.value:.3f}x{interval}"


class Sampler:
    """Takes one process's share of the repetitions."""

    def __init__(self, session: Session, rounds: Rounds, seed: int) -> None:
        self.session, self.rounds = session, rounds
        self.process = rounds.processes
        rounds.processes += 1
        self.order = random.Random(f"{seed} {self.process}")
        self.current = ""

    def run(self, first_ns: dict[str, float]) -> None:
        """Sample until this process has done its share; `first_ns` sets the batches."""
        batches = {name: self._warm_up(name, ns) for name, ns in first_ns.items()}
        started, repetitions = time.monotonic(), 0
        while not self.rounds.are_done():
            if self._has_done(repetitions, time.monotonic() - started):
                return
            order = sorted(batches)
            self.order.shuffle(order)
            for name in order:
                self._sample(name, batches[name])
            repetitions += 1
            self.rounds.repetitions += 1
            self.rounds.judge()

    def _has_done(self, repetitions: int, seconds: float) -> bool:
        settings = self.rounds.settings
        if settings["processes"] == 1:
            return False
        share = math.ceil(settings["min_repetitions"] / settings["processes"])
        return repetitions >= share and seconds >= LEAST_SECONDS

    def _warm_up(self, name: str, first_ns: float) -> int:
        """Choose how many calls make a sample, from a second call that finds warm caches.

        A call of a second or more needs no second one: it fills the caches many times over.
        """
        if first_ns >= 1e9:
            return 1
        least_ns = float(self.rounds.settings["min_sample_ms"]) * 1e6
        batch = max(1, min(1000, math.ceil(least_ns / 10 / max(first_ns, 1.0))))
        warm = self._sample(name, batch, warmup=True)
        return max(1, math.ceil(least_ns / max(float(warm["kernel_ns"]), 1.0)))

    def _sample(self, name: str, batch: int, warmup: bool = False) -> Sample:
        self.current = name
        command = {"do": "sample", "pipeline": name, "batch": batch}
        answer = self.session.ask(command, self.rounds.settings["timeout_seconds"])
        sample = {
            "pipeline": name,
            "process": self.process,
            "repetition": self.rounds.repetitions,
            "warmup": warmup,
            "batch": batch,
            **answer,
        }
        self.rounds.samples.append(sample)
        return sample

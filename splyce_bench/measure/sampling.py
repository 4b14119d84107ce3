"""Sample the pipelines of a group in turn until the ratios are known well enough.

The pipelines are called once each a repetition, in an order shuffled anew, so that a slow phase of
a shared machine falls on all of them; the ratio to the baseline is taken within the repetition.
"""

import math
import random
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from splyce_bench.measure.session import Session
from splyce_bench.stats import Estimate, estimate_median

Sample = dict[str, Any]


@dataclass
class Rounds:
    """The samples of one session, and why sampling stopped."""

    samples: list[Sample] = field(default_factory=list)
    stopped_by: str = ""

    def ratios(self, pipeline: str, baseline: str) -> list[float]:
        """Return baseline time / pipeline time of each repetition."""
        times = self._times(pipeline)
        reference = self._times(baseline)
        return [reference[r] / times[r] for r in sorted(times.keys() & reference.keys())]

    def _times(self, pipeline: str) -> dict[int, float]:
        return {
            s["repetition"]: s["kernel_ns"]
            for s in self.samples
            if s["pipeline"] == pipeline and not s["warmup"]
        }


class Sampler:
    """Samples one session's pipelines; `notify` receives a progress line after each repetition."""

    def __init__(
        self,
        session: Session,
        settings: dict[str, Any],
        baseline: str,
        seed: int,
        notify: Callable[[str], None],
    ) -> None:
        self.session, self.settings, self.baseline = session, settings, baseline
        self.order = random.Random(seed)
        self.notify = notify
        self.current = ""

    def run(self, first_ns: dict[str, float]) -> Rounds:
        """Sample until the intervals are narrow or a cap is hit; `first_ns` sets the batches."""
        rounds, started = Rounds(), time.monotonic()
        batches = {name: self._warm_up(name, ns, rounds) for name, ns in first_ns.items()}
        repetition = 0
        while not rounds.stopped_by:
            order = sorted(batches)
            self.order.shuffle(order)
            for name in order:
                self._sample(rounds, name, batches[name], repetition)
            repetition += 1
            rounds.stopped_by = self._verdict(rounds, repetition, time.monotonic() - started)
        return rounds

    def _warm_up(self, name: str, first_ns: float, rounds: Rounds) -> int:
        """Choose how many calls make a sample, from a second call that finds warm caches.

        A call of a second or more needs no second one: the check has just warmed what can be.
        """
        if first_ns >= 1e9:
            return 1
        least_ns = float(self.settings["min_sample_ms"]) * 1e6
        batch = max(1, min(1000, math.ceil(least_ns / 10 / max(first_ns, 1.0))))
        warm = self._sample(rounds, name, batch, -1)
        return max(1, math.ceil(least_ns / max(float(warm["kernel_ns"]), 1.0)))

    def _sample(self, rounds: Rounds, name: str, batch: int, repetition: int) -> Sample:
        self.current = name
        command = {"do": "sample", "pipeline": name, "batch": batch}
        answer = self.session.ask(command, self.settings["timeout_seconds"])
        sample = {
            "pipeline": name,
            "repetition": max(repetition, 0),
            "warmup": repetition < 0,
            "batch": batch,
            **answer,
        }
        rounds.samples.append(sample)
        return sample

    def _verdict(self, rounds: Rounds, repetitions: int, seconds: float) -> str:
        names = {s["pipeline"] for s in rounds.samples} - {self.baseline}
        widest, shown = self._widest(rounds, names)
        self.notify(f"repetition {repetitions}, {seconds:.0f} s{shown}")
        if repetitions < self.settings["min_repetitions"]:
            return ""
        if widest <= self.settings["interval_width"]:
            return "interval"
        if repetitions >= self.settings["max_repetitions"]:
            return "max_repetitions"
        return "max_seconds" if seconds >= self.settings["max_seconds"] else ""

    def _widest(self, rounds: Rounds, names: set[str]) -> tuple[float, str]:
        estimates: dict[str, Estimate] = {}
        for name in names:
            if ratios := rounds.ratios(name, self.baseline):
                estimates[name] = estimate_median(ratios, self.settings["confidence"])
        if not estimates:
            return 0.0, ""
        name = max(estimates, key=lambda n: estimates[n].width)
        found = estimates[name]
        interval = f" [{found.low:.3f}, {found.high:.3f}]" if math.isfinite(found.high) else ""
        return found.width, f", {name} {found.value:.3f}x{interval}"

"""Count a pipeline with perf: one short extra run, in a process of its own, apart from timing."""

import math
from pathlib import Path
from typing import Any

from splyce_bench.counters.discovery import Offer
from splyce_bench.counters.perf import Attached, Perf
from splyce_bench.counters.perf_output import PerfOutput
from splyce_bench.counters.record import Record, add_counts, add_topdown, empty_record
from splyce_bench.measure.host import cpu_model
from splyce_bench.measure.session import Session

# How long perf may take to switch its counters.
ACK_MS = 5000
# Counting shorter than this would count the switching too.
LEAST_MS = 100.0


class Counting:
    """perf and its offer, applied to a loaded session."""

    def __init__(
        self, perf: Perf, offer: Offer, folder: Path, timeout_s: float, least_share_pct: float
    ) -> None:
        self.perf, self.offer, self.folder = perf, offer, folder
        self.timeout_s, self.least_share_pct = timeout_s, least_share_pct

    def record(self, session: Session, pipeline: str, kernel_ns: float) -> Record:
        """Return the record of a pipeline; CellError or PerfError when a run does not end well."""
        batch = max(1, math.ceil(LEAST_MS * 1e6 / max(kernel_ns, 1.0)))
        record = empty_record("measured", cpu_model())
        record["unavailable"].update(self.offer.unavailable)
        add_counts(record, self._events(session, pipeline, batch), batch, self.least_share_pct)
        for field, method in (
            ("topdown_l1", self.offer.level1),
            ("topdown_l2", self.offer.level2),
        ):
            if method:
                output = self._run(session, pipeline, batch, method.arguments(self.offer.pmu))
                add_topdown(record, field, method, output, self.least_share_pct)
        return record

    def _events(self, session: Session, pipeline: str, batch: int) -> PerfOutput:
        """Count all events at once; those that found no counter again, each alone."""
        offer = self.offer
        asked = ",".join(offer.event(name) for name in offer.events)
        output = self._run(session, pipeline, batch, ["-e", asked])
        for name, note in output.notes().items():
            if note == "not counted" and len(offer.events) > 1:
                alone = self._run(session, pipeline, batch, ["-e", offer.event(name)])
                output.readings.update(alone.readings)
        return output

    def _run(self, session: Session, pipeline: str, batch: int, arguments: list[str]) -> PerfOutput:
        with self.perf.attached(session.process.pid, arguments, self.folder) as attached:
            command = self._command(attached, pipeline, batch)
            status = session.ask(command, self._limit(batch))["status"]
            if status:
                when = "start" if status == -1 else "end"
                attached.stalled = f"no word from perf on the {when} within {ACK_MS / 1000:g} s"
        return attached.output

    def _limit(self, batch: int) -> float:
        """Seconds for a run: the calls' own limit, and perf's two acknowledgements."""
        return self.timeout_s * (1 if batch == 1 else 2) + 2 * ACK_MS / 1000

    @staticmethod
    def _command(attached: Attached, pipeline: str, batch: int) -> dict[str, Any]:
        return {
            "do": "count",
            "pipeline": pipeline,
            "batch": batch,
            "control": str(attached.control),
            "ack": str(attached.ack),
            "timeout_ms": ACK_MS,
        }

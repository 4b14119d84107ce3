"""Expected seconds of a group and of the other jobs, before any history corrects them.

The constants were found on this project's 2-core Zen 5; what depends on the machine is scaled by
the calibration, and whatever remains is learnt from finished groups (`history.py`).
"""

import math
from dataclasses import dataclass
from typing import Any

from splyce_bench.forecast.calibration import Calibration
from splyce_bench.forecast.work import Work
from splyce_bench.measure.sampling import LEAST_SECONDS

# A vectorized call beside the sparsifier's, and the oracle's sparse product beside it.
VECTORIZED, ORACLE = 0.5, 0.5
# A library's call beside it: its product is by rows and passes what matches only. And the starts
# of Python that its process, with its runtime, is worth.
LIBRARY, LIBRARY_STARTS = 0.1, 2
# How far sampling goes beyond the least number of repetitions.
REPETITIONS = 1.6
# Comparing an output with the expected one takes several passes of numpy.
CHECK_S_A_BYTE = 5e-9
# Starts of Python in a job that measures: the job, the worker, the oracle.
STARTS = 3
MADE_A_SECOND, READ_A_SECOND = 2e7, 3e6
# Starts of Python that a job of each rule is worth; the rest is counted otherwise.
STARTS_OF_RULE = {
    "build_pass": 60.0,
    "build_runtime": 1.0,
    "compile_kernel": 4.0,
    "fetch_matrix": 2.0,
    "summarize_experiment": 3.0,
    "summarize_claims": 3.0,
    "summarize_goals": 3.0,
    "summarize_table": 3.0,
    "summarize_ports": 3.0,
    "plot_figure": 5.0,
    "build_report": 3.0,
    "check_results": 1.0,
}
# Rules that run beside each other, one a core.
SIDE_BY_SIDE = ("compile_kernel", "summarize_experiment", "summarize_table", "plot_figure")
SNAKEMAKE_STARTS, SNAKEMAKE_JOB_S = 4.0, 0.05


@dataclass(frozen=True)
class Model:
    """Expected seconds on a calibrated machine; `settings` is the configuration's `measure`."""

    calibration: Calibration
    settings: dict[str, Any]

    def group_s(self, work: Work) -> float:
        """Return the seconds of measuring a group: check, sample, check again."""
        call = self.call_s(work)
        limit = self.settings["timeout_seconds"]
        every = ((work.scalar, call), (work.vectorized, VECTORIZED * call))
        kinds = tuple(kind for kind in every if kind[1] <= limit)
        once = sum(count * min(seconds, limit) for count, seconds in every)
        compared = (work.scalar + work.vectorized) * work.output_bytes * CHECK_S_A_BYTE
        fixed = STARTS * self.calibration.start_s + ORACLE * call * work.cores
        own = fixed + 2 * (once + compared) + self._sampling_s(kinds)
        return float(own + work.libraries * self._library_s(call, work.output_bytes))

    def call_s(self, work: Work) -> float:
        """Return the seconds of one call of the unmodified sparsifier's kernel."""
        return work.steps * self.calibration.step_ns * 1e-9 / work.cores

    def _sampling_s(self, kinds: tuple[tuple[int, float], ...]) -> float:
        settings = self.settings
        least = settings["min_sample_ms"] / 1000
        repetition = sum(count * max(seconds, least) for count, seconds in kinds)
        processes = settings["processes"]
        start = self.calibration.start_s if processes > 1 else 0.0
        share = math.ceil(settings["min_repetitions"] / processes) * repetition
        floor = processes * (start + (max(share, LEAST_SECONDS) if processes > 1 else share))
        wanted = min(REPETITIONS * floor, settings["max_repetitions"] * repetition)
        return float(max(floor, min(wanted, settings["max_seconds"])))

    def _library_s(self, call: float, output_bytes: int) -> float:
        """Return the seconds of a library, measured apart in one process and checked once."""
        settings, seconds = self.settings, LIBRARY * call
        sample = max(seconds, settings["min_sample_ms"] / 1000)
        least = settings["min_repetitions"] * sample
        wanted = min(REPETITIONS * least, settings["max_repetitions"] * sample)
        sampling = max(least, min(wanted, settings["max_seconds"]))
        started = LIBRARY_STARTS * self.calibration.start_s
        return float(started + seconds + output_bytes * CHECK_S_A_BYTE + sampling)

    def input_s(self, work: Work, from_file: bool) -> float:
        """Return the seconds of making a group's operands."""
        rate = READ_A_SECOND if from_file else MADE_A_SECOND
        return 2 * self.calibration.start_s + work.stored / rate

    def others_s(self, jobs: dict[str, int], cores: int) -> float:
        """Return the seconds of the jobs that neither make an input nor measure."""
        starts = SNAKEMAKE_STARTS
        for rule, count in jobs.items():
            starts += STARTS_OF_RULE.get(rule, 0) * count / (cores if rule in SIDE_BY_SIDE else 1)
        return starts * self.calibration.start_s + sum(jobs.values()) * SNAKEMAKE_JOB_S

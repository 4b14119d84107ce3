"""Made-up group records with known ratios."""

import random
from typing import Any

import pytest

from splyce_bench.measure.task import RECORD_SCHEMA


def make_record(
    experiment: str = "table1",
    times: dict[str, float] | None = None,
    density: float | None = 5.0,
    noise: float = 0.002,
    bias: float = 1.0,
    repetitions: int = 12,
    **changes: Any,
) -> dict[str, Any]:
    """A record whose pipelines take `times` (seconds) with relative noise; None is a failure.

    `bias` is what the A/A control takes of its baseline's time.
    """
    times = times if times is not None else {"baseline": 1.0, "config5": 0.4}
    again = times.get("baseline") and times["baseline"] * bias
    source = random.Random(repr((experiment, density, sorted(times))))
    samples = []
    for repetition in range(repetitions):
        drift = 1 + 0.3 * source.random()
        for name, seconds in {**times, "baseline-again": again}.items():
            if seconds is not None:
                ns = seconds * 1e9 * drift * (1 + noise * source.gauss(0, 1))
                sample = {"pipeline": name, "repetition": repetition, "warmup": False, "batch": 1}
                samples.append({**sample, "kernel_ns": ns, "zero_ns": 1e6, "attempt": 0})
    cells = {
        name: {"outcome": "measured", "reason": ""}
        if seconds is not None
        else {"outcome": "failed", "reason": "crashed with SIGSEGV"}
        for name, seconds in times.items()
    }
    compiled = {
        name: {
            "pipeline": {"rewrites": {"*": 0 if name.startswith("baseline") else 1}},
            "rewritten": 0 if name.startswith("baseline") else 1,
            "object": {"mask_spills": 4 if "w8" in name else 0, "vector_to_scalar_moves": 0},
        }
        for name in times
    }
    shown = f"{density:g} %" if density else "G/m"
    record = {
        "schema": RECORD_SCHEMA,
        "key": repr((experiment, density, sorted(times))),
        "seconds": 1.0,
        "finished": 0.0,
        "experiment": experiment,
        "group": f"spgemm/{shown}/c1",
        "kernel": "spgemm",
        "baseline": "baseline",
        "cores": 1,
        "seed": 1,
        "placement": "as configured",
        "input": {
            "id": shown,
            "meta": {},
            "label": shown,
            "density_pct": density,
            "matrix": None if density else "G/m",
        },
        "cells": cells,
        "samples": samples,
        "control": {
            "pipeline": "baseline-again",
            "outcome": "measured" if again else "absent",
            "reason": "" if again else "baseline was not measured",
        },
        "stopped_by": "interval",
        "settings": {"confidence": 0.95, "interval_width": 0.02},
        "compiled": compiled,
        "host": {
            "cpu": "Test CPU",
            "physical_cores": 2,
            "logical_cpus": 2,
            "memory_bytes": 2**34,
            "vector_extensions": ["avx2"],
            "governor": "unknown",
            "boost": "unknown",
            "clock_source": "tsc",
            "hypervisor": True,
            "kernel": "6.1",
        },
        "state": {"before": {"load_average": "0.10 0.1 0.1"}},
        "toolchain": {"version": "22.1.8", "provider": "wheels"},
        "provenance": {"commit": "abc", "dirty": False},
    }
    return {**record, **changes}


@pytest.fixture
def record():
    return make_record

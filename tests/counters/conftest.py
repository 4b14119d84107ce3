"""The tiny group of the measure tests, and recordings of perf."""

import importlib.util
from pathlib import Path

import pytest

from splyce_bench.counters.perf_output import PerfOutput, parse_perf

HERE = Path(__file__).parent
_spec = importlib.util.spec_from_file_location("fake_group", HERE.parent / "measure/conftest.py")
assert _spec
assert _spec.loader
_fake = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_fake)
runtime, dot_input, group_of = _fake.runtime, _fake.dot_input, _fake.group_of


@pytest.fixture
def recording():
    """Parse a recording by its name."""

    def load(name: str) -> PerfOutput:
        path = HERE / "recordings" / name
        return parse_perf(path.read_text(encoding="utf-8"), str(path))

    return load

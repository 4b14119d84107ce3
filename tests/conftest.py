"""Fixtures that stages share: the clone, and the toolchain and pass that `make test` built."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from splyce_bench.configuration import load_yaml
from splyce_bench.plan import Plan, load_plan

ROOT = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def shared() -> Path:
    """The developers' shared folder beside the clone; tests that use it skip without it."""
    folder = Path(os.environ.get("SPLYCE_SHARED", ROOT.parent / "shared"))
    if not folder.is_dir():
        pytest.skip(f"no shared folder at {folder}")
    return folder


# VmHWM begins anew with a program; ru_maxrss also has that of the process it was forked from.
PEAK = """
import re
from pathlib import Path
def peak():
    return 1024 * int(re.search(r"VmHWM:\\s*(\\d+)", Path("/proc/self/status").read_text())[1])
"""


@pytest.fixture(scope="session")
def print_bytes() -> Callable[..., int]:
    """Run Python that prints a number of bytes; its peak() is the most memory that it held."""

    def run(code: str, *arguments: str) -> int:
        command = [sys.executable, "-c", PEAK + code, *arguments]
        return int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)

    return run


@pytest.fixture(scope="session")
def plan() -> Plan:
    os.chdir(ROOT)
    return load_plan(load_yaml(ROOT / "config" / "default.yaml"))


@pytest.fixture(scope="session")
def toolchain(plan: Plan) -> dict[str, Any]:
    """The toolchain.json that `make test` made; a test run without it is a mistake, not a skip."""
    path = Path(os.environ.get("SPLYCE_TOOLCHAIN_JSON", ROOT / plan.build / "toolchain.json"))
    assert path.exists(), f"{path} is missing; run `make test`, which builds it first"
    return dict(json.loads(path.read_text(encoding="utf-8")))


@pytest.fixture(scope="session")
def pass_dir(plan: Plan) -> Path:
    """The folder with bin/splyce-opt and lib/SplycePlugin.so."""
    path = Path(os.environ.get("SPLYCE_PASS_DIR", ROOT / plan.build / "pass"))
    assert (path / "lib" / "SplycePlugin.so").exists(), f"no plugin in {path}; run `make test`"
    return path

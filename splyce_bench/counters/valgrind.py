"""The substitute where there are no counters: callgrind runs the kernel and simulates its branches.

Instructions and branches are exact for the code that ran; mispredictions are those of valgrind's
own predictor, which is no real processor's. valgrind knows no AVX-512: it wants a build for AVX2.
"""

import platform
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

from splyce_bench.counters.record import Record, empty_record
from splyce_bench.errors import UserError
from splyce_bench.measure.session import CellError, Session

# As the Cachegrind manual describes its predictor, which callgrind shares.
PREDICTOR = "--branch-sim, 16384 two-bit counters"
GET_IT = "install it (Debian, Ubuntu, Fedora: valgrind)"
LOAD_SECONDS = 600
# The manual: 20 to 100 times slower than the processor.
SLOWDOWN = 100


def valgrind_version() -> str:
    """Return the version of the valgrind on PATH, or '' without one."""
    binary = shutil.which("valgrind")
    if not binary:
        return ""
    result = subprocess.run([binary, "--version"], capture_output=True, text=True, check=False)
    return result.stdout.strip().removeprefix("valgrind-")


def missing_valgrind() -> str:
    """Return why nothing can be simulated here; '' when it can."""
    if platform.machine() not in ("x86_64", "AMD64"):
        return f"the simulation is written for x86-64, this is {platform.machine()}"
    return "" if valgrind_version() else f"no valgrind program; {GET_IT}"


def simulate(cpus: list[int], load: dict[str, Any], folder: Path, timeout_s: float) -> Record:
    """Simulate the one pipeline that `load`, a worker's command, names; CellError when it fails."""
    [pipeline] = load["objects"]
    stem = folder / f"callgrind.{pipeline}"
    wrapper = ["valgrind", "--tool=callgrind", "--instr-atstart=no", "--collect-atstart=no"]
    wrapper += ["--branch-sim=yes", "--vgdb=no", f"--callgrind-out-file={stem}"]
    with Session(cpus, wrapper) as session:
        session.ask(load, LOAD_SECONDS)
        command = {"do": "simulate", "pipeline": pipeline}
        status = session.ask(command, SLOWDOWN * timeout_s)["status"]
    if status:
        raise CellError("the worker does not run on valgrind: client requests had no answer")
    dumps = sorted(folder.glob(f"{stem.name}.*"))
    if not dumps:
        raise CellError(f"callgrind wrote no counts beside {stem}")
    return to_record(parse_callgrind(dumps[-1].read_text(encoding="utf-8"), str(dumps[-1])))


def parse_callgrind(text: str, source: str) -> dict[str, int]:
    """Return the totals of a callgrind file by event; UserError when it has none."""
    events = re.search(r"^events:\s*(.+)$", text, re.M)
    totals = re.search(r"^(?:totals|summary):\s*([\d ]+)$", text, re.M)
    if not events or not totals:
        raise UserError(
            f"{source}: expected the lines 'events:' and 'totals:' of callgrind, found neither; "
            "was the disk full?"
        )
    names = events.group(1).split()
    # callgrind leaves out zeros at the end of a line.
    values = [int(v) for v in totals.group(1).split()]
    return dict(zip(names, values + [0] * (len(names) - len(values)), strict=True))


def to_record(totals: dict[str, int]) -> Record:
    """Return the record of one simulated call from callgrind's events."""
    record = empty_record("simulated", f"callgrind {valgrind_version()} ({PREDICTOR})")
    record["calls"] = 1
    record["instructions"] = totals["Ir"]
    record["branches"] = totals["Bc"] + totals["Bi"]
    record["branch_misses"] = totals["Bcm"] + totals["Bim"]
    for field in ("cycles", "topdown_l1", "topdown_l2"):
        record["unavailable"][field] = "callgrind simulates no pipeline"
    return record

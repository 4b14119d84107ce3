"""Run `perf stat`: try what it can count here, and attach it to a measuring process.

perf starts with all events off and is switched on and off by the measuring process itself, through
a fifo, in C directly around the kernel calls. Only user code is counted: that is what
perf_event_paranoid 2 allows, and the kernels are nothing else.
"""

import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from splyce_bench.counters.perf_output import PerfOutput, parse_perf
from splyce_bench.process import ending

# Output in JSON, and what versions before 6.0 have instead.
FORMS = (["-j"], ["-x", ";"])
STOP_SECONDS = 10
# About 50 ms: long enough that events which take turns on the counters all get theirs.
BUSY = (sys.executable, "-S", "-c", "for _ in range(2_000_000): pass")


class PerfError(Exception):
    """perf did not count; the message says why."""


@dataclass
class Attached:
    """A running perf: the fifos that control it, and after its end what it counted.

    `stalled` is set by who waited for perf in vain, and says what for.
    """

    control: Path
    ack: Path
    stalled: str = ""
    output: PerfOutput = field(default_factory=PerfOutput)


@dataclass(frozen=True)
class Perf:
    """One perf binary, with the form of output that it knows."""

    binary: str
    version: str
    form: tuple[str, ...]

    def trial(self, arguments: list[str], folder: Path) -> PerfOutput:
        """Count a short command; PerfError with perf's words when it refuses."""
        out = folder / "trial.txt"
        command = [*self._command(arguments, out), *BUSY]
        _run(command)
        return parse_perf(out.read_text(encoding="utf-8"), f"output of {' '.join(command[:6])}")

    @contextmanager
    def attached(self, pid: int, arguments: list[str], folder: Path) -> Iterator[Attached]:
        """Attach to a process with all events off; `output` is there after the block."""
        out, control, ack = folder / "perf.txt", folder / "control", folder / "ack"
        for fifo in (control, ack):
            fifo.unlink(missing_ok=True)
            os.mkfifo(fifo)
        out.unlink(missing_ok=True)
        command = self._command(arguments, out)
        command += ["-D", "-1", "--control", f"fifo:{control},{ack}", "-p", str(pid)]
        with (folder / "perf.log").open("wb") as log:
            process = subprocess.Popen(command, stdout=log, stderr=log, env=_environment())
        attached = Attached(control, ack)
        try:
            yield attached
        finally:
            code = _stop(process)
        # Ended by our interrupt, perf writes its output first.
        if attached.stalled or code not in (0, -signal.SIGINT) or not out.exists():
            words = f"perf ended with {ending(code)}: {_last_words(folder / 'perf.log')}"
            raise PerfError(f"{attached.stalled}; {words}" if attached.stalled else words)
        attached.output = parse_perf(out.read_text(encoding="utf-8"), str(out))

    def _command(self, arguments: list[str], out: Path) -> list[str]:
        return [self.binary, "stat", "--all-user", *self.form, "-o", str(out), *arguments]


def find_perf(folder: Path) -> Perf:
    """Return this machine's perf; PerfError when there is none that runs."""
    binary = shutil.which("perf")
    if not binary:
        raise PerfError("no perf on PATH")
    version = _run([binary, "--version"]).strip()
    for form in FORMS:
        perf = Perf(binary, version, tuple(form))
        try:
            perf.trial(["-e", "task-clock"], folder)
        except PerfError as error:
            refused = error
        else:
            return perf
    raise PerfError(f"{version} counts not even the time of a command: {refused}")


def _run(command: list[str]) -> str:
    try:
        result = subprocess.run(
            command,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=30,
            env=_environment(),
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise PerfError(f"{command[0]}: {error}") from None
    if result.returncode:
        raise PerfError(_message(result.stderr) or ending(result.returncode))
    return result.stdout


def _stop(process: subprocess.Popen[bytes]) -> int:
    with contextlib.suppress(ProcessLookupError):
        process.send_signal(signal.SIGINT)
    try:
        return process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        return process.wait()


def _environment() -> dict[str, str]:
    """Decimal points, and neither a pager nor a debuginfod that asks the network."""
    return {**os.environ, "LC_ALL": "C", "PAGER": "cat", "DEBUGINFOD_URLS": ""}


def _last_words(log: Path) -> str:
    return _message(log.read_text(encoding="utf-8", errors="replace")) or "it said nothing"


def _message(text: str) -> str:
    """Return the sentence that matters of perf's message: not its usage, nor its ruler lines."""
    lines = [line.strip() for line in text.splitlines()]
    lines = [line for line in lines if re.search(r"\w", line)]
    usage = next((n for n, line in enumerate(lines) if line.startswith(("Run 'perf", "Usage"))), 3)
    return " ".join(lines[: max(1, min(usage, 3))])

"""What the Snakefile needs beyond the plan: one run at a time, first and closing lines."""

import fcntl
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, TextIO

from splyce_bench.collection.records import forget_unavailable
from splyce_bench.errors import UserError
from splyce_bench.plan import Plan
from splyce_bench.toolchain.environment import tools_environment

LOCK = ".lock"


def hold_run(plan: Plan, workflow: Any) -> TextIO | None:
    """Lock the results folder for this process; dry runs and cluster jobs do not need to.

    Snakemake's own lock outlives a SIGKILL and then wants `--unlock`; a flock does not.
    """
    if str(workflow.exec_mode) != "default" or only_looks(sys.argv[1:]):
        return None
    plan.run.mkdir(parents=True, exist_ok=True)
    lock = (plan.run / LOCK).open("a", encoding="utf-8")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise UserError(
            f"another snakemake is working in {plan.run}; wait for it, or give "
            "--config run=NAME to work in a folder of its own"
        ) from None
    except OSError as error:
        raise UserError(
            f"{plan.run}: the file system gives no locks ({error.strerror}), and two runs in one "
            "folder would spoil each other; Lustre wants the mount option flock, NFS a lock "
            "daemon; or work in a clone on another file system"
        ) from None
    os.utime(plan.run / LOCK)
    forget_unavailable(plan.run)
    return lock


def let_scheduler_sleep(workflow: Any) -> None:
    """Take Snakemake's limit of jobs a second away; for `onstart`, when the scheduler is made.

    With it (9.27) each finished job leaves a timer that selects among all ready jobs every second
    from then on: a quarter of a core beside the measurements after some hundred jobs.
    """
    workflow.scheduler.job_rate_limiter = None


def put_python_on_path() -> None:
    """Make `python` in the rules the one that runs Snakemake, activated or not."""
    os.environ.update(tools_environment())


def only_looks(arguments: list[str]) -> bool:
    """True for a call that executes nothing.

    While the Snakefile is read, Snakemake does not know its executor yet, so the arguments tell.
    """
    looking = ("--dry-run", "--dryrun", "--lint", "--summary", "--list", "--dag", "--rulegraph")
    short = (a for a in arguments if re.fullmatch("-[a-zA-Z]+", a))
    return any(a.startswith(looking) for a in arguments) or any("n" in a for a in short)


def print_problems_of(plan: Plan, arguments: list[str]) -> None:
    """Print what keeps this machine from running the target, before its first job."""
    # They bring numpy, which a dry run need not pay for.
    from splyce_bench.doctor.examine import brief
    from splyce_bench.doctor.machine import Machine
    from splyce_bench.doctor.needs import targets_of

    named = [argument for argument in arguments if argument in targets_of(plan)]
    if text := brief(plan, named[0] if len(named) == 1 else "all", Machine()):
        print(text, file=sys.stderr)


def print_headline_of(plan: Plan, to: TextIO = sys.stdout) -> None:
    """Print where the results are, the headline ratios and the verdict on the A/A control."""
    command = [sys.executable, "-m", "splyce_bench.report", "headline", "--run", str(plan.run)]
    subprocess.run(command, check=False, stdout=to)


def print_failures_of(plan: Plan) -> None:
    """Repeat the errors of this call's logs; after failed cells, the results there are, and them.

    The lock is as old as this call.
    """
    begun = (plan.run / LOCK).stat().st_mtime
    logs = [log for log in (plan.run / "logs").rglob("*.log") if log.stat().st_mtime >= begun]
    logs.sort(key=os.path.getmtime)
    checks = [log for log in logs if log.name.startswith("check_")]
    _repeat([log for log in logs if log not in checks], "error: ")
    if any(_from(log, "failed: ") for log in checks):
        print_headline_of(plan, to=sys.stderr)
    _repeat(checks, "failed: ")


def _repeat(logs: list[Path], beginning: str) -> None:
    """Print what logs say from such a line on; the same words once."""
    said: dict[str, list[Path]] = {}
    for log in logs:
        if lines := _from(log, beginning):
            said.setdefault("\n".join(lines), []).append(log)
    for text, where in said.items():
        more = f" and {len(where) - 1} more" if len(where) > 1 else ""
        print(f"{text}\n  (log: {where[-1]}{more})", file=sys.stderr, flush=True)


def _from(log: Path, beginning: str) -> list[str]:
    """Return a log's lines from the one that begins so: the first failed cell, the last error."""
    lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
    starts = [number for number, line in enumerate(lines) if line.startswith(beginning)]
    if not starts:
        return []
    return lines[min(starts) if beginning == "failed: " else max(starts) :]

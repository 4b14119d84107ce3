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


def hold_run(plan: Plan, workflow: Any) -> TextIO | None:
    """Lock the results folder for this process; dry runs and cluster jobs do not need to.

    Snakemake's own lock outlives a SIGKILL and then wants `--unlock`; a flock does not.
    """
    if str(workflow.exec_mode) != "default" or only_looks(sys.argv[1:]):
        return None
    plan.run.mkdir(parents=True, exist_ok=True)
    lock = (plan.run / ".lock").open("w", encoding="utf-8")
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise UserError(
            f"another snakemake is working in {plan.run}; wait for it, or give "
            "--config run=NAME to work in a folder of its own"
        ) from None
    forget_unavailable(plan.run)
    return lock


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


def print_headline_of(plan: Plan) -> None:
    """Print where the results are and the headline ratios."""
    command = [sys.executable, "-m", "splyce_bench.report", "headline", "--run", str(plan.run)]
    subprocess.run(command, check=False)


def print_failures_of(plan: Plan) -> None:
    """Repeat the last lines of the logs that ended in an error."""
    logs = sorted(Path(plan.run, "logs").rglob("*.log"), key=os.path.getmtime)
    for log in logs:
        lines = log.read_text(encoding="utf-8", errors="replace").splitlines()
        starts = [i for i, line in enumerate(lines) if line.startswith("error: ")]
        if starts:
            print("\n".join(lines[starts[-1] :]), f"\n  (log: {log})", file=sys.stderr)

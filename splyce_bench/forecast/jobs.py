"""The jobs of a target that are still to be done, by Snakemake's own dry run."""

import re
import subprocess
import sys
from dataclasses import dataclass

from splyce_bench.errors import UserError

# The messages of the rules `measure_group` and `generate_input` (workflow/rules/).
_MEASURING = re.compile(r"^Job \d+: Measuring (\S+): (\S+) on (\S+), (\d+) core", re.M)
_MAKING = re.compile(r"^Job \d+: Making input (\S+) of (\S+)$", re.M)
_FETCHING = re.compile(r"^Job \d+: Fetching (\S+)$", re.M)
_COUNT = re.compile(r"^(\w+) +(\d+)$", re.M)


@dataclass(frozen=True)
class Jobs:
    """Counts by rule; (experiment, kernel, input, cores) to measure; (input, kernel) to make."""

    counts: dict[str, int]
    measured: list[tuple[str, str, str, int]]
    made: list[tuple[str, str]]
    fetched: list[str]


def jobs_of(target: str, config: list[str]) -> Jobs:
    """Ask Snakemake what it would do; UserError with its words when it refuses."""
    command = [sys.executable, "-m", "splyce_bench.snakemake_cli", "--dry-run", target]
    command += ["--config", *config] if config else []
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode:
        lines = [line for line in result.stderr.strip().splitlines() if line.strip()]
        last = "\n  ".join(line.removeprefix("error: ") for line in lines[-4:])
        raise UserError(f"plan: snakemake refuses {target}:\n  {last}")
    return read_dry_run(result.stdout + result.stderr)


def read_dry_run(text: str) -> Jobs:
    """Read the output of a dry run."""
    table = text.partition("Job stats:")[2].partition("\n\n")[0]
    counts = {rule: int(count) for rule, count in _COUNT.findall(table) if rule != "total"}
    measured = [(e, k, i, int(cores)) for e, k, i, cores in _MEASURING.findall(text)]
    jobs = Jobs(counts, measured, _MAKING.findall(text), _FETCHING.findall(text))
    for rule, found in (("measure_group", measured), ("generate_input", jobs.made)):
        if len(found) != counts.get(rule, 0):
            raise AssertionError(f"{len(found)} messages of {counts.get(rule, 0)} jobs {rule}")
    return jobs

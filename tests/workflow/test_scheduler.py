"""Snakemake's scheduler works when a job ends and sleeps otherwise, beside the measurements."""

import os
import subprocess
import sys

SNAKEFILE = """
from splyce_bench.workflow import let_scheduler_sleep
onstart: let_scheduler_sleep(workflow)
rule all:
    input: "a.txt", "b.txt", "c.txt"
rule one:
    output: "{name}.txt"
    threads: 2
    shell: "sleep 2.5; touch {output}"
"""


def test_a_running_job_is_not_asked_about_every_second(root, tmp_path):
    (tmp_path / "Snakefile").write_text(SNAKEFILE)
    command = [sys.executable, "-m", "splyce_bench.snakemake_cli", "--cores", "2", "--verbose"]
    result = subprocess.run(
        command,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=True,
    )
    selections = (result.stdout + result.stderr).count("Resources before job selection")
    # Before each job, and once for the target, which has none.
    assert 3 <= selections <= 5

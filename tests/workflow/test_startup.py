"""Reading the Snakefile stays cheap: jobs import what computes, the plan does not."""

import re
import subprocess
import sys

HEAVY = {"matplotlib", "numba", "numpy", "pandas", "scipy", "sparse", "ssgetpy"}


def test_a_dry_run_imports_nothing_heavy(clone):
    _, *rest = clone.command("-n", "all", config=())
    result = subprocess.run(
        [sys.executable, "-X", "importtime", *rest],
        cwd=clone.folder,
        env=clone.environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert result.returncode == 0, result.stderr[-2000:]
    assert "measure_group" in result.stdout + result.stderr
    imported = set(re.findall(r"^import time: .*\| +(\w+)", result.stderr, re.MULTILINE))
    assert "snakemake" in imported
    assert imported & HEAVY == set()

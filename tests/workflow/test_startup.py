"""Reading the Snakefile stays cheap: jobs import what computes, the plan does not."""

import re
import subprocess
import sys

HEAVY = {"matplotlib", "numpy", "pandas", "scipy", "ssgetpy"}
# Snakemake 9 imports numpy itself, for its YAML templates (yte).
SNAKEMAKES = {"numpy"}


def imported_by(*command, clone):
    """Top-level modules that a Python command imports, and what it printed."""
    result = subprocess.run(
        [sys.executable, "-X", "importtime", *command],
        cwd=clone.folder,
        env=clone.environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=600,
    )
    assert result.returncode == 0, result.stderr[-2000:]
    names = re.findall(r"^import time: .*\| +(\w+)", result.stderr, re.MULTILINE)
    return set(names), result.stdout + result.stderr


def test_what_the_rules_import_and_the_plan_itself(clone):
    rules = (clone.folder / "workflow" / "rules").glob("*.smk")
    text = "\n".join(path.read_text(encoding="utf-8") for path in rules)
    imports = re.findall(r"^from splyce_bench\.\S+ import (?:\([^)]*\)|.*)$", text, re.MULTILINE)
    assert len(imports) > 3
    code = "\n".join([*imports, "from splyce_bench.plan import load_run", "load_run([])"])
    names, _ = imported_by("-c", code, clone=clone)
    assert "splyce_bench" in names
    assert names & HEAVY == set()


def test_a_dry_run_of_everything_at_paper_scale(clone):
    _, *command = clone.command("-n", "all", config=())
    names, text = imported_by(*command, clone=clone)
    assert "measure_group" in text
    assert "snakemake" in names
    assert names & HEAVY <= SNAKEMAKES

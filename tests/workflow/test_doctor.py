"""Snakemake tells before its first job what the doctor found."""

import shutil


def test_problems_come_before_the_first_job(clone, plan):
    shutil.rmtree(clone.folder / plan.build / "pass")
    result = clone.snakemake("build_runtime", CXX="no-such-compiler")
    assert result.returncode == 0, result.stderr
    said = result.stderr.index("problem  C++ compiler: CXX=no-such-compiler is no program on PATH")
    assert said < result.stderr.index("Building the timing runtime")


def test_a_dry_run_says_nothing(clone):
    assert "C++ compiler" not in clone.snakemake("-n", CXX="no-such-compiler").stderr

"""A clone of the project to run Snakemake in, sharing what `make test` built."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PARTS = (
    "Snakefile",
    "environment.yml",
    "config",
    "experiments",
    "profiles",
    "references",
    "splyce_bench",
    "splyce_pass",
    "workflow",
)
# Small enough for seconds, with every stage and rule in it.
TINY = (
    "run=tiny",
    "sizes={spgemm: {i: 20, j: 20, k: 500}}",
    "measure={processes: 1, interval_width: 0.5, max_repetitions: 6, min_repetitions: 6, "
    "min_sample_ms: 0.2}",
)


class Clone:
    """A copy of the sources in a folder of its own."""

    tiny = TINY

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.environment = {**os.environ, "PYTHONPATH": str(folder)}

    def command(self, *arguments: str, config: tuple[str, ...] = TINY) -> list[str]:
        snakemake = [sys.executable, "-m", "splyce_bench.snakemake_cli", *arguments]
        return [*snakemake, "--config", *config] if config else snakemake

    def snakemake(
        self, *arguments: str, config: tuple[str, ...] = TINY, **environment: str
    ) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            self.command(*arguments, config=config),
            cwd=self.folder,
            env={**self.environment, **environment},
            capture_output=True,
            text=True,
            check=False,
            timeout=600,
        )

    def planned(self, *arguments: str, config: tuple[str, ...] = TINY) -> str:
        """Return the jobs of a dry run."""
        result = self.snakemake("-n", *arguments, config=config)
        assert result.returncode == 0, result.stderr
        return result.stdout + result.stderr


@pytest.fixture(scope="session")
def make_clone(root, plan, toolchain, pass_dir):
    def make(folder: Path) -> Clone:
        folder.mkdir(parents=True)
        for part in PARTS:
            source = root / part
            if source.is_dir():
                shutil.copytree(source, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy2(source, folder / part)
        build = folder / plan.build
        shutil.copytree(pass_dir, build / "pass")
        shutil.copy2(root / plan.build / "toolchain.json", build)
        _newer_than_sources(build)
        return Clone(folder)

    return make


def _newer_than_sources(build: Path) -> None:
    """Copies keep the sources' times; what was built from them must look younger, in order."""
    order = [build / "toolchain.json", *(p for p in (build / "pass").rglob("*") if p.is_file())]
    for path in order:
        path.touch()


@pytest.fixture
def clone(make_clone, tmp_path):
    return make_clone(tmp_path / "clone")

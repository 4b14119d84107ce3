"""The ways to install agree: pyproject.toml, environment.yml and the two lock files."""

import re
import tomllib

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from splyce_bench.configuration import load_yaml

# Names that conda-forge and bioconda have for PyPI's; the others are the same.
CONDA = {
    "intel-openmp": "llvm-openmp",
    "matplotlib": "matplotlib-base",
    "snakemake": "snakemake-minimal",
}
# Another package under the name of its own, with versions of its own.
OTHER_VERSIONS = {"intel-openmp"}


@pytest.fixture(scope="module")
def project(root):
    return tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@pytest.fixture(scope="module")
def conda(root):
    """Name to version bounds of the conda environment."""
    lines = load_yaml(root / "environment.yml")["dependencies"]
    found = [re.fullmatch(r"([a-z0-9-]+)(?: +(\S+))?", line) for line in lines]
    assert all(found), "a line of environment.yml is not NAME BOUNDS"
    return {match[1]: match[2] or "" for match in found}


def locked(path):
    """Name to version of a lock file."""
    text = path.read_text(encoding="utf-8")
    return dict(re.findall(r"^([\w.-]+)==(\S+)", text, re.MULTILINE))


def requirements(project, *extras):
    listed = list(project["dependencies"])
    for extra in extras:
        listed += project["optional-dependencies"][extra]
    return [Requirement(line) for line in listed]


def test_conda_has_every_dependency_with_its_bounds(project, conda):
    for wanted in requirements(project, "build"):
        name = CONDA.get(wanted.name, wanted.name)
        assert name in conda, f"environment.yml lacks {name}"
        if wanted.name not in OTHER_VERSIONS:
            assert conda[name] == str(wanted.specifier), f"environment.yml: {name}"


def test_conda_has_the_python_that_is_required(project, conda):
    assert conda["python"].split(",")[0] == project["requires-python"]


def test_conda_brings_the_compilers_and_what_builds(conda):
    assert {"c-compiler", "cxx-compiler", "make", "cmake", "ninja", "pip"} <= set(conda)


@pytest.mark.parametrize(
    ("name", "extras"),
    [("requirements.lock", ["build", "dev"]), ("requirements-run.lock", ["build"])],
)
def test_a_lock_satisfies_what_is_asked_for(root, project, name, extras):
    versions = {canonicalize_name(n): v for n, v in locked(root / name).items()}
    for wanted in requirements(project, *extras):
        assert wanted.specifier.contains(versions[canonicalize_name(wanted.name)]), wanted


def test_the_lock_of_the_image_is_a_part_of_the_other(root):
    everything, run = locked(root / "requirements.lock"), locked(root / "requirements-run.lock")
    assert run.items() < everything.items()


def test_each_locked_package_has_its_hashes(root):
    for name in ("requirements.lock", "requirements-run.lock"):
        blocks = re.split(r"^(?=[\w.-]+==)", (root / name).read_text("utf-8"), flags=re.M)[1:]
        assert all("--hash=sha256:" in block for block in blocks)

"""`make setup` before it does anything: what is missing, and whose environment `.venv` is."""

import os
import re
import shutil
import subprocess
import sys
import tomllib

import pytest

WORKING = "exit 0"


@pytest.fixture
def programs(tmp_path):
    """Make a PATH with these programs, each a line of shell, and nothing else."""

    def make(**lines):
        folder = tmp_path / "bin"
        folder.mkdir()
        for name, line in lines.items():
            program = folder / name.replace("cxx", "c++")
            program.write_text(f"#!/bin/sh\n{line}\n")
            program.chmod(0o755)
        return folder

    return make


@pytest.fixture
def check(root):
    """Return what the check says on such a PATH, one line or none."""

    def run(path, *arguments, **environment):
        result = subprocess.run(
            ["/bin/sh", root / "scripts/check-needs.sh", *arguments],
            env={"PATH": str(path), **environment},
            capture_output=True,
            text=True,
            check=False,
        )
        assert result.returncode == (1 if result.stderr else 0)
        assert len(result.stderr.splitlines()) <= 1
        return result.stderr

    return run


def python(version, lacking="nothing"):
    """A Python of that version that fails at what has the word `lacking` in it."""
    return f"case $2 in *version_info*) echo {version};; *{lacking}*) exit 1;; esac"


def test_this_machine_lacks_nothing(check):
    assert check(os.environ["PATH"], sys.executable) == ""


def test_a_bare_machine_is_told_everything_in_one_line(check, programs):
    said = check(programs())
    assert "Python 3.11 to 3.14 with venv" in said
    assert "C and C++ compilers" in said
    assert said.endswith("sudo apt install python3-venv python3-dev g++\n")


@pytest.mark.parametrize("version", ["3.10", "3.15"])
def test_a_python_that_the_lock_has_no_wheels_for(check, programs, version):
    said = check(programs(python3=python(version), cxx=WORKING, cc=WORKING))
    assert f"Python 3.11 to 3.14 (python3 is {version}; name another with make PYTHON=...)" in said
    assert "apt install" not in said


def test_the_package_is_that_of_the_python_asked_for(check, programs):
    path = programs(**{"python3.12": python("3.12", "ensurepip"), "cxx": WORKING, "cc": WORKING})
    said = check(path, "python3.12")
    assert said.endswith(
        "venv of Python 3.12; on Debian or Ubuntu: sudo apt install python3.12-venv\n"
    )


@pytest.mark.parametrize(("version", "needed"), [("3.13", False), ("3.14", True)])
def test_headers_are_needed_where_a_package_has_no_wheel(check, programs, version, needed):
    said = check(programs(python3=python(version, "Python.h"), cxx=WORKING, cc=WORKING))
    assert said.endswith("sudo apt install python3-dev\n") if needed else said == ""


def test_a_compiler_without_its_headers_is_none(check, programs):
    said = check(programs(python3=python("3.11"), cxx="exit 1", cc=WORKING))
    assert "(c++ cannot compile #include <vector>)" in said
    assert said.endswith("sudo apt install g++\n")


def test_a_compiler_that_is_chosen_is_the_one_that_counts(check, programs):
    path = programs(python3=python("3.11"), cxx=WORKING, cc=WORKING)
    assert "CXX=icpx is no program" in check(path, CXX="icpx")


def test_the_oldest_python_is_that_of_the_project(root):
    text = (root / "scripts/check-needs.sh").read_text()
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    oldest = re.search(r"^ +(3\.\d+) \|", text, re.M)[1]
    assert project["requires-python"] == f">={oldest}"


@pytest.fixture
def setup(root, tmp_path):
    """Call `make` with these arguments in a folder that has what setup reads."""
    folder = tmp_path / "clone"
    (folder / "scripts").mkdir(parents=True)
    for name in ("Makefile", "pyproject.toml", "requirements.lock", "scripts/check-needs.sh"):
        shutil.copy(root / name, folder / name)

    def run(*arguments):
        return subprocess.run(
            ["make", "setup", *arguments], cwd=folder, capture_output=True, text=True, check=False
        )

    run.folder = folder
    return run


def test_an_environment_behind_a_link_is_left_as_it_is(setup, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    (other / "kept").touch()
    (setup.folder / ".venv").symlink_to(other)
    result = setup(f"PYTHON={sys.executable}")
    assert result.returncode != 0
    assert f".venv is a symbolic link (to {other})" in result.stderr
    assert [path.name for path in other.iterdir()] == ["kept"]


def test_nothing_is_made_where_something_is_missing(setup):
    result = setup("PYTHON=python0")
    assert result.returncode != 0
    assert "error: missing: Python" in result.stderr
    assert not (setup.folder / ".venv").exists()


def test_without_an_index_the_last_word_says_what_is_needed(setup, tmp_path):
    """A Python whose venv is made and whose pip finds nothing."""
    fake = tmp_path / "python3"
    fake.write_text(
        "#!/bin/sh\n"
        "case \"$2 $*\" in *version_info*) echo 3.11;; *'-m venv'*)\n"
        "  mkdir -p .venv/bin\n"
        "  printf '#!/bin/sh\\necho no answer >&2; exit 1\\n' > .venv/bin/python\n"
        "  chmod +x .venv/bin/python;;\n"
        "esac\n"
    )
    fake.chmod(0o755)
    result = setup(f"PYTHON={fake}")
    assert result.returncode != 0
    assert "did not install requirements.lock; it needs PyPI" in result.stderr
    assert not (setup.folder / ".venv/.installed").exists()

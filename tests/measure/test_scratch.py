"""The folder of one measurement: what a killed one left behind goes, that of a living one stays."""

import subprocess
import sys

import pytest

from splyce_bench.measure.scratch import scratch_folder

HOLDER = """
import sys, time
from pathlib import Path
from splyce_bench.measure.scratch import scratch_folder
with scratch_folder(Path(sys.argv[1])) as folder:
    (folder / "big").touch()
    print(folder, flush=True)
    time.sleep(60)
"""


@pytest.fixture
def holder(tmp_path):
    """Another process with a folder there."""
    command = [sys.executable, "-c", HOLDER, str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        yield process, process.stdout.readline().strip()
        process.kill()


def test_what_a_killed_measurement_left_is_removed(tmp_path, holder):
    process, folder = holder
    with scratch_folder(tmp_path) as mine:
        assert {str(path) for path in tmp_path.iterdir()} == {str(mine), folder}, "it is alive"
    process.kill()
    process.wait()
    with scratch_folder(tmp_path) as mine:
        assert list(tmp_path.iterdir()) == [mine]
    assert list(tmp_path.iterdir()) == []


def test_folders_of_other_hosts_are_left_alone(tmp_path, monkeypatch):
    monkeypatch.setattr("socket.gethostname", lambda: "other")
    with scratch_folder(tmp_path) as theirs:
        left = tmp_path / theirs.name.replace("other", "another")
        left.mkdir()
        (left / "in-use").touch()
        monkeypatch.setattr("socket.gethostname", lambda: "mine")
        with scratch_folder(tmp_path) as mine:
            assert set(tmp_path.iterdir()) == {theirs, left, mine}

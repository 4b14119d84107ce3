"""A call that is killed takes the programs it started with it, and leaves nothing for the next."""

import signal
import subprocess
import sys
import time

import pytest

from splyce_bench.errors import UserError
from splyce_bench.toolchain import source
from splyce_bench.toolchain.model import Request

PROGRAM = """#!/bin/sh
trap 'echo cleaned > stopped; exit 1' TERM
echo > started
while :; do sleep 0.05; done
"""
DEADLINE_SECONDS = 20


def wait_for(path):
    end = time.monotonic() + DEADLINE_SECONDS
    while not path.exists():
        assert time.monotonic() < end, f"no {path.name}"
        time.sleep(0.02)


def test_a_build_ends_with_the_call_that_was_killed(root, tmp_path):
    program = tmp_path / "ninja"
    program.write_text(PROGRAM)
    program.chmod(0o755)
    code = f"from splyce_bench.toolchain.source import run; run(['{program}'], 'building', None)"
    call = subprocess.Popen(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, '{root}'); {code}"], cwd=tmp_path
    )
    wait_for(tmp_path / "started")
    call.send_signal(signal.SIGKILL)
    call.wait()
    wait_for(tmp_path / "stopped")


def test_half_unpacked_sources_of_a_killed_call_are_removed(tmp_path, monkeypatch):
    monkeypatch.setattr(source, "check_space", lambda *_: None)
    request = Request("source", None, "ref", str(tmp_path / "absent.tar"), tmp_path)
    part = source.folder_of(request) / ".source.abc.part"
    part.mkdir(parents=True)
    with pytest.raises(UserError, match="no such file"):
        source.find(request)
    assert not part.exists()

"""Steps of the workflow as processes."""

import signal
import subprocess
import sys

import pytest

from splyce_bench.process import ending, unasked_ending

STEP = """
import tempfile, time
from splyce_bench.process import run_cli

def main():
    with tempfile.TemporaryDirectory(dir={folder!r}):
        print("working", flush=True)
        time.sleep(60)

run_cli(main)
"""


def test_a_terminated_step_leaves_no_scratch_folder(tmp_path):
    """A scheduler that cancels a job, or finds its time used up, sends SIGTERM first."""
    command = [sys.executable, "-c", STEP.format(folder=str(tmp_path))]
    step = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    assert step.stdout
    assert step.stdout.readline() == "working\n"
    step.terminate()
    assert step.wait(timeout=20) == 143
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("code", "words", "unasked"),
    [
        (3, "exit code 3", "exit code 3"),
        (-signal.SIGSEGV, "SIGSEGV", "SIGSEGV"),
        (-signal.SIGKILL, "SIGKILL", "SIGKILL, as when memory runs out"),
    ],
)
def test_how_a_process_ended(code, words, unasked):
    """perf is killed by us when it does not stop: that says nothing of the memory."""
    assert (ending(code), unasked_ending(code)) == (words, unasked)

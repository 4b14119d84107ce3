"""The pass's own lit and FileCheck tests, in the build tree that `make test` made."""

import os
import re
import subprocess
import sys
from pathlib import Path


def test_every_lit_test_passes(root, pass_dir):
    build = pass_dir.with_name("pass-build")
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    result = subprocess.run(
        ["cmake", "--build", str(build), "--target", "check-splyce"],
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stdout[-4000:] + result.stderr[-2000:]
    passed = re.search(r"Passed\s*: *(\d+)", result.stdout)
    assert passed, result.stdout
    # Tests of generated code need a target that this LLVM may not have.
    unsupported = re.findall(r"^UNSUPPORTED: .*/target-[\w-]+\.mlir", result.stdout, re.MULTILINE)
    files = list((root / "splyce_pass/test/Splyce").glob("*.mlir"))
    assert int(passed.group(1)) + len(unsupported) == len(files)

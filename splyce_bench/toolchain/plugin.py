"""Does a pass plugin load: mlir-opt goes on without it and exits 0 (llvm/llvm-project#135112)."""

import re
import subprocess
from pathlib import Path

from splyce_bench.errors import UserError


def check_plugin(mlir_opt: Path, plugin: Path, passes: list[str]) -> None:
    """Require that a plugin loads in stock mlir-opt and registers the passes named."""
    if not plugin.exists():
        raise UserError(f"{plugin}: no such pass plugin")
    command = [str(mlir_opt), f"--load-pass-plugin={plugin}", "--help"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    messages = result.stderr.strip()
    if "registered more than once" in messages:
        raise UserError(
            f"{plugin}: LLVM is linked into it a second time (an option is registered more than "
            "once); link the plugin against libMLIR.so and libLLVM.so, or against none"
        )
    if result.returncode or "Failed to load" in messages:
        last = (messages.splitlines() or [f"exit code {result.returncode}"])[0]
        raise UserError(f"{plugin}: does not load in {mlir_opt}: {last}")
    missing = [name for name in passes if not re.search(rf"--{name}\b", result.stdout)]
    if missing:
        raise UserError(f"{plugin}: loads, but registers no pass named {', '.join(missing)}")

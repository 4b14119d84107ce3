"""Does a pass plugin load: mlir-opt goes on without it and exits 0 (llvm/llvm-project#135112)."""

import subprocess
from pathlib import Path

from splyce_bench.errors import UserError
from splyce_bench.toolchain.probe import missing_passes


def check_plugin(mlir_opt: Path, plugin: Path, passes: list[str]) -> None:
    """Require that a plugin loads in stock mlir-opt and registers the passes named."""
    if not plugin.exists():
        raise UserError(f"{plugin}: no such pass plugin")
    command = [str(mlir_opt), f"--load-pass-plugin={plugin}", "--help"]
    try:
        result = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        raise UserError(f"cannot run {mlir_opt}: {error.strerror}") from None
    messages = result.stderr.strip()
    if "registered more than once" in messages:
        raise UserError(
            f"{plugin}: LLVM is linked into it a second time (an option is registered more than "
            "once); link the plugin against libMLIR.so and libLLVM.so, or against none"
        )
    if result.returncode or "Failed to load" in messages:
        last = (messages.splitlines() or [f"exit code {result.returncode}"])[0]
        raise UserError(f"{plugin}: does not load in {mlir_opt}: {last}")
    if missing := missing_passes(passes, result.stdout):
        raise UserError(f"{plugin}: loads, but registers no pass named {', '.join(missing)}")

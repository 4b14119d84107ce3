"""lit configuration of the pass; run through lit.site.cfg.py (target check-splyce)."""

# lit passes `config` in.
# ruff: noqa: F821
from pathlib import Path
from typing import Any

import lit.formats

config: Any
build = Path(config.splyce_build)
config.name = "SPLYCE"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir"]
config.test_source_root = str(Path(__file__).parent)
config.test_exec_root = str(build / "test")

if config.llvm_assertions:
    config.available_features.add("asserts")

plugin = build / "lib" / "SplycePlugin.so"
for name, command in (
    ("splyce-opt", str(build / "bin" / "splyce-opt")),
    ("mlir-opt-with-plugin", f"{config.mlir_opt} --load-pass-plugin={plugin}"),
    ("FileCheck", config.filecheck),
    ("not", config.not_tool),
):
    config.substitutions.append((rf"(?<![-\w/.]){name}(?![-\w/.])", command))

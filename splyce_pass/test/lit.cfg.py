"""lit configuration of the pass; run through lit.site.cfg.py (target check-splyce)."""

# lit passes `config` and `lit_config` in.
# ruff: noqa: F821
import os
from typing import Any

import lit.formats

config: Any
config.name = "SPLYCE"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.splyce_build, "test")
config.excludes = ["Inputs", "CMakeLists.txt"]

plugin = os.path.join(config.splyce_build, "lib", "SplycePlugin.so")
for name, command in (
    ("splyce-opt", os.path.join(config.splyce_build, "bin", "splyce-opt")),
    ("mlir-opt-with-plugin", f"{config.mlir_opt} --load-pass-plugin={plugin}"),
    ("FileCheck", config.filecheck),
    ("not", config.not_tool),
):
    config.substitutions.append((rf"(?<![-\w/.]){name}(?![-\w/.])", command))

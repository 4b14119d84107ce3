"""lit configuration of the pass; run through lit.site.cfg.py (target check-splyce)."""

# lit passes `config` in.
# ruff: noqa: F821
import re
import subprocess
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

# Code is generated for the targets that llc names.
code_tools = {n: getattr(config, n.replace("-", "_")) for n in ("mlir-translate", "opt", "llc")}
if not any(path.endswith("NOTFOUND") for path in code_tools.values()):
    version = subprocess.run([config.llc, "--version"], capture_output=True, text=True, check=True)
    for target in re.findall(r"^ +([\w-]+) +- ", version.stdout, re.MULTILINE):
        config.available_features.add(f"{target}-registered-target")

# From loops on memrefs and vectors to the LLVM dialect, as the harness lowers them.
to_llvm = (
    "sparse-storage-specifier-to-llvm canonicalize cse convert-scf-to-cf convert-vector-to-llvm "
    "arith-expand expand-strided-metadata finalize-memref-to-llvm convert-arith-to-llvm "
    "convert-openmp-to-llvm convert-func-to-llvm convert-cf-to-llvm convert-ub-to-llvm "
    "reconcile-unrealized-casts"
)
config.substitutions.append(("%to-llvm", " ".join(f"--{name}" for name in to_llvm.split())))

plugin = build / "lib" / "SplycePlugin.so"
for name, command in (
    ("splyce-opt", str(build / "bin" / "splyce-opt")),
    ("mlir-opt-with-plugin", f"{config.mlir_opt} --load-pass-plugin={plugin}"),
    ("FileCheck", config.filecheck),
    ("not", config.not_tool),
    *code_tools.items(),
):
    config.substitutions.append((rf"(?<![-\w/.]){name}(?![-\w/.])", command))

"""What the object code shows: instruction counts of one function, and what they are evidence of."""

import re
import subprocess
from collections import Counter
from pathlib import Path

from splyce_bench.errors import UserError

FACTS = (
    "instructions",
    "branches",
    "packed",
    "mask_moves",
    "mask_spills",
    "vector_to_scalar_moves",
    "fma",
    "openmp_calls",
)
_INSTRUCTION = re.compile(r"^\s+[0-9a-f]+:\s+(?P<mnemonic>[a-z][a-z0-9.]*)(?P<rest>.*)$")
_VECTOR_REGISTER = re.compile(r"%?[xyz]mm\d+|\b[vz]\d+\.")
_MASK_SPILL = re.compile(r"kmov\w*\s.*\(%r(sp|bp)\)|kmov\w*\s.*-?0x[0-9a-f]+\(%r[sb]p\)")


def disassemble(objdump: str, path: Path) -> str:
    """Return the disassembly of an object file, calls with their relocations."""
    command = [objdump, "-d", "-r", "--no-show-raw-insn", str(path)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode:
        raise UserError(f"cannot disassemble {path}: {result.stderr.strip()}")
    return result.stdout


def object_facts(text: str) -> dict[str, int]:
    """Count the instructions of a disassembly that a claim or a check asks about.

    `vector_to_scalar_moves` are element extractions to a general register, `mask_moves` all kmov,
    `mask_spills` those to or from the stack, `packed` instructions that name a vector register
    and are no scalar (ss/sd) operation, `fma` fused multiply-adds.
    """
    counts: Counter[str] = Counter()
    for line in text.splitlines():
        if "__kmpc" in line:
            counts["openmp_calls"] += 1
        if found := _INSTRUCTION.match(line):
            counts.update(_kinds(found["mnemonic"], found["rest"]))
    return {name: counts[name] for name in FACTS}


def _kinds(mnemonic: str, rest: str) -> list[str]:
    kinds = ["instructions"]
    if re.match(r"j[a-z]+$", mnemonic) and mnemonic != "jmp":
        kinds.append("branches")
    if mnemonic.startswith("kmov"):
        kinds.append("mask_moves")
        if _MASK_SPILL.search(mnemonic + rest):
            kinds.append("mask_spills")
    if mnemonic.startswith(("vpextr", "pextr")) or (
        mnemonic in ("vmovq", "vmovd", "movq", "movd") and re.search(r"%xmm\d+, %[er]", rest)
    ):
        kinds.append("vector_to_scalar_moves")
    if re.match(r"v?fn?m(add|sub)|fmadd|fmla", mnemonic):
        kinds.append("fma")
    if _VECTOR_REGISTER.search(rest) and not re.search(r"(ss|sd)$", mnemonic):
        kinds.append("packed")
    return kinds

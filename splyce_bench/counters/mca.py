"""llvm-mca on the innermost loops of a kernel: what each block needs of the execution ports.

Static: it assumes that every branch falls through, every load hits the first-level cache and the
scheduling model of LLVM is right. It says which port a block presses on, not how long a kernel
takes.
"""

import json
import re
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from splyce_bench.files import read_json

_LABEL = re.compile(r"^(?:\.L(BB\d+_\d+):|# %(bb\.\d+):)")
_INNER = re.compile(r"=>\s*This Inner Loop Header: Depth=(\d+)")
_MEMBER = re.compile(r"in Loop: Header=(BB\d+_\d+) Depth=(\d+)")
_INSTRUCTION = re.compile(r"^\t[a-z][^#]*")


class McaError(Exception):
    """There is no static analysis here; the message says why."""


@dataclass
class Block:
    """A basic block of an innermost loop, as text."""

    name: str
    loop: str
    depth: int
    lines: list[str] = field(default_factory=list)


def analyse(folder: Path, toolchain: dict[str, Any]) -> dict[str, Any]:
    """Return the port pressure of each block of a compiled kernel's innermost loops.

    Cycles of each port an iteration of the block, as llvm-mca's JSON has it; McaError without one.
    """
    tools = toolchain["tools"]
    mca = tools.get("llvm-mca") or shutil.which("llvm-mca")
    if not mca or "llc" not in tools:
        raise McaError("no llc or llvm-mca in the toolchain (Debian: apt install llvm)")
    compiled = read_json(folder / "kernel.json")
    cpu = compiled["pipeline"]["cpu"] or compiled["settings"]["cpu"]
    flags = [f"-mcpu={cpu}"]
    if compiled["pipeline"]["features"]:
        flags.append(f"-mattr={compiled['pipeline']['features']}")
    llc = [tools["llc"], *compiled["settings"]["llc_flags"], *flags]
    assembly = _run([*llc, "-relocation-model=pic", str(folder / "kernel.opt.ll"), "-o", "-"], "")
    blocks = innermost_blocks(assembly)
    if not blocks:
        raise McaError("no innermost loop in the assembly")
    answer = json.loads(_run([mca, *flags, "--json"], _marked(blocks)))
    return {
        "kind": "static",
        "model": f"llvm-mca {toolchain['version']}, {answer['TargetInfo']['CPUName']}",
        "blocks": _blocks(answer, blocks, rewritten=bool(compiled["rewritten"])),
    }


def innermost_blocks(assembly: str) -> list[Block]:
    """Return the blocks of the deepest innermost loops, by the comments that llc writes.

    Of the first function only: the next is its C interface, with the same code inlined.
    """
    blocks: list[Block] = []
    for line in assembly.split("# -- End function")[0].splitlines():
        if found := _LABEL.match(line):
            blocks.append(Block(found.group(1) or found.group(2), "", 0))
        if not blocks:
            continue
        block = blocks[-1]
        if inner := _INNER.search(line):
            block.loop, block.depth = block.name, int(inner.group(1))
        elif member := _MEMBER.search(line):
            block.loop, block.depth = member.group(1), int(member.group(2))
        if text := _INSTRUCTION.match(line):
            block.lines.append(text.group(0).rstrip())
    inner_loops = {b.loop for b in blocks if b.loop == b.name}
    inside = [b for b in blocks if b.loop in inner_loops and b.lines]
    deepest = max((b.depth for b in inside), default=0)
    return [b for b in inside if b.depth == deepest]


def _marked(blocks: list[Block]) -> str:
    return "".join(
        "\n".join([f"# LLVM-MCA-BEGIN {b.name}", *b.lines, f"# LLVM-MCA-END {b.name}", ""])
        for b in blocks
    )


def _blocks(answer: dict[str, Any], blocks: list[Block], rewritten: bool) -> list[dict[str, Any]]:
    """Join llvm-mca's regions with their loops; the fast lane is the loop with the most code."""
    regions = {region["Name"]: region for region in answer["CodeRegions"]}
    sizes: dict[str, int] = {}
    for block in blocks:
        sizes[block.loop] = sizes.get(block.loop, 0) + len(block.lines)
    largest = max(sizes, key=lambda loop: sizes[loop])
    rest = "epilogue" if rewritten else "two-finger loop"
    return [
        {
            "block": block.name,
            "loop": "fast lane" if rewritten and block.loop == largest else rest,
            "instructions": regions[block.name]["SummaryView"]["Instructions"]
            // regions[block.name]["SummaryView"]["Iterations"],
            "block_cycles": regions[block.name]["SummaryView"]["BlockRThroughput"],
            "pressure": _pressure(regions[block.name], answer["TargetInfo"]["Resources"]),
        }
        for block in blocks
        if block.name in regions
    ]


def _pressure(region: dict[str, Any], resources: list[str]) -> dict[str, float]:
    """Return cycles by port; llvm-mca puts the sum over the block behind its instructions."""
    rows = region["ResourcePressureView"]["ResourcePressureInfo"]
    whole = max((row["InstructionIndex"] for row in rows), default=0)
    # A unit of several ports is named 'Name.' and the number of the port as a byte.
    ports = [re.sub(r"[\x00-\x1f]", lambda byte: str(ord(byte.group())), r) for r in resources]
    return {
        ports[row["ResourceIndex"]]: row["ResourceUsage"]
        for row in rows
        if row["InstructionIndex"] == whole
    }


def _run(command: list[str], text: str) -> str:
    result = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
    if result.returncode:
        last = result.stderr.strip().splitlines()[-1:] or [f"exit code {result.returncode}"]
        raise McaError(f"{Path(command[0]).name}: {last[0]}")
    return result.stdout

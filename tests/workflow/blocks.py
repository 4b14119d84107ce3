"""Code blocks of the Markdown pages, with the marks that say what becomes of them.

A mark is an HTML comment on the line before a block (a blank line may lie between):

    <!-- file PATH -->            the block is the whole file PATH, relative to the clone
    <!-- append to PATH -->       it is added to the end of PATH
    <!-- below LINE in PATH -->   it is added below that line of PATH
    <!-- commands: run -->        its lines are run by test_worked_examples.py, in the page's order
    <!-- commands: by PATH -->    PATH, a test or script of this project, runs its lines
    <!-- commands: needs WHAT --> they need WHAT (NEEDS), which no test has
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

# What a page's commands may need that a test cannot have.
NEEDS = ("Docker", "SLURM", "network", "root", "hours", "32 cores", "hardware counters")
# A line of an indented block is a command when it begins with one of these; the rest is output.
_COMMAND = re.compile(
    r"^(?:[A-Z_]+=\S+ )*(?:apt|apptainer|awk|cat|cmake|conda|cp|curl|docker|git|head|ls|make|"
    r"mlir-opt|ninja|pip|podman|pytest|python|python3|sbatch|scancel|sed|sinfo|snakemake|"
    r"splyce-bench|splyce-opt|squeue|srun|sudo|tar|uv|wget|(?:\.|scripts|\.venv/bin)/\S+)(?: |$)"
)
_MARK = re.compile(r"^<!-- (file|append to|below|commands:) (.+) -->$")
_FENCE = re.compile(r"^```(\w*)$")


@dataclass(frozen=True)
class Block:
    """A code block: its text, the mark before it as (kind, rest), and where it begins.

    `language` is the word of its fence; an indented block has none.
    """

    page: Path
    line: int
    language: str
    text: str
    mark: tuple[str, str]

    @property
    def where(self) -> str:
        """The place, for messages."""
        return f"{self.page.name}:{self.line}"

    @property
    def commands(self) -> list[str]:
        """Its command lines, continued lines joined; none in a file."""
        if self.language not in ("", "sh"):
            return []
        joined = re.sub(r"\\\n\s*", "", self.text)
        lines = (line.split("   # ")[0].strip() for line in joined.splitlines())
        shell = self.language == "sh"
        return [line for line in lines if (shell and line[:1] not in "#") or _COMMAND.match(line)]


def blocks_of(page: Path) -> Iterator[Block]:
    """Yield the fenced and the indented code blocks of a page."""
    lines = page.read_text(encoding="utf-8").splitlines()
    mark, number = ("", ""), 0
    while number < len(lines):
        line = lines[number]
        if fence := _FENCE.match(line):
            end = lines.index("```", number + 1)
            text = "\n".join(lines[number + 1 : end]) + "\n"
            yield Block(page, number + 1, fence[1], text, mark)
            number, mark = end, ("", "")
        elif line.startswith("    ") and (number == 0 or not lines[number - 1].strip()):
            end = number
            while end < len(lines) and (lines[end].startswith("    ") or not lines[end].strip()):
                end += 1
            text = "\n".join(each[4:] for each in lines[number:end]).rstrip()
            yield Block(page, number + 1, "", text + "\n", mark)
            number, mark = end - 1, ("", "")
        elif found := _MARK.match(line):
            mark = (found[1], found[2])
        elif line.strip():
            assert not line.startswith("```"), f"{page}:{number + 1}: more than a word at a fence"
            mark = ("", "")
        number += 1


def pages(root: Path) -> list[Path]:
    """Return the pages whose commands are held to work."""
    return [root / "README.md", *sorted((root / "docs").glob("*.md"))]


def put_files(page: Path, folder: Path) -> None:
    """Write and append what the page's blocks say, as a reader of the whole page would."""
    for block in blocks_of(page):
        put_file(block, folder)


def put_file(block: Block, folder: Path) -> None:
    """Write or append one block, if it is a file."""
    kind, name = block.mark
    if kind == "file":
        (folder / name).write_text(block.text, encoding="utf-8")
    elif kind == "append to":
        with (folder / name).open("a", encoding="utf-8") as file:
            file.write("\n" + block.text)
    elif kind == "below":
        line, _, path = name.partition(" in ")
        before = (folder / path).read_text(encoding="utf-8")
        assert before.count(f"\n{line}\n") == 1, f"{block.where}: no single line '{line}' in {path}"
        after = before.replace(f"\n{line}\n", f"\n{line}\n{block.text}")
        (folder / path).write_text(after, encoding="utf-8")

"""One line of the doctor's: what was found, why it matters, and the command that helps."""

from dataclasses import dataclass
from typing import Literal

Level = Literal["ok", "warning", "problem"]
MARGIN = 9


@dataclass(frozen=True)
class Finding:
    """A problem keeps the target from running; a warning makes its numbers worse or fewer."""

    level: Level
    name: str
    found: str
    why: str
    advice: str = ""

    def __str__(self) -> str:
        line = f"{self.level:<{MARGIN}}{self.name}: {self.found}; {self.why}"
        return f"{line}\n{'':<{MARGIN}}try: {self.advice}" if self.advice else line


def judged(
    good: bool, name: str, found: str, why: str, advice: str, bad: Level = "warning"
) -> Finding:
    """Return an ok finding without advice, or one of the level `bad` with it."""
    return Finding("ok", name, found, why) if good else Finding(bad, name, found, why, advice)

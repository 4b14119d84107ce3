"""Lists of matrices (`config/matrices/*.tsv`): which members of the collection a sweep asks for."""

import difflib
import re
from dataclasses import dataclass
from pathlib import Path

from splyce_bench.errors import UserError

REQUIRED = ("group", "name", "rows", "cols", "stored")
OPTIONAL = ("kernel", "pairing", "sha256", "note")
# Groups and names become folders and parts of addresses.
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._+-]*")
_SHA256 = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class Member:
    """A matrix of the collection; `stored` counts elements after symmetric expansion.

    The collection's index leaves explicit zeros out of `stored`, so a file may hold more.
    `kernel` and `pairing` say what it is paired with, where a list is not for one kernel only.
    `sha256` is that of the .mtx file. All of these may be empty.
    """

    group: str
    name: str
    rows: int
    cols: int
    stored: int
    kernel: str = ""
    pairing: str = ""
    sha256: str = ""
    note: str = ""

    @property
    def id(self) -> str:
        """Group/Name, which is unique in the collection; a name alone is not."""
        return f"{self.group}/{self.name}"


def load_matrix_list(path: Path) -> list[Member]:
    """Read a tab-separated list; UserError names file and line of what is wrong."""
    lines = [(number, line) for number, line in enumerate(_lines(path), 1) if line.strip()]
    if not lines:
        raise UserError(f"{path}: empty; the first line must be: {_tabs(REQUIRED)}")
    columns = _columns(f"{path}:{lines[0][0]}", lines[0][1])
    seen: dict[tuple[str, str], int] = {}
    members = []
    for number, line in lines[1:]:
        member = _member(f"{path}:{number}", columns, line)
        key = (member.id, member.kernel)
        if key in seen:
            raise UserError(
                f"{path}:{number}: {member.id} stands already in line {seen[key]}; "
                "remove one of the two"
            )
        seen[key] = number
        members.append(member)
    if not members:
        raise UserError(f"{path}: no matrix in the list; add a line: {_tabs(REQUIRED)}")
    return members


def check_name(value: str, where: str) -> str:
    """Return a group or name that is safe in a path; UserError otherwise."""
    if not NAME.fullmatch(value):
        raise UserError(
            f"{where}: '{value}' is no group or name of the collection; expected letters, digits "
            "and . _ + -, beginning with a letter or digit"
        )
    return value


def _lines(path: Path) -> list[str]:
    try:
        # utf-8-sig: spreadsheets write a byte order mark.
        return path.read_text(encoding="utf-8-sig").splitlines()
    except (FileNotFoundError, IsADirectoryError):
        raise UserError(f"{path}: no such file; give the path of a list (.tsv)") from None
    except UnicodeDecodeError as error:
        raise UserError(f"{path}: not UTF-8 text ({error.reason}); save it as UTF-8") from None


def _columns(where: str, line: str) -> list[str]:
    columns = [part.strip() for part in line.split("\t")]
    known = REQUIRED + OPTIONAL
    for column in columns:
        if column not in known:
            near = difflib.get_close_matches(column, known, 1)
            hint = f"did you mean '{near[0]}'? " if near else ""
            raise UserError(
                f"{where}: unknown column '{column}'; {hint}expected columns separated by tabs: "
                f"{_tabs(REQUIRED)}, and {' or '.join(OPTIONAL)} if wanted"
            )
    if missing := [column for column in REQUIRED if column not in columns]:
        raise UserError(f"{where}: no column '{missing[0]}'; expected: {_tabs(REQUIRED)}")
    if len(set(columns)) < len(columns):
        raise UserError(f"{where}: a column stands twice; expected: {_tabs(REQUIRED)}")
    return columns


def _member(where: str, columns: list[str], line: str) -> Member:
    fields = [part.strip() for part in line.split("\t")]
    if len(fields) != len(columns):
        raise UserError(
            f"{where}: {len(fields)} fields, expected {len(columns)} separated by tabs: "
            f"{_tabs(columns)}"
        )
    row = dict(zip(columns, fields, strict=True))
    rows, cols = (_count(where, key, row[key], 1) for key in ("rows", "cols"))
    stored = _count(where, "stored", row["stored"], 0)
    if stored > rows * cols:
        raise UserError(f"{where}: {stored} stored elements do not fit into {rows} x {cols}")
    sha256 = row.get("sha256", "").lower()
    if sha256 and not _SHA256.fullmatch(sha256):
        raise UserError(f"{where}: sha256 '{sha256}' is not 64 hexadecimal digits")
    group, name = (check_name(row[key], f"{where}: {key}") for key in ("group", "name"))
    extra = {key: row.get(key, "") for key in ("kernel", "pairing", "note")}
    return Member(group, name, rows, cols, stored, sha256=sha256, **extra)


def _count(where: str, key: str, text: str, least: int) -> int:
    if not re.fullmatch("[0-9]+", text) or int(text) < least:
        raise UserError(f"{where}: {key} is '{text}', expected a whole number of at least {least}")
    return int(text)


def _tabs(columns: tuple[str, ...] | list[str]) -> str:
    return "<tab>".join(columns)

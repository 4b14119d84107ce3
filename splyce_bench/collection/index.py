"""Making a list of matrices from the collection's index, as ssgetpy reads it.

For whoever writes a list; a run reads lists only, so that nothing is asked when it is planned.
"""

import difflib
import os
import sqlite3
import tempfile
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Any

from splyce_bench.collection.download import Policy, download
from splyce_bench.collection.matrix_list import REQUIRED, Member, check_name
from splyce_bench.collection.partial import Partial
from splyce_bench.errors import UserError
from splyce_bench.files import write_text


def write_list(ids: list[str], mirror: str, policy: Policy, out: Path) -> None:
    """Write a list of the matrices `ids` (Group/Name), in this order, with their sizes."""
    with tempfile.TemporaryDirectory() as folder:
        part = Partial(Path(folder) / "ssstats.csv")
        download(f"{mirror.rstrip('/')}/files/ssstats.csv", part, policy)
        lines = part.path.read_text(encoding="utf-8").splitlines()
    members = look_up(ids, lines)
    table = [REQUIRED, *((m.group, m.name, m.rows, m.cols, m.stored) for m in members)]
    write_text(out, "".join("\t".join(map(str, row)) + "\n" for row in table))


def look_up(ids: list[str], index: list[str]) -> list[Member]:
    """Find matrices by Group/Name, exactly, in the lines of the collection's index."""
    database = _database(index)
    return [_find(id, database) for id in ids]


def _find(id: str, database: Any) -> Member:
    group, _, name = id.partition("/")
    check_name(group, f"'{id}', expected as Group/Name: group")
    check_name(name, f"'{id}', expected as Group/Name: name")
    # The search matches names that contain this one, with `_` for any letter, and stops at ten.
    found = database.search(group=group, name=name, limit=-1)
    exact = [matrix for matrix in found if (matrix.group, matrix.name) == (group, name)]
    if len(exact) != 1:
        near = difflib.get_close_matches(id, _ids(database.search(limit=-1)), 1, 0.8)
        hint = f"did you mean {near[0]}? " if near else ""
        raise UserError(
            f"{id}: {len(exact)} matrices of that group and name in the collection's index, "
            f"expected one; {hint}a matrix newer than the index is added to the list by hand"
        )
    matrix = exact[0]
    return Member(group, name, matrix.rows, matrix.cols, matrix.nnz)


def _ids(matrices: Iterable[Any]) -> list[str]:
    return [f"{matrix.group}/{matrix.name}" for matrix in matrices]


def _database(index: list[str]) -> Any:
    """Return ssgetpy's database of an index whose first two lines are its length and date."""
    database_type, gen_rows = _import_ssgetpy()
    database = database_type(":memory:")
    try:
        database.insert(gen_rows(index[2:]))
    except (ValueError, IndexError) as error:
        raise UserError(
            f"the collection's index is not as expected ({error}); check collection.mirror"
        ) from None
    return database


def _import_ssgetpy() -> tuple[Any, Any]:
    """Import ssgetpy where it finds a fresh index: it asks the network for one otherwise."""
    home = os.environ.get("HOME")
    with tempfile.TemporaryDirectory() as folder:
        _prepare(Path(folder) / ".ssgetpy" / "index.db")
        os.environ["HOME"] = folder
        try:
            from ssgetpy.csvindex import gen_rows
            from ssgetpy.db import MatrixDB
        except ModuleNotFoundError:
            raise UserError("no ssgetpy here; run: pip install ssgetpy==1.0rc2") from None
        finally:
            os.environ.pop("HOME")
            if home is not None:
                os.environ["HOME"] = home
    return MatrixDB, gen_rows


def _prepare(path: Path) -> None:
    path.parent.mkdir()
    with closing(sqlite3.connect(path)) as database:
        database.executescript(
            "CREATE TABLE MATRICES (id INTEGER); INSERT INTO MATRICES VALUES (0);"
            "CREATE TABLE update_table (update_date TIMESTAMP);"
            "INSERT INTO update_table VALUES (datetime('now'));"
        )

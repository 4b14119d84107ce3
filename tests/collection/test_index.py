"""Lists from the collection's index: by group and name exactly, without asking at import."""

import os
import re
import subprocess
import sys

import pytest

from splyce_bench.collection.fetch import archive_url
from splyce_bench.collection.index import look_up
from splyce_bench.collection.matrix_list import load_matrix_list
from splyce_bench.errors import UserError

REST = "1,0,0,0,1,1,problem,9"
# More than ten names that contain ab_c, or that match it with `_` for any letter.
ROWS = [("G1", "ab_c"), ("G1", "abXc"), *(("G2", f"ab_c{n}") for n in range(12)), ("G2", "ab_c")]
INDEX = [
    str(len(ROWS)),
    "08-Oct-2020 17:09:58",
    *(
        f"{group},{name},{number + 1},5,{number},{REST}"
        for number, (group, name) in enumerate(ROWS)
    ),
]


def test_exactly_the_one_asked_for():
    member = look_up(["G2/ab_c"], INDEX)[0]
    assert (member.id, member.rows, member.cols, member.stored) == ("G2/ab_c", len(ROWS), 5, 14)


@pytest.mark.parametrize(
    ("id", "index", "expected"),
    [
        ("G2/abXc", INDEX, "0 matrices .* expected one; did you mean G"),
        ("G1/ab_c", [*INDEX, INDEX[2]], "2 matrices"),
        ("ab_c", INDEX, "expected as Group/Name"),
        ("G1/a'b", INDEX, "is no group or name"),
        ("G1/ab_c", ["1", "today", "<html>"], "index is not as expected"),
    ],
)
def test_anything_but_one_is_refused(id, index, expected):
    with pytest.raises(UserError, match=expected):
        look_up([id], index)


@pytest.mark.parametrize("home", [None, "/proc"])
def test_the_command_writes_a_list_without_a_home(server, tmp_path, home):
    server.files["/files/ssstats.csv"] = "\n".join(INDEX).encode()
    environment = {k: v for k, v in os.environ.items() if k != "HOME"}
    environment |= {"HOME": home} if home else {}
    out = tmp_path / "mine.tsv"
    command = [sys.executable, "-m", "splyce_bench.collection", "list", "G2/ab_c", "G1/abXc"]
    command += ["--mirror", server.mirror, "--out", str(out)]
    subprocess.run(command, check=True, env=environment)
    assert [member.id for member in load_matrix_list(out)] == ["G2/ab_c", "G1/abXc"]


def test_no_index_is_one_line(server, tmp_path):
    command = [sys.executable, "-m", "splyce_bench.collection", "list", "G/a"]
    command += ["--mirror", server.mirror, "--out", str(tmp_path / "mine.tsv")]
    result = subprocess.run(command, capture_output=True, text=True)
    assert result.returncode == 1
    assert re.fullmatch(r"error: .*ssstats\.csv: 404 .*\n", result.stderr)


def test_addresses_are_those_of_ssgetpy():
    look_up(["G2/ab_c"], INDEX)  # ssgetpy is imported where it asks for nothing
    from ssgetpy.matrix import SS_ROOT_URL, Matrix

    matrix = Matrix(1, "HB", "1138_bus", *[0] * 9)
    assert matrix.url("MM") == archive_url(SS_ROOT_URL, "HB", "1138_bus")

"""Lists of matrices: what stands in the repository, and every mistake by file and line."""

import csv

import pytest

from splyce_bench.collection.matrix_list import Member, load_matrix_list
from splyce_bench.errors import UserError

HEADER = "group\tname\trows\tcols\tstored\n"


@pytest.fixture
def load(tmp_path):
    def load(text: str | bytes):
        path = tmp_path / "mine.tsv"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return load_matrix_list(path)

    return load


@pytest.mark.parametrize("kernel", ["spgemm", "spmspv", "spmttkrp"])
def test_a_sweep_has_the_published_matrices(root, kernel):
    members = load_matrix_list(root / "config" / "matrices" / f"sweep_{kernel}.tsv")
    with (root / "experiments" / "published" / f"sweep_{kernel}.csv").open() as file:
        published = [
            (r["group"], r["matrix"], int(r["rows"]), int(r["cols"]), int(r["nnz"]))
            for r in csv.DictReader(file)
        ]
    assert [(m.group, m.name, m.rows, m.cols, m.stored) for m in members] == published


def test_table4_has_the_published_matrices_and_hugetrace(root):
    ids = {member.id for member in load_matrix_list(root / "config" / "matrices" / "table4.tsv")}
    with (root / "experiments" / "published" / "real_world.csv").open() as file:
        published = {f"{r['group']}/{r['matrix']}" for r in csv.DictReader(file)}
    assert ids == published | {"DIMACS10/hugetrace-00020"}


def test_columns_in_any_order_with_crlf_blank_lines_and_a_byte_order_mark(load):
    text = "name\tgroup\tcols\trows\tstored\tsha256\r\n\r\na.b-c\tG\t3\t2\t4\t" + "A" * 64 + "\r\n"
    assert load(b"\xef\xbb\xbf" + text.encode()) == [Member("G", "a.b-c", 2, 3, 4, sha256="a" * 64)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", r"mine\.tsv: empty"),
        (HEADER, r"mine\.tsv: no matrix in the list"),
        (HEADER + "G\ta\t2\t2\n", r"mine\.tsv:2: 4 fields, expected 5 separated by tabs"),
        (HEADER + "G a 2 2 1\n", r"mine\.tsv:2: 1 fields"),
        (HEADER + "G\ta\t2\t2\t1\n\nG\ta\t2\t2\t1\n", r"mine\.tsv:4: G/a .* already in line 2"),
        (HEADER + "G\ta\t0\t2\t1\n", r"mine\.tsv:2: rows is '0', expected .* at least 1"),
        (HEADER + "G\ta\t2\t2\t1e3\n", r"mine\.tsv:2: stored is '1e3'"),
        (HEADER + "G\ta\t2\t2\t5\n", r"mine\.tsv:2: 5 stored elements do not fit into 2 x 2"),
        (HEADER + "../G\ta\t2\t2\t1\n", r"mine\.tsv:2: group: '\.\./G' is no group or name"),
        (HEADER + "G\t..\t2\t2\t1\n", r"mine\.tsv:2: name: '\.\.' is no group"),
        ("group\tname\trow\tcols\tstored\n", r"mine\.tsv:1: unknown column 'row'.*mean 'rows'"),
        ("group\tname\trows\tcols\n", r"mine\.tsv:1: no column 'stored'"),
        ("group\tname\trows\tcols\tstored\trows\n", r"mine\.tsv:1: a column stands twice"),
        (HEADER[:-1] + "\tsha256\nG\ta\t2\t2\t1\tabc\n", r"mine\.tsv:2: sha256 'abc'"),
        (b"\xff\xfe", r"mine\.tsv: not UTF-8"),
    ],
)
def test_mistakes_name_file_and_line(load, text, expected):
    with pytest.raises(UserError, match=expected):
        load(text)


def test_a_list_that_is_not_there(tmp_path):
    with pytest.raises(UserError, match=r"absent\.tsv: no such file"):
        load_matrix_list(tmp_path / "absent.tsv")

"""The collection's real layout, index and archives, where the developers' shared folder is."""

import csv
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import pytest
from serving import PATIENT

from splyce_bench.collection.fetch import Wanted, fetch_matrix
from splyce_bench.collection.index import look_up
from splyce_bench.collection.matrix_list import load_matrix_list


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *arguments) -> None:
        pass


@pytest.fixture(scope="module")
def mirror(shared):
    handler = partial(Quiet, directory=shared / "suitesparse")
    http = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=http.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{http.server_address[1]}"
    http.shutdown()
    http.server_close()


def test_every_archive_is_fetched_as_its_index_says(shared, mirror, cache):
    with (shared / "suitesparse" / "index.csv").open() as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        size = int(row["rows"]), int(row["cols"])
        wanted = Wanted(row["group"], row["name"], *size, row["sha256_of_mtx"])
        record = fetch_matrix(wanted, cache, mirror, PATIENT)
        if row["field"] == "complex":
            assert record["outcome"] == "failed"
            assert "complex" in record["reason"]
        else:
            assert record["outcome"] == "available", record
            assert record["entries_in_file"] == int(row["nnz_stored"])


@pytest.mark.parametrize("name", ["table4", "sweep_spgemm", "sweep_spmspv", "sweep_spmttkrp"])
def test_our_lists_are_what_the_index_says(shared, root, name):
    text = (shared / "suitesparse" / "files" / "ssstats.csv").read_text(encoding="utf-8")
    members = load_matrix_list(root / "config" / "matrices" / f"{name}.tsv")
    # Newer than this index.
    known = [member for member in members if member.id != "FlowIPM22/uni_chimera_i1"]
    found = look_up([member.id for member in known], text.splitlines())
    sizes = [(m.id, m.rows, m.cols, m.stored) for m in known]
    assert [(m.id, m.rows, m.cols, m.stored) for m in found] == sizes

"""Fetching from a server that misbehaves: a whole matrix, or the reason, and nothing half-done."""

import hashlib
import re
import shutil
import ssl
import subprocess
from collections import namedtuple

import pytest
from serving import LARGE, SMALL, WHOLE, Server, left_in, mtx, tar_gz

from splyce_bench.collection.download import Policy


def test_a_matrix_is_fetched_once_and_pinned(server, cache, fetch):
    server.add("G", "a", SMALL)
    record = fetch(rows=3, cols=3)
    assert record["outcome"] == "available"
    assert record["sha256"] == hashlib.sha256(mtx()).hexdigest()
    assert (record["rows"], record["cols"], record["entries_in_file"]) == (3, 3, 2)
    assert (cache / "matrices" / "G" / "a.mtx").read_bytes() == mtx()
    assert fetch() == record
    assert len(server.requests) == 1
    assert left_in(cache) == WHOLE


@pytest.mark.parametrize(
    ("faults", "continued"),
    [
        (["drop"], [False, True]),
        (["drop"] * 5, [False] + [True] * 5),
        (["stall"], [False, True]),
        (["drop", "changed"], [False, True]),
        (["no tag"], [False, False]),
        (["500"], [False, False]),
        (["503", "429"], [False] * 3),
        (["html"], [False, False]),
        (["slow"], [False]),
        (["no length"], [False]),
    ],
)
def test_faults_that_pass(server, cache, fetch, faults, continued):
    server.add("G", "a", LARGE, *faults)
    assert fetch()["outcome"] == "available"
    assert [bool(asked) for _, asked in server.requests] == continued
    assert left_in(cache) == WHOLE


@pytest.mark.parametrize(
    ("archive", "outcome", "expected"),
    [
        (LARGE[: len(LARGE) // 2], "failed", r"not a whole \.tar\.gz .*, twice; try later"),
        (LARGE[:-4], "failed", "not a whole"),
        (LARGE[:9000] + b"\0\0\0" + LARGE[9003:], "failed", "not a whole"),
        (b"", "failed", "not a whole"),
        (b"<html></html>", "failed", "not a whole"),
        (tar_gz(("a/a.mtx", b"<html></html>")), "failed", r"a\.mtx:1: not a Matrix Market file"),
        (None, "absent", "404 Not Found: no such file there; check group and name"),
    ],
)
def test_what_is_not_the_matrix_leaves_nothing_behind(
    server, cache, fetch, archive, outcome, expected
):
    if archive is not None:
        server.add("G", "a", archive)
    record = fetch()
    assert record["outcome"] == outcome
    assert re.search(expected, record["reason"])
    assert left_in(cache) == set()
    server.add("G", "a", SMALL)
    assert fetch()["outcome"] == "available"


def test_a_server_that_stays_broken_is_given_up_with_its_status(server, fetch):
    server.add("G", "a", SMALL, *["503"] * 9)
    assert re.search("503 .*: the server is busy or broken", fetch()["reason"])
    assert len(server.requests) == 3


def test_a_missing_file_is_asked_for_once(server, fetch):
    fetch()
    assert len(server.requests) == 1


def test_a_dead_line_is_given_up_and_continued_by_the_next_call(server, fetch):
    server.add("G", "a", LARGE, "drop", *["500"] * 3)
    assert fetch()["outcome"] == "absent"
    assert fetch()["outcome"] == "available"
    assert server.requests[-1][1] is not None


def test_offline_is_absent_with_the_reason_and_the_cache_serves(server, fetch):
    server.add("G", "a", SMALL)
    fetch()
    server.stop()
    assert fetch()["outcome"] == "available"
    record = fetch("b")
    assert record["outcome"] == "absent"
    assert re.search("no answer from 127.0.0.1:.*Connection refused.*connect to", record["reason"])


def test_a_silent_server_is_absent(server, fetch):
    server.add("G", "a", LARGE, *["silent"] * 9)
    record = fetch(policy=Policy(timeout_seconds=0.2, retries=1, backoff_seconds=0.01))
    assert record["outcome"] == "absent"
    assert re.search("no answer from 127.0.0.1:.*timed out", record["reason"])


def test_a_bad_certificate_is_refused_and_a_file_placed_by_hand_accepted(tmp_path, cache, fetch):
    if not shutil.which("openssl"):
        pytest.skip("no openssl to make a certificate with")
    pem = tmp_path / "self-signed.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1"]
        + ["-subj", "/CN=localhost", "-keyout", str(pem), "-out", str(tmp_path / "cert.pem")],
        check=True,
        capture_output=True,
    )
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(tmp_path / "cert.pem", pem)
    server = Server(tls)
    record = fetch(mirror=server.mirror)
    server.stop()
    assert record["outcome"] == "absent"
    assert re.search("certificate of 127.0.0.1:.* is not valid .*never ignored", record["reason"])
    (cache / "matrices" / "G" / "a.tar.gz").write_bytes(SMALL)
    digest = hashlib.sha256(mtx()).hexdigest()
    assert fetch(sha256=digest, mirror=server.mirror)["outcome"] == "available"


def test_no_room_is_an_outcome(server, cache, fetch, monkeypatch):
    server.add("G", "a", LARGE)
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(shutil, "disk_usage", lambda path: usage(10**6, 10**6 - 10, 10))
    record = fetch()
    assert record["outcome"] == "too_large"
    assert re.search("needs 0.00 GiB of disk, has 0.00 GiB", record["reason"])

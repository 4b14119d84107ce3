"""Archives: the matrix and not its companions, and never a byte outside the given path."""

import re
import tarfile

import pytest
from serving import SMALL, WHOLE, left_in, mtx, tar_gz


def special(name: str, kind: bytes, target: str = "") -> tarfile.TarInfo:
    info = tarfile.TarInfo(name)
    info.type, info.linkname = kind, target
    return info


def test_the_matrix_and_not_its_companions(server, cache, fetch):
    companions = ("a/a_b.mtx", b"b"), ("a/a_coord.mtx", b"coordinates")
    server.add("G", "a", tar_gz(special("a", tarfile.DIRTYPE), *companions, ("a/a.mtx", mtx())))
    record = fetch()
    assert record["outcome"] == "available"
    assert record["companions"] == ["a/a_b.mtx", "a/a_coord.mtx"]
    assert (cache / "matrices" / "G" / "a.mtx").read_bytes() == mtx()
    assert left_in(cache) == WHOLE


@pytest.mark.parametrize(
    ("archive", "expected"),
    [
        (tar_gz(("a/a_b.mtx", b"b")), r"no regular file a/a\.mtx in it, expected one; a/a_b\.mtx"),
        (tar_gz(("b/b.mtx", mtx())), "no regular file"),
        (tar_gz(), "no regular file .*; nothing else"),
        (tar_gz(("a/a.mtx", mtx()), ("./a/a.mtx", mtx())), "2 times regular file"),
        (tar_gz(special("a/a.mtx", tarfile.SYMTYPE, "/etc/passwd")), "not a regular file"),
        (tar_gz(special("a/a.mtx", tarfile.LNKTYPE, "/etc/passwd")), "not a regular file"),
        (tar_gz(special("a/a.mtx", tarfile.CHRTYPE)), "not a regular file"),
        (tar_gz(special("a/a.mtx", tarfile.FIFOTYPE)), "not a regular file"),
    ],
)
def test_an_archive_without_the_matrix_is_refused(server, cache, fetch, archive, expected):
    server.add("G", "a", archive)
    record = fetch()
    assert record["outcome"] == "failed"
    assert re.search(expected, record["reason"])
    assert left_in(cache) == set()


def test_no_member_is_written_outside(server, cache, fetch, tmp_path):
    hostile = (
        ("../../../evil.mtx", b"x"),
        (str(tmp_path / "absolute.mtx"), b"x"),
        special("a", tarfile.SYMTYPE, str(tmp_path)),
        special("a/device", tarfile.BLKTYPE),
    )
    server.add("G", "a", tar_gz(*hostile, ("a/a.mtx", mtx())))
    assert fetch()["outcome"] == "available"
    assert left_in(tmp_path) == WHOLE


@pytest.mark.parametrize("name", ["../a", "a/b", "..", "", ".hidden", "a b"])
def test_a_name_cannot_leave_the_cache(fetch, name):
    with pytest.raises(Exception, match="is no group or name of the collection"):
        fetch(name)


def test_an_archive_placed_by_hand_is_used_and_stays(server, cache, fetch):
    placed = cache / "matrices" / "G" / "a.tar.gz"
    placed.parent.mkdir(parents=True)
    placed.write_bytes(SMALL[:-9])
    assert re.search(r"a\.tar\.gz: not a whole .*; place it again", fetch()["reason"])
    placed.write_bytes(SMALL)
    assert fetch()["outcome"] == "available"
    assert server.requests == []
    assert left_in(cache) == WHOLE | {"a.tar.gz"}

"""The cache: pinned at first use, checked at every use, safe under kills and several processes."""

import os
import re
import signal
import subprocess
import sys
import time

import pytest
from serving import LARGE, SMALL, WHOLE, left_in, mtx, tar_gz

from splyce_bench.errors import UserError
from splyce_bench.files import read_json

OTHER = tar_gz(("a/a.mtx", mtx(seed=2)))


def command(server, cache, out):
    return [
        *(sys.executable, "-m", "splyce_bench.collection", "fetch", "--group", "G", "--name", "a"),
        *("--cache", str(cache), "--mirror", server.mirror, "--out", str(out)),
    ]


def test_a_matrix_that_changed_at_the_server_is_refused(server, cache, fetch):
    server.add("G", "a", SMALL)
    fetch()
    (cache / "matrices" / "G" / "a.mtx").unlink()
    server.add("G", "a", OTHER)
    record = fetch()
    assert record["outcome"] == "failed"
    assert re.search(r"pinned at first use \(http.*remove .*a\.json", record["reason"])
    assert left_in(cache) == {"a.json"}


def test_a_damaged_file_in_the_cache_is_fetched_again(server, cache, fetch):
    server.add("G", "a", SMALL)
    first = fetch()
    matrix = cache / "matrices" / "G" / "a.mtx"
    matrix.write_bytes(matrix.read_bytes().replace(b"3 3 2", b"3 3 1"))
    assert fetch() == first
    assert matrix.read_bytes() == mtx()


@pytest.mark.parametrize(
    ("promised", "expected"),
    [
        ({"rows": 4}, "the matrix is 3 x 3, the list says 4 x 3"),
        ({"sha256": "0" * 64}, "the list says 0000"),
    ],
)
def test_what_the_list_promises_is_compared(server, cache, fetch, promised, expected):
    server.add("G", "a", SMALL)
    record = fetch(**promised)
    assert (record["outcome"], left_in(cache)) == ("failed", set())
    assert re.search(expected, record["reason"])
    assert fetch()["outcome"] == "available"
    assert re.search(expected, fetch(**promised)["reason"])


def test_a_matrix_placed_by_hand_is_pinned(server, cache, fetch):
    matrix = cache / "matrices" / "G" / "a.mtx"
    matrix.parent.mkdir(parents=True)
    matrix.write_bytes(mtx())
    assert fetch()["origin"].endswith("placed by hand")
    assert left_in(cache) == WHOLE
    assert server.requests == []


def test_a_pin_that_is_no_json(server, cache, fetch):
    server.add("G", "a", SMALL)
    fetch()
    (cache / "matrices" / "G" / "a.json").write_text("")
    with pytest.raises(UserError, match=r"a\.json: not the JSON of a pin"):
        fetch()


def test_a_kill_leaves_nothing_that_is_trusted(server, cache, tmp_path):
    server.add("G", "a", LARGE, "crawl")
    out = tmp_path / "a.json"
    killed = subprocess.Popen(command(server, cache, out))
    part = cache / "matrices" / "G" / ".a.tar.gz.part"
    while not (part.exists() and part.stat().st_size):
        assert killed.poll() is None
        time.sleep(0.01)
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    assert not out.exists()
    assert left_in(cache) == {part.name, f"{part.name}.json"}
    part.write_bytes(b"\0" * part.stat().st_size)
    subprocess.run(command(server, cache, out), check=True)
    assert read_json(out)["outcome"] == "available"
    assert (cache / "matrices" / "G" / "a.mtx").read_bytes() == mtx(200, 40_000)
    assert left_in(cache) == WHOLE


def test_leftovers_of_a_killed_unpacking_go(server, cache, fetch):
    server.add("G", "a", SMALL)
    folder = cache / "matrices" / "G"
    folder.mkdir(parents=True)
    (folder / ".a.mtx.x1.part").write_bytes(b"%%")
    assert fetch()["outcome"] == "available"
    assert left_in(cache) == WHOLE


def test_two_processes_fetch_one_matrix_once(server, cache, tmp_path):
    server.add("G", "a", LARGE, "slow")
    outs = [tmp_path / "1.json", tmp_path / "2.json"]
    processes = [subprocess.Popen(command(server, cache, out)) for out in outs]
    assert [process.wait() for process in processes] == [0, 0]
    assert read_json(outs[0]) == read_json(outs[1])
    assert read_json(outs[0])["outcome"] == "available"
    assert len(server.requests) == 1


@pytest.mark.parametrize("home", [None, "/proc"])
def test_no_home_is_needed(server, cache, tmp_path, home):
    server.add("G", "a", SMALL)
    environment = {k: v for k, v in os.environ.items() if k != "HOME"}
    environment |= {"HOME": home} if home else {}
    out = tmp_path / "record" / "a.json"
    subprocess.run(command(server, cache, out), check=True, env=environment)
    assert read_json(out)["outcome"] == "available"


def test_an_absent_matrix_is_a_record_and_no_error(server, cache, tmp_path):
    out = tmp_path / "a.json"
    subprocess.run(command(server, cache, out), check=True)
    assert read_json(out)["outcome"] == "absent"


def test_a_mirror_that_is_no_address(server, cache, tmp_path):
    server.mirror = "nowhere"
    out = tmp_path / "a.json"
    result = subprocess.run(command(server, cache, out), capture_output=True, text=True)
    assert result.returncode == 1
    assert re.fullmatch(
        r"error: collection\.mirror: nowhere.* is not an address.*\n", result.stderr
    )
    assert not out.exists()

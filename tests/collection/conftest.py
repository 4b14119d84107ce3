"""A loopback server of matrices, an empty cache, and a call that fetches into it."""

import pytest
from serving import PATIENT, Server

from splyce_bench.collection.fetch import Wanted, fetch_matrix


@pytest.fixture(autouse=True)
def no_proxy(monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


@pytest.fixture
def server():
    server = Server()
    yield server
    server.stop()


@pytest.fixture
def cache(tmp_path):
    return tmp_path / "cache"


@pytest.fixture
def fetch(server, cache):
    def fetch(name="a", policy=PATIENT, mirror=None, **promised):
        wanted = Wanted("G", name, **promised)
        return fetch_matrix(wanted, cache, mirror or server.mirror, policy)

    return fetch

"""A server on loopback with the collection's layout and the faults of the field."""

import io
import tarfile
import threading
import time
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import numpy as np

from splyce_bench.collection.download import Policy


class Server:
    """Serves `files` (path to bytes); `faults` (path to a list) are used up, one a request."""

    def __init__(self, tls=None) -> None:
        self.files: dict[str, bytes] = {}
        self.faults: dict[str, list[str]] = {}
        self.requests: list[tuple[str, str | None]] = []
        self.stopped = threading.Event()
        self.http = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Handler, self))
        self.http.daemon_threads = True
        if tls:
            self.http.socket = tls.wrap_socket(self.http.socket, server_side=True)
        scheme = "https" if tls else "http"
        self.mirror = f"{scheme}://127.0.0.1:{self.http.server_address[1]}"
        threading.Thread(target=self.http.serve_forever, args=(0.05,), daemon=True).start()

    def add(self, group: str, name: str, archive: bytes, *faults: str) -> None:
        path = f"/MM/{group}/{name}.tar.gz"
        self.files[path] = archive
        self.faults[path] = list(faults)

    def stop(self) -> None:
        self.stopped.set()
        self.http.shutdown()
        self.http.server_close()


class _Handler(BaseHTTPRequestHandler):
    def __init__(self, server: Server, *arguments) -> None:
        self.served = server
        super().__init__(*arguments)

    def log_message(self, *arguments) -> None:
        pass

    def do_GET(self) -> None:  # noqa: N802
        faults = self.served.faults.get(self.path, [])
        fault = faults.pop(0) if faults else ""
        self.served.requests.append((self.path, self.headers.get("Range")))
        if fault == "silent":
            self.served.stopped.wait(10)
        elif fault.isdigit() or self.path not in self.served.files:
            self._page(int(fault or 404))
        elif fault == "html":
            self._page(200)
        else:
            self._file(self.served.files[self.path], fault)

    def _page(self, status: int) -> None:
        page = b"<html>an error page</html>"
        self.send_response(status)
        self.send_header("Content-Length", str(len(page)))
        self.end_headers()
        self.wfile.write(page)

    def _file(self, data: bytes, fault: str) -> None:
        start = 0
        tag = '"new"' if fault == "changed" else '"v1"'
        if (asked := self.headers.get("Range")) and self.headers.get("If-Range") == tag:
            start = int(asked.removeprefix("bytes=").rstrip("-"))
        self.send_response(206 if start else 200)
        if start:
            self.send_header("Content-Range", f"bytes {start}-{len(data) - 1}/{len(data)}")
        if fault != "no length":
            self.send_header("Content-Length", str(len(data) - start))
        if fault != "no tag":
            self.send_header("ETag", tag)
        self.end_headers()
        self._body(data[start:], fault)

    def _body(self, data: bytes, fault: str) -> None:
        if fault in ("drop", "stall", "no tag"):
            data = data[: len(data) // 2]
        step = len(data) // 10 + 1
        for first in range(0, len(data), step):
            self.wfile.write(data[first : first + step])
            time.sleep({"slow": 0.1, "crawl": 1}.get(fault, 0))
        if fault == "stall":
            self.served.stopped.wait(10)


def mtx(size: int = 3, entries: int = 2, seed: int = 1) -> bytes:
    """Return a Matrix Market file whose values do not compress."""
    values = np.random.default_rng(seed).random(entries).tolist()
    lines = [f"{i % size + 1} {i // size + 1} {value!r}" for i, value in enumerate(values)]
    head = f"%%MatrixMarket matrix coordinate real general\n{size} {size} {entries}\n"
    return (head + "\n".join(lines) + "\n").encode()


def tar_gz(*members: tuple[str, bytes] | tarfile.TarInfo) -> bytes:
    """Return an archive of files, in this order."""
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as tar:
        for member in members:
            if isinstance(member, tarfile.TarInfo):
                tar.addfile(member)
            else:
                info = tarfile.TarInfo(member[0])
                info.size = len(member[1])
                tar.addfile(info, io.BytesIO(member[1]))
    return buffer.getvalue()


def left_in(cache: Path) -> set[str]:
    """Return the files of a cache, but for locks."""
    files = {path.name for path in cache.rglob("*") if path.is_file()}
    return {name for name in files if not name.endswith(".lock")}


SMALL = tar_gz(("a/a.mtx", mtx()))
LARGE = tar_gz(("a/a.mtx", mtx(200, 40_000)))
PATIENT = Policy(timeout_seconds=0.5, retries=2, backoff_seconds=0.01)
WHOLE = {"a.mtx", "a.json"}

"""Fetching a file by HTTP into a part file: resumed, retried with back-off, of the promised length.

The part file is never the result: whoever asked for it checks what it holds and renames.
"""

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from urllib.parse import urlsplit

import requests
from requests.adapters import HTTPAdapter
from urllib3.exceptions import HTTPError, ReadTimeoutError
from urllib3.response import BaseHTTPResponse
from urllib3.util.retry import Retry

from splyce_bench.collection.outcome import UnobtainableError
from splyce_bench.collection.partial import Partial
from splyce_bench.errors import UserError
from splyce_bench.space import LARGER_DISK, check_space

BLOCK = 1 << 20
CONNECT_SECONDS = 10.0
LONGEST_WAIT_SECONDS = 60.0
REPORT_SECONDS = 5.0
BUSY = (429, 500, 502, 503, 504)


@dataclass(frozen=True)
class Policy:
    """How patiently to fetch: seconds without a byte, retries, and seconds of the first wait."""

    timeout_seconds: float = 60
    retries: int = 5
    backoff_seconds: float = 0.5


class _PoliteRetry(Retry):
    """Waits as long as the server asks for, within reason."""

    def get_retry_after(self, response: BaseHTTPResponse) -> float | None:
        wait = super().get_retry_after(response)
        return None if wait is None else min(wait, LONGEST_WAIT_SECONDS)


class _InterruptedError(Exception):
    """A transfer ended early; another try may go on from there."""


def download(url: str, part: Partial, policy: Policy) -> None:
    """Fetch `url` into `part`, going on from what an interrupted call left there.

    Raises UnobtainableError with the reason when the file cannot be had.
    """
    failures, furthest = 0, part.size()
    with _session(policy) as session:
        while not part.is_complete(url):
            try:
                _transfer(session, url, part, policy)
            except _InterruptedError as error:
                # A line that drops now and then may take as many tries as it needs.
                failures = 0 if part.size() > furthest else failures + 1
                furthest = max(furthest, part.size())
                if failures > policy.retries:
                    raise UnobtainableError(
                        "absent", f"{url}: {error}, {failures} times at the same place"
                    ) from None
                print(f"{url}: {error}; trying again", flush=True)
                time.sleep(min(policy.backoff_seconds * 2**failures, LONGEST_WAIT_SECONDS))


@contextmanager
def _session(policy: Policy) -> Iterator[requests.Session]:
    retry = _PoliteRetry(
        total=policy.retries,
        # Without a network every matrix of a list waits here.
        connect=min(1, policy.retries),
        # A certificate does not get better in seconds.
        other=0,
        backoff_factor=policy.backoff_seconds,
        backoff_max=LONGEST_WAIT_SECONDS,
        status_forcelist=BUSY,
        raise_on_status=False,
    )
    with requests.Session() as session:
        for scheme in ("http://", "https://"):
            session.mount(scheme, HTTPAdapter(max_retries=retry))
        session.headers["User-Agent"] = f"splyce-bench ({requests.utils.default_user_agent()})"
        # The bytes of the archive itself: their number is what Content-Length and Range count.
        session.headers["Accept-Encoding"] = "identity"
        yield session


def _transfer(session: requests.Session, url: str, part: Partial, policy: Policy) -> None:
    timeout = (min(CONNECT_SECONDS, policy.timeout_seconds), policy.timeout_seconds)
    headers = part.range_headers(url)
    try:
        response = session.get(url, headers=headers, timeout=timeout, stream=True)
    except requests.RequestException as error:
        raise _unreachable(url, error, policy) from None
    with response:
        _accept(response, url, part)
        _check_room(part)
        try:
            _copy(response, part)
        except HTTPError as error:
            raise _InterruptedError(_why(error, policy, part)) from None
    if part.total is None:
        part.end()
    if part.size() != part.total:
        raise _InterruptedError(f"{part.size()} of {part.total} bytes came")


def _accept(response: requests.Response, url: str, part: Partial) -> None:
    """Make `part` ready for the body of a response, or raise what its status means."""
    if response.status_code == 206:
        span = re.match(r"bytes (\d+)-\d+/(\d+)$", response.headers.get("Content-Range", ""))
        if span and (int(span[1]), int(span[2])) == (part.size(), part.total):
            return
    if response.status_code in (206, 416):
        part.discard()
        raise _InterruptedError("the server does not continue where the last transfer stopped")
    if response.status_code == 200:
        part.begin(url, response.headers)
        return
    status = f"{response.status_code} {response.reason}"
    advice = {
        404: "no such file there; check group and name, or collection.mirror",
        **dict.fromkeys(BUSY, "the server is busy or broken; try again later"),
    }.get(response.status_code, "check collection.mirror")
    raise UnobtainableError("absent", f"{url}: {status}: {advice}")


def _copy(response: requests.Response, part: Partial) -> None:
    start, offset = time.monotonic(), part.size()
    reported = start
    with part.path.open("ab") as file:
        while block := response.raw.read1(BLOCK, decode_content=False):
            file.write(block)
            now = time.monotonic()
            if now - reported > REPORT_SECONDS:
                reported = now
                rate = (file.tell() - offset) / (now - start)
                print(f"{part.progress(file.tell())}, {rate / 1e6:.2f} MB/s", flush=True)


def _check_room(part: Partial) -> None:
    if part.total is not None:
        try:
            check_space(part.path, part.total - part.size(), str(part.path), LARGER_DISK)
        except UserError as error:
            raise UnobtainableError("too_large", str(error)) from None


def _why(error: HTTPError, policy: Policy, part: Partial) -> str:
    if isinstance(error, ReadTimeoutError):
        return f"no byte for {policy.timeout_seconds:g} s after {part.progress(part.size())}"
    return f"connection lost after {part.progress(part.size())}"


def _unreachable(url: str, error: requests.RequestException, policy: Policy) -> Exception:
    host = urlsplit(url).netloc
    if isinstance(error, requests.exceptions.SSLError):
        return UnobtainableError(
            "absent",
            f"{url}: the certificate of {host} is not valid ({_innermost(error)}); it is never "
            "ignored: try later, set collection.mirror, or place the archive in the cache by hand",
        )
    if isinstance(error, requests.ConnectionError | requests.Timeout):
        return UnobtainableError(
            "absent",
            f"{url}: no answer from {host} ({_innermost(error)}); connect to the network, or set "
            "collection.mirror",
        )
    return UserError(f"collection.mirror: {url} is not an address to fetch from: {error}")


def _innermost(error: BaseException) -> str:
    """Return the first cause in words: the libraries wrap it three times."""
    while inner := error.__cause__ or error.__context__:
        error = inner
    return str(error) or type(error).__name__

"""Having a matrix of the collection: from the cache, from an archive placed by hand, or fetched."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from splyce_bench.collection.archive import DamagedArchiveError, unpack_matrix
from splyce_bench.collection.cache import Place, describe
from splyce_bench.collection.download import Policy, download
from splyce_bench.collection.outcome import UnobtainableError
from splyce_bench.errors import UserError
from splyce_bench.files import atomic_file, write_json
from splyce_bench.toolchain.exclusive import only_one


@dataclass(frozen=True)
class Wanted:
    """A matrix asked for; a list may say its size and the checksum of its .mtx file."""

    group: str
    name: str
    rows: int | None = None
    cols: int | None = None
    sha256: str | None = None


def archive_url(mirror: str, group: str, name: str) -> str:
    """Return the address of a matrix, as ssgetpy makes it."""
    return f"{mirror.rstrip('/')}/MM/{group}/{name}.tar.gz"


def fetch_matrix(wanted: Wanted, cache: Path, mirror: str, policy: Policy) -> dict[str, Any]:
    """Return the record of a matrix: available with path and checksum, or why it is not.

    {"outcome": "available", "path", "sha256", "bytes", "rows", "cols", "entries_in_file", ...} or
    {"outcome": "absent" | "too_large" | "failed", "reason"}. Any number of processes may ask for
    one matrix: one fetches it.
    """
    place = Place.of(cache, wanted.group, wanted.name)
    asked = {"group": wanted.group, "name": wanted.name}
    try:
        pin = _obtain(wanted, place, archive_url(mirror, wanted.group, wanted.name), policy)
    except UnobtainableError as error:
        return {**asked, "outcome": error.outcome, "reason": error.reason}
    return {**asked, "outcome": "available", "path": str(place.matrix), **pin}


def _obtain(wanted: Wanted, place: Place, url: str, policy: Policy) -> dict[str, Any]:
    # Without the lock first, so that a cache that cannot be written to serves too.
    if place.is_intact():
        return _cached(wanted, place)
    with only_one(place.lock):
        place.clear_leftovers()
        if place.is_intact():
            return _cached(wanted, place)
        if place.matrix.exists() and place.read_pin() is None:
            return _pin(wanted, place.matrix, place, f"{place.matrix}, placed by hand", [])
        if place.matrix.exists():
            print(f"{place.matrix}: not what {place.pin} says; having it anew", flush=True)
            place.matrix.unlink()
        if place.archive.exists():
            return _unpack_placed(wanted, place)
        return _fetch(wanted, place, url, policy)


def _cached(wanted: Wanted, place: Place) -> dict[str, Any]:
    pin = place.read_pin()
    assert pin is not None, "an intact matrix has a pin"
    _compare(wanted, pin, f"{place.matrix} (remove it and {place.pin} to have it anew)")
    return pin


def _unpack_placed(wanted: Wanted, place: Place) -> dict[str, Any]:
    try:
        return _unpack(wanted, place.archive, place, f"{place.archive}, placed by hand")
    except DamagedArchiveError as error:
        raise UnobtainableError(
            "failed", f"{place.archive}: {error}; place it again, or remove it"
        ) from None


def _fetch(wanted: Wanted, place: Place, url: str, policy: Policy) -> dict[str, Any]:
    try:
        return _fetch_once(wanted, place, url, policy)
    except DamagedArchiveError as error:
        # The damage may be in a beginning that an earlier call left; a whole transfer tells.
        print(f"{url}: {error}; fetching it once more", flush=True)
    try:
        return _fetch_once(wanted, place, url, policy)
    except DamagedArchiveError as error:
        raise UnobtainableError(
            "failed", f"{url}: {error}, twice; try later, or set collection.mirror"
        ) from None


def _fetch_once(wanted: Wanted, place: Place, url: str, policy: Policy) -> dict[str, Any]:
    download(url, place.part, policy)
    try:
        return _unpack(wanted, place.part.path, place, url)
    finally:
        place.part.discard()


def _unpack(wanted: Wanted, archive: Path, place: Place, origin: str) -> dict[str, Any]:
    with atomic_file(place.matrix) as part:
        companions = unpack_matrix(archive, place.name, part)
        pin = _pin(wanted, part, place, origin, companions)
    print(f"{place.matrix}: from {origin}; companions: {', '.join(companions) or 'none'}")
    return pin


def _pin(
    wanted: Wanted, file: Path, place: Place, origin: str, companions: list[str]
) -> dict[str, Any]:
    """Check a matrix file against all that is known of it, and pin it at first use."""
    try:
        found = describe(file, origin, companions)
    except UserError as error:
        text = str(error).replace(str(file), f"{place.name}.mtx")
        raise UnobtainableError("failed", f"{origin}: {text}") from None
    _compare(wanted, found, origin)
    pin = place.read_pin()
    if pin is None:
        write_json(place.pin, found)
        return found
    if pin["sha256"] != found["sha256"]:
        raise UnobtainableError(
            "failed",
            f"{origin}: the matrix has sha256 {found['sha256']}, but {pin['sha256']} was pinned at "
            f"first use ({pin['origin']}); if the new one is right, remove {place.pin}",
        )
    return pin


def _compare(wanted: Wanted, found: dict[str, Any], where: str) -> None:
    rows, cols = wanted.rows or found["rows"], wanted.cols or found["cols"]
    if (rows, cols) != (found["rows"], found["cols"]):
        raise UnobtainableError(
            "failed",
            f"{where}: the matrix is {found['rows']} x {found['cols']}, the list says {rows} x "
            f"{cols}; mend the list, or set collection.mirror",
        )
    if wanted.sha256 and wanted.sha256 != found["sha256"]:
        raise UnobtainableError(
            "failed",
            f"{where}: the matrix has sha256 {found['sha256']}, the list says {wanted.sha256}; "
            "mend the list, or set collection.mirror",
        )

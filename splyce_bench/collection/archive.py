"""The collection's archives: take the matrix out of a .tar.gz, and nothing else.

No member is ever extracted to the place it names: the bytes of the one regular file
Name/Name.mtx are copied to a path of the caller's. Right-hand sides and coordinates
(Name_b.mtx, Name_coord.mtx) stay in the archive.
"""

import shutil
import tarfile
import zlib
from pathlib import Path

from splyce_bench.collection.outcome import UnobtainableError
from splyce_bench.errors import UserError
from splyce_bench.space import LARGER_DISK, check_space

BLOCK = 1 << 20
# What reading a damaged archive raises, by where the damage is; OSError covers "not gzip".
_DAMAGED = (tarfile.TarError, EOFError, zlib.error, OSError)


class DamagedArchiveError(Exception):
    """An archive that is cut off, altered, or no .tar.gz at all."""


def unpack_matrix(archive: Path, name: str, out: Path) -> list[str]:
    """Write the matrix of an archive to `out` and return the names of its other members.

    Reads to the end, where the checksum of the compression stands. Raises DamagedArchiveError,
    or UnobtainableError when the archive is whole and has no such matrix, or no room is left.
    """
    try:
        with tarfile.open(archive, "r:gz") as tar:
            found, others = _unpack(tar, name, archive, out)
            while tar.fileobj is not None and tar.fileobj.read(BLOCK):
                pass
    except _DAMAGED as error:
        # A full disk is no fault of the archive.
        if isinstance(error, OSError) and error.errno:
            raise
        raise DamagedArchiveError(f"not a whole .tar.gz ({error})") from None
    if found != 1:
        many = "no" if found == 0 else f"{found} times"
        held = ", ".join(others) or "nothing else"
        raise UnobtainableError(
            "failed", f"{archive}: {many} regular file {_wanted(name)} in it, expected one; {held}"
        )
    return others


def _unpack(tar: tarfile.TarFile, name: str, archive: Path, out: Path) -> tuple[int, list[str]]:
    found, others = 0, []
    for member in tar:
        if member.name.removeprefix("./") == _wanted(name) and member.isreg():
            found += 1
            _copy(tar, member, archive, out)
        elif not member.isdir():
            others.append(f"{member.name}{'' if member.isreg() else ' (not a regular file)'}")
    return found, others


def _copy(tar: tarfile.TarFile, member: tarfile.TarInfo, archive: Path, out: Path) -> None:
    try:
        check_space(out, member.size, f"{member.name} of {archive}", LARGER_DISK)
    except UserError as error:
        raise UnobtainableError("too_large", str(error)) from None
    source = tar.extractfile(member)
    assert source is not None, "a regular member has bytes"
    with source, out.open("wb") as target:
        shutil.copyfileobj(source, target, BLOCK)


def _wanted(name: str) -> str:
    return f"{name}/{name}.mtx"

"""Where builds and downloads are kept: a folder a toolchain, and the cache that clones share."""

import os
import tempfile
from pathlib import Path
from typing import Any

from splyce_bench.files import key_of


def toolchain_name(toolchain: dict[str, Any]) -> str:
    """Name the folder of a toolchain after what the user asked for."""
    provider = toolchain["provider"]
    relevant = {
        "path": toolchain["prefix"],
        "source": toolchain["source"],
        "auto": toolchain,
    }.get(provider)
    return f"{provider}-{key_of(relevant)[:8]}" if relevant else str(provider)


def cache_folder(configured: str | None) -> Path:
    """Return the shared cache folder: configured, $SPLYCE_CACHE, the user's, or this clone's."""
    if chosen := configured or os.environ.get("SPLYCE_CACHE"):
        return Path(chosen).expanduser().resolve()
    base = os.environ.get("XDG_CACHE_HOME")
    user = Path(base) if base else Path(os.environ.get("HOME") or "/nonexistent") / ".cache"
    if can_write(user):
        return user / "splyce-bench"
    return Path(".cache").resolve()


def can_write(folder: Path) -> bool:
    """Try to make a file in a folder, or in the nearest one that exists above it.

    Asking for the permission does not do: root has it everywhere, even in /proc.
    """
    existing = next((p for p in (folder, *folder.parents) if p.exists()), None)
    try:
        with tempfile.TemporaryFile(dir=existing):
            return existing is not None
    except OSError:
        return False

"""What the cache folder holds, and how much of it: for a size report and a clean."""

from pathlib import Path

from splyce_bench.space import used_bytes


def cache_usage(cache: Path) -> list[tuple[str, int]]:
    """Return (name, bytes) of each toolchain and other entry of a cache, largest first.

    Toolchains are named one by one, left-over `.part` folders of killed runs among them.
    """
    entries = [path for path in _children(cache) if path.name != "toolchains"]
    entries += _children(cache / "toolchains")
    sizes = [(str(path.relative_to(cache)), _size(path)) for path in entries]
    return sorted(sizes, key=lambda entry: (-entry[1], entry[0]))


def _children(folder: Path) -> list[Path]:
    return list(folder.iterdir()) if folder.is_dir() else []


def _size(path: Path) -> int:
    if path.is_dir() and not path.is_symlink():
        return used_bytes(path)
    return path.lstat().st_size

"""Throughput of a Matrix Market file to a storage folder: entries a second, peak memory.

python benchmarks/mtx_throughput.py --entries 5e6 [--order random] [--folder /tmp]

The time is that of the whole command `python -m splyce_bench.inputs` on one core, start included
(on a shared core the processor time beside it tells more); the peak is its largest resident set.
The file is made by another process beforehand.
"""

import argparse
import json
import multiprocessing
import os
import resource
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import scipy.io
import scipy.sparse

from splyce_bench.formats import NAMED_FORMATS

PER_COLUMN = 50
MEAN_GAP = 2000


def main() -> None:
    """Make a file, convert it, print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--entries", type=float, default=5e6)
    parser.add_argument("--order", choices=("columns", "random"), default="columns")
    parser.add_argument("--format", choices=("csr", "csc"), default="csr")
    parser.add_argument("--folder", type=Path, help="where the file is made, and removed")
    options = parser.parse_args()
    entries = int(options.entries)
    with tempfile.TemporaryDirectory(dir=options.folder) as name:
        folder = Path(name)
        made = multiprocessing.get_context("spawn").Process(
            target=write_matrix, args=(folder / "m.mtx", entries, options.order)
        )
        made.start()
        made.join()
        seconds, usage = convert(folder, options.format)
        peak, cpu_seconds = usage.ru_maxrss * 1024, usage.ru_utime + usage.ru_stime
        result = sum(path.stat().st_size for path in (folder / "in").rglob("*.npy"))
        print(
            f"{entries} entries in {options.order} order to {options.format}: {seconds:.1f} s "
            f"({cpu_seconds:.1f} s of processor time), "
            f"{entries / seconds / 1e6:.2f} M entries/s, peak {peak / 1e6:.0f} MB = "
            f"{peak / result:.1f} x the {result / 1e6:.0f} MB of the result"
        )


def write_matrix(path: Path, entries: int, order: str) -> None:
    """Write distinct entries at random distances, by columns as the collection has them."""
    source = np.random.Generator(np.random.PCG64(1))
    cells = np.cumsum(source.integers(1, 2 * MEAN_GAP, entries))
    if order == "random":
        source.shuffle(cells)
    columns = max(1, entries // PER_COLUMN)
    rows = int(cells.max()) // columns + 1
    places = (cells % rows, cells // rows)
    matrix = scipy.sparse.coo_array((source.normal(size=entries), places), (rows, columns))
    scipy.io.mmwrite(path, matrix)


def convert(folder: Path, format: str) -> tuple[float, resource.struct_rusage]:
    """Run the input stage; return its seconds and what it used."""
    recipe = {"source": "file", "path": str(folder / "m.mtx")}
    entry = {"recipe": recipe, "format": NAMED_FORMATS[format].to_json()}
    spec = json.dumps({"operands": {"B": entry}})
    words = [sys.executable, "-m", "splyce_bench.inputs", "--spec", spec]
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    start = time.perf_counter()
    child = os.posix_spawn(sys.executable, [*words, "--out", str(folder / "in")], dict(os.environ))
    _, status, usage = os.wait4(child, 0)
    seconds = time.perf_counter() - start
    if status:
        raise SystemExit("the conversion failed; its message stands above")
    return seconds, usage


if __name__ == "__main__":
    main()

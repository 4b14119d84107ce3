"""One study, one CPU model: the first measuring job of a run fixes it, the others are held to it.

Ratios are taken within a node, but a sweep over two CPU models would be two sweeps in one figure.
On a cluster the scheduler decides where a job runs, and a results folder may lie on a disk that
several machines share.
"""

import contextlib
import platform
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from splyce_bench.errors import UserError
from splyce_bench.files import read_json, write_json
from splyce_bench.measure.host import cpu_model

FILE = "study_cpu.json"


def hold_to_study(store: Path, kernels: Iterable[Path]) -> None:
    """Refuse a processor that the study was not begun on, or that its kernels were not built for.

    `store` is the run's; `kernels` are the folders of the compiled pipelines.
    """
    here = {"cpu": cpu_model(), "node": platform.node()}
    _hold_to_first(store / FILE, here)
    for folder in kernels:
        _hold_to_build(folder, here)


def _hold_to_first(path: Path, here: dict[str, str]) -> None:
    begun = _claim(path, here)
    if begun["cpu"] != here["cpu"]:
        raise UserError(
            f"this node, {here['node']}, has the processor '{here['cpu']}'; the study in "
            f"{path.parent.parent} was begun on '{begun['cpu']}' (node {begun['node']}, {path}), "
            "and a study is measured on one CPU model; run on nodes of that model (with SLURM: "
            "--config slurm='{constraint: FEATURE}'), or begin another study on this one: "
            "--config run=NAME"
        )


def _claim(path: Path, here: dict[str, str]) -> dict[str, Any]:
    """Write the study's processor unless another job has; return what stands there.

    Two jobs may begin at once on two nodes: a link is made by one of them only, on NFS as well.
    """
    if not path.exists():
        with tempfile.TemporaryDirectory(dir=path.parent) as folder:
            mine = Path(folder, FILE)
            write_json(mine, here)
            with contextlib.suppress(FileExistsError):
                path.hardlink_to(mine)
    return dict(read_json(path))


def _hold_to_build(folder: Path, here: dict[str, str]) -> None:
    built = read_json(folder / "kernel.json").get("native_cpu")
    if built not in (None, here["cpu"]):
        raise UserError(
            f"{folder}: compiled with compile.cpu: native on a '{built}'; this node, "
            f"{here['node']}, has the processor '{here['cpu']}'; remove {folder.parents[2]} and "
            "give the same command again, which compiles on a node of the study; or name the "
            "processor, as in --config compile='{cpu: znver5}'"
        )

"""What decides a measurement, as one key: the store of a run finds finished groups by it."""

from pathlib import Path

from splyce_bench.files import key_of, read_json, sha256_of
from splyce_bench.measure.host import describe_host
from splyce_bench.measure.task import Task


def group_key(task: Task) -> str:
    """Return the key of what decides a measurement: objects, input, settings, machine."""
    return key_of(
        {
            "objects": {name: _object_key(folder) for name, folder in task.pipelines.items()},
            "baseline": task.baseline,
            "control": task.control,
            **_counted_key(task),
            **({"libraries": task.libraries} if task.libraries else {}),
            "input": sha256_of(task.input / "meta.json"),
            "kernel": task.kernel,
            "cores": task.cores,
            "threads": min(task.threads, task.cores),
            "seed": task.seed,
            "settings": task.settings,
            "runtime": sha256_of(task.runtime),
            "host": {k: v for k, v in describe_host().items() if k in ("cpu", "physical_cores")},
        }
    )


def _counted_key(task: Task) -> dict[str, str]:
    return {"counted": _object_key(task.counted)} if task.counted else {}


def _object_key(folder: Path) -> str:
    """Return the key of an object, or why there is none."""
    made = read_json(folder / "kernel.json")
    why = made.get("unsupported") or made.get("not_available")
    return str(why) if why else sha256_of(folder / "kernel.so")

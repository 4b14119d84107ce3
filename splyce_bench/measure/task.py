"""What one measuring job is asked to do: a group of cells, as the workflow hands it over."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from splyce_bench.files import read_json
from splyce_bench.kernels.catalog import Kernel, make_kernel

# Version of what a group's record holds; the report reads no other.
RECORD_SCHEMA = 2


@dataclass(frozen=True)
class Task:
    """A group: one kernel, one input, one core count, and the pipelines one experiment compares.

    `control` is the name under which the baseline is measured a second time.
    `settings` is the `measure` section of the configuration. `threads` is what the scheduler gave.
    `counted` is an instrumented kernel, run once to tell how much the fast lane consumes.
    `libraries` are measured apart: name to library and versions (`libraries.library_state`).
    """

    experiment: str
    group: str
    kernel: dict[str, Any]
    pipelines: dict[str, Path]
    baseline: str
    control: str
    input: Path
    input_label: dict[str, Any]
    cores: int
    threads: int
    seed: int
    settings: dict[str, Any]
    toolchain: Path
    runtime: Path
    scratch: Path
    counted: Path | None = None
    libraries: dict[str, dict[str, str]] = field(default_factory=dict)

    def compiled(self) -> dict[str, Any]:
        """Return each pipeline's kernel.json."""
        return {name: read_json(folder / "kernel.json") for name, folder in self.pipelines.items()}

    def made_kernel(self) -> Kernel:
        """Return the kernel that its entry describes."""
        return make_kernel(self.kernel["name"], self.kernel, self.kernel["name"])

    @staticmethod
    def from_json(value: dict[str, Any], **paths: Any) -> "Task":
        """Make a task of the workflow's JSON and the job's own paths."""
        pipelines = {name: Path(folder) for name, folder in value["pipelines"].items()}
        counted = Path(value["counted"]) if value.get("counted") else None
        return Task(**{**value, "pipelines": pipelines, "counted": counted}, **paths)

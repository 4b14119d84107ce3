"""The pipelines of `config/pipelines.yaml`: how a kernel is compiled."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from splyce_bench.configuration import load_yaml, validate

Rewrites = int | Literal["changed"]


@dataclass(frozen=True)
class Pipeline:
    """Passes between the loops and the lowering, and the flags of the lowering.

    `rewrites` maps a kernel (or `*`) to the number of loops that must be rewritten.
    `None` for cpu and opt_flags means the configured ones.
    """

    name: str
    description: str
    label: str
    frontend: str
    plugins: tuple[str, ...]
    transform: tuple[str, ...]
    rewrites: dict[str, Rewrites]
    cpu: str | None
    features: str
    opt_flags: tuple[str, ...] | None

    def rewrites_in(self, kernel: str) -> Rewrites | None:
        """How many loops of a kernel the pipeline must rewrite; None when it makes no promise."""
        return self.rewrites.get(kernel, self.rewrites.get("*"))

    def to_json(self) -> dict[str, Any]:
        """Return what decides the code made, as a JSON value; names and texts do not."""
        fields = asdict(self)
        for text in ("description", "label"):
            del fields[text]
        return fields

    @staticmethod
    def from_json(value: dict[str, Any]) -> "Pipeline":
        """Read what `to_json` wrote."""
        fields = dict(value, description="", label=value["name"])
        fields["plugins"] = tuple(value["plugins"])
        fields["transform"] = tuple(value["transform"])
        flags = value["opt_flags"]
        fields["opt_flags"] = None if flags is None else tuple(flags)
        return Pipeline(**fields)


def load_pipelines(path: Path) -> dict[str, Pipeline]:
    """Read and check all pipelines of a file."""
    table = load_yaml(path)
    validate(table, "pipelines", path)
    return {name: _pipeline(name, entry) for name, entry in table.items()}


def _pipeline(name: str, entry: dict[str, Any]) -> Pipeline:
    rewrites = entry.get("rewrites", {})
    flags = entry.get("opt_flags")
    return Pipeline(
        name=name,
        description=entry["description"],
        label=entry.get("label", name),
        frontend=entry.get("frontend", "sparsify"),
        plugins=tuple(entry.get("plugins", ())),
        transform=tuple(entry["transform"]),
        rewrites=rewrites if isinstance(rewrites, dict) else {"*": rewrites},
        cpu=entry.get("cpu"),
        features=entry.get("features", ""),
        opt_flags=None if flags is None else tuple(flags),
    )

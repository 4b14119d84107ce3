"""The pipelines of `config/pipelines.yaml`: how a kernel is compiled, or what stands beside it."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from splyce_bench.configuration import load_yaml, validate

Rewrites = int | Literal["changed"]


@dataclass(frozen=True)
class Pipeline:
    """Passes between the loops and the lowering, and the flags of the lowering.

    `rewrites` maps a kernel (or `*`) to the number of loops that must be rewritten.
    `None` for cpu and opt_flags means the configured ones. A reference has C files as its
    `source` instead of passes, a library only the name of its adapter.
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
    source: tuple[str, ...] = ()
    library: str | None = None

    def rewrites_in(self, kernel: str) -> Rewrites | None:
        """How many loops of a kernel the pipeline must rewrite; None when it makes no promise."""
        return self.rewrites.get(kernel, self.rewrites.get("*"))

    def source_files(self, kernel: str) -> list[str]:
        """Return the C files for a kernel; the last is compiled, the others included first."""
        return [path.format(kernel=kernel) for path in self.source]

    def source_tree(self) -> list[Path]:
        """Return every file that the source may include: the C files of its folders."""
        folders = dict.fromkeys(Path(path).parent for path in self.source)
        return sorted(file for folder in folders for file in folder.glob("*.[ch]"))

    def to_json(self) -> dict[str, Any]:
        """Return what decides the code made, as a JSON value; names and texts do not."""
        fields = asdict(self)
        for text in ("description", "label"):
            del fields[text]
        # Only where given, so that other pipelines keep their keys.
        return {k: v for k, v in fields.items() if v or k not in ("source", "library")}

    @staticmethod
    def from_json(value: dict[str, Any]) -> "Pipeline":
        """Read what `to_json` wrote."""
        fields = dict(value, description="", label=value["name"])
        fields["plugins"] = tuple(value["plugins"])
        fields["transform"] = tuple(value["transform"])
        fields["source"] = tuple(value.get("source", ()))
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
        transform=tuple(entry.get("transform", ())),
        rewrites=rewrites if isinstance(rewrites, dict) else {"*": rewrites},
        cpu=entry.get("cpu"),
        features=entry.get("features", ""),
        opt_flags=None if flags is None else tuple(flags),
        source=tuple(entry.get("source", ())),
        library=entry.get("library"),
    )

"""Write the page of configuration keys from the schemas; COMMAND says how."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from splyce_bench.configuration import ROOT, load_schema, load_yaml
from splyce_bench.files import write_text

COMMAND = "python -m splyce_bench.describe docs/configuration.md"


def configuration_page() -> str:
    """Return the page as Markdown."""
    config = load_schema("config")
    default = load_yaml(ROOT / "config" / "default.yaml")
    smoke = load_yaml(ROOT / "config" / "smoke.yaml")
    lines = [
        "# Configuration",
        "",
        f"Made from `config/schemas/` by `{COMMAND}`; a test compares.",
        "",
        "## Keys of a run (`config/default.yaml`, or `--config KEY=VALUE` after the target)",
        "",
        "| key | default | smoke | meaning |",
        "|---|---|---|---|",
    ]
    for key, part in _keys(config):
        shown = [_shown(_value(table, key)) for table in (default, smoke)]
        lines.append(f"| `{key}` | {shown[0]} | {shown[1]} | {_text(part)} |")
    for name, title in (
        ("kernels", "A kernel (`config/kernels.yaml`)"),
        ("pipelines", "A pipeline (`config/pipelines.yaml`)"),
        ("experiment", "An experiment (`experiments/*.yaml`)"),
    ):
        schema = load_schema(name)
        entry = schema if "properties" in schema else schema["additionalProperties"]
        lines += ["", f"## {title}", "", "| key | meaning |", "|---|---|"]
        lines += [f"| `{key}` | {_text(part)} |" for key, part in _keys(entry)]
    return "\n".join(lines) + "\n"


def _keys(schema: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    for name, part in schema.get("properties", {}).items():
        yield f"{path}{name}", part
        yield from _keys(part, f"{path}{name}.")
        yield from _keys(part.get("items", {}), f"{path}{name}[].")


def _value(table: Any, key: str) -> Any:
    for name in key.split("."):
        table = table.get(name) if isinstance(table, dict) else None
    return table


def _shown(value: Any) -> str:
    if value is None or isinstance(value, dict):
        return ""
    text = " ".join(map(str, value)) if isinstance(value, list) else str(value)
    return f"`{text}`"


def _text(part: Any) -> str:
    choices = part.get("enum")
    allowed = f" One of: {', '.join(map(str, choices))}." if choices else ""
    return (" ".join(part["description"].split()) + allowed).replace("|", "\\|")


if __name__ == "__main__":
    write_text(Path(sys.argv[1]), configuration_page())

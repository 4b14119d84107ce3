"""Configuration files: read, check against a schema, coerce what came from the command line.

Every message names the file, the key, what was found and what is allowed. The schemas in
`config/schemas/` also describe each key and are what `docs/configuration.md` is made from.
"""

import difflib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from splyce_bench.errors import UserError

ROOT = Path(__file__).resolve().parent.parent
SCHEMAS = ROOT / "config" / "schemas"


class _Loader(yaml.CSafeLoader):
    """Safe YAML loader that refuses a key given twice, of which one would be lost."""


def _mapping(loader: yaml.SafeLoader, node: yaml.MappingNode) -> dict[Any, Any]:
    keys = [loader.construct_object(key, deep=True) for key, _ in node.value]
    for number, (key, (key_node, _)) in enumerate(zip(keys, node.value, strict=True)):
        if key in keys[:number]:
            raise yaml.MarkedYAMLError(
                problem=f"key '{key}' given twice", problem_mark=key_node.start_mark
            )
    return loader.construct_mapping(node, deep=True)


_Loader.add_constructor(yaml.resolver.BaseResolver.DEFAULT_MAPPING_TAG, _mapping)


def load_yaml(path: Path) -> Any:
    """Read a YAML file; a syntax error becomes one message with file and line."""
    try:
        text = path.read_text(encoding="utf-8")
        return yaml.load(text, Loader=_Loader)
    except FileNotFoundError:
        raise UserError(f"{path}: no such file; give the path of a YAML file") from None
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else "?"
        raise UserError(f"{path}:{line}: not valid YAML: {error.problem}") from None


def parse_value(text: str, where: str) -> Any:
    """Read a value given on the command line as YAML."""
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError:
        raise UserError(
            f"{where}: '{text}' is not valid YAML; quote it, as in '{{a: 1}}'"
        ) from None


@cache
def load_schema(name: str) -> Any:
    """Return the schema `config/schemas/<name>.schema.yaml`."""
    return load_yaml(SCHEMAS / f"{name}.schema.yaml")


def validate(value: Any, schema_name: str, path: Path | str) -> None:
    """Check a value against a schema; raises UserError with every mistake, one a line."""
    # jsonschema costs 50 ms to import, which `snakemake --help` need not pay.
    from jsonschema import Draft202012Validator

    errors = list(Draft202012Validator(load_schema(schema_name)).iter_errors(value))
    if errors:
        raise UserError("\n       ".join(m for e in errors for m in _explain(e, str(path))))


def _explain(error: Any, path: str) -> Iterator[str]:
    key = ".".join(str(part) for part in error.absolute_path)
    where = f"{path}: {key}: " if key else f"{path}: "
    if error.validator == "additionalProperties" and isinstance(error.instance, dict):
        allowed = list(error.schema.get("properties", {}))
        for name in sorted(set(error.instance) - set(allowed), key=str):
            near = difflib.get_close_matches(str(name), allowed, 1)
            hint = f"did you mean '{near[0]}'? " if near else ""
            yield f"{where}unknown key '{name}'; {hint}allowed: {', '.join(allowed)}"
    elif error.validator == "enum":
        choices = ", ".join(str(choice) for choice in error.validator_value)
        yield f"{where}'{error.instance}' is not allowed; allowed: {choices}"
    elif error.validator == "type":
        kinds = error.validator_value
        kind = kinds if isinstance(kinds, str) else " or ".join(kinds)
        found = "nothing" if error.instance is None else repr(error.instance)
        yield f"{where}expected {kind}, found {found}; {_about(error)}"
    elif error.validator in ("oneOf", "anyOf"):
        yield f"{where}{error.instance!r} fits none of the allowed forms; {_about(error)}"
    else:
        yield f"{where}{error.message}; {_about(error)}"


def _about(error: Any) -> str:
    return f"it is: {error.schema.get('description', 'see docs/configuration.md')}"


def coerce(value: Any, schema: Any) -> Any:
    """Turn strings from the command line into the number, boolean or mapping the schema wants."""
    if isinstance(value, dict):
        properties = schema.get("properties", {})
        rest = schema.get("additionalProperties")
        default = rest if isinstance(rest, dict) else {}
        return {k: coerce(v, properties.get(k, default)) for k, v in value.items()}
    kinds = schema.get("type", [])
    kinds = [kinds] if isinstance(kinds, str) else kinds
    if isinstance(value, str) and kinds and "string" not in kinds:
        try:
            return yaml.safe_load(value)
        except yaml.YAMLError:
            return value
    if "string" in kinds and not isinstance(value, str) and _is_number(value):
        return value if {"number", "integer"} & set(kinds) else str(value)
    return value


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def checked_config(config: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Coerce and validate the merged configuration of a run.

    Snakemake has merged the files and the command line into one mapping; checking the files first
    tells which of them a mistake stands in.
    """
    default = folder / "default.yaml"
    base = load_yaml(default)
    validate(base, "config", default)
    for preset in sorted(folder.glob("*.yaml")):
        if preset.stem == config.get("scale"):
            validate(merged(base, load_yaml(preset)), "config", preset)
    coerced = coerce(config, load_schema("config"))
    validate(coerced, "config", "--config")
    return dict(coerced)


def merged(base: dict[str, Any], override: dict[str, Any]) -> dict[str, Any]:
    """Return `base` with the values of `override`, mapping by mapping."""
    result = dict(base)
    for key, value in override.items():
        both = isinstance(value, dict) and isinstance(result.get(key), dict)
        result[key] = merged(result[key], value) if both else value
    return result

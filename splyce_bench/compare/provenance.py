"""What two runs were made of and on, and where that differs."""

import json
from collections.abc import Iterable, Iterator
from typing import Any

from splyce_bench.compare.run import Run
from splyce_bench.files import key_of
from splyce_bench.report.records import Record

TOOLCHAIN = ("provider", "version", "rtti")
# Of what a toolchain's tools are hashed, these decide the code.
TOOLS = ("mlir-opt", "mlir-translate", "opt", "llc")
SHOWN = 4

Facts = dict[str, set[str]]
Parts = dict[str, Facts]


def provenance_differences(a: Run, b: Run) -> list[str]:
    """Return a line a fact that differs, from the groups that both runs have."""
    places = [place for place in a.groups if place in b.groups]
    ours = [a.groups[place] for place in places]
    theirs = [b.groups[place] for place in places]
    lines = _of_runs(_collected(ours, _of_run), _collected(theirs, _of_run))
    return lines + _of_parts(_parts(ours), _parts(theirs))


def _of_runs(ours: Facts, theirs: Facts) -> list[str]:
    return [
        f"{name}: {_shown(ours.get(name))} | {_shown(theirs.get(name))}"
        for name in {**ours, **theirs}
        if ours.get(name) != theirs.get(name)
    ]


def _of_parts(ours: Parts, theirs: Parts) -> list[str]:
    """Return a line a kind of part, such as object code, with those that differ."""
    lines = []
    for kind in {**ours, **theirs}:
        mine, other = ours.get(kind, {}), theirs.get(kind, {})
        names = list({**mine, **other})
        if differ := [name for name in names if mine.get(name) != other.get(name)]:
            more = f" and {len(differ) - SHOWN} more" if len(differ) > SHOWN else ""
            listed = ", ".join(differ[:SHOWN]) + more
            lines.append(f"{kind}: {len(differ)} of {len(names)} differ: {listed}")
    return lines


def _shown(values: set[str] | None) -> str:
    found = sorted(values or {"-"})
    more = f" and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
    return " or ".join(found[:SHOWN]) + more


def _collected(records: Iterable[Record], facts_of: Any) -> Facts:
    facts: Facts = {}
    for record in records:
        for name, value in facts_of(record):
            facts.setdefault(name, set()).add(value)
    return facts


def _of_run(record: Record) -> Iterator[tuple[str, str]]:
    toolchain = record["toolchain"]
    yield from _flat("host", record["host"])
    yield from _flat("toolchain", {name: toolchain.get(name) for name in TOOLCHAIN})
    hashes = toolchain.get("sha256", {})
    yield from _flat("toolchain", {name: hashes.get(name, "-")[:12] for name in TOOLS})
    yield from _flat("source", record["provenance"])
    yield from _flat("measure", record["settings"])
    yield "seed", str(record["seed"])
    yield "placement", record["placement"]


def _flat(name: str, value: Any) -> Iterator[tuple[str, str]]:
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _flat(f"{name}.{key}", inner)
    else:
        yield name, value if isinstance(value, str) else json.dumps(value, sort_keys=True)


def _parts(records: Iterable[Record]) -> Parts:
    parts: Parts = {}
    for record in records:
        for kind, name, value in _parts_of(record):
            parts.setdefault(kind, {}).setdefault(name, set()).add(key_of(value))
    return parts


def _parts_of(record: Record) -> Iterator[tuple[str, str, Any]]:
    kernel = record["kernel"]
    for operand, meta in record["input"]["meta"].get("operands", {}).items():
        yield "inputs", f"{kernel} {record['input']['id']} {operand}", meta.get("sha256", meta)
    for pipeline, made in record["compiled"].items():
        name = f"{kernel} {pipeline}{' parallel' if made.get('parallel') else ''}"
        hashes = made.get("sha256", {})
        yield "passes and flags", name, [made["pipeline"], made.get("settings")]
        yield "build of the pass", name, made.get("plugins", [])
        yield "IR after the passes", name, hashes.get("transformed.mlir")
        yield "object code", name, hashes.get("kernel.o")

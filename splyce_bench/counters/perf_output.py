"""Read what `perf stat` wrote, in its `-j` or `-x` form, whatever the version.

`-j` is one JSON object a line; `-x` has columns: value, unit, event, run time, share of the time
that the event was on a counter, metric, unit of the metric. Both put comments and empty lines in
between, and both leave columns out or add some from one version to the next.
"""

import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from splyce_bench.errors import UserError

NOT_COUNTED, NOT_SUPPORTED = "<not counted>", "<not supported>"
CROWDED = "too many events for the free counters (the NMI watchdog and SMT take some)"
SEPARATORS = ";|\t,"
# A PMU's own name of an event that perf also knows by a general one.
ALIASES = {"cpu-cycles": "cycles", "branch-instructions": "branches"}


@dataclass(frozen=True)
class Reading:
    """One event: its value, or None and perf's word for why; `share` in percent, None unknown."""

    event: str
    value: float | None
    share: float | None
    note: str = ""


@dataclass
class PerfOutput:
    """The events of one run of perf, and the metrics that perf computed, by name."""

    readings: dict[str, Reading] = field(default_factory=dict)
    metrics: dict[str, float] = field(default_factory=dict)

    def value(self, event: str) -> float | None:
        """Return an event's value, or None."""
        reading = self.readings.get(event)
        return reading.value if reading else None

    @property
    def least_share(self) -> float | None:
        """The smallest share of the time an event was counted, in percent; None unknown."""
        known = [r.share for r in self.readings.values() if r.share is not None]
        return min(known) if known else None

    def notes(self) -> dict[str, str]:
        """Return perf's word for each event without a value."""
        return {name: r.note for name, r in self.readings.items() if r.value is None}

    def reasons(self) -> dict[str, str]:
        """Return the notes with what they are likely to come from."""
        crowded = f"not counted: {CROWDED}"
        notes = self.notes().items()
        return {name: crowded if note == "not counted" else note for name, note in notes}


def parse_perf(text: str, source: str) -> PerfOutput:
    """Parse perf's output; UserError with `source` and the line where it cannot be read."""
    output = PerfOutput()
    for number, raw in enumerate(text.splitlines(), 1):
        line = raw.strip("\r\n ")
        if not line or line.startswith("#"):
            continue
        where = f"{source}:{number}"
        fields = _json_fields(line, where) if line.startswith("{") else _column_fields(line, where)
        _add(output, fields, where)
    return output


def _add(output: PerfOutput, fields: dict[str, Any], where: str) -> None:
    if fields["event"]:
        reading = _reading(fields, where)
        known = output.readings.get(reading.event)
        # Several metrics may ask for one event: keep the reading that says the least good.
        if known is None or (reading.share or 100) < (known.share or 100):
            output.readings[reading.event] = reading
    name = str(fields["metric_unit"] or "").split("  ")[-1].strip()
    if name and fields["metric"] not in (None, ""):
        value = _number(fields["metric"], where)
        if math.isfinite(value):
            output.metrics.setdefault(name, value)


def _json_fields(line: str, where: str) -> dict[str, Any]:
    try:
        value = json.loads(line)
    except json.JSONDecodeError:
        raise UserError(
            f"{where}: not a JSON object: {line[:80]!r}; perf writes one only with LC_ALL=C "
            "(a decimal comma breaks it)"
        ) from None
    return {
        "value": value.get("counter-value", ""),
        "event": value.get("event", ""),
        "share": value.get("pcnt-running"),
        "metric": value.get("metric-value"),
        "metric_unit": value.get("metric-unit"),
    }


def _column_fields(line: str, where: str) -> dict[str, Any]:
    separator = next((mark for mark in SEPARATORS if mark in line), None)
    columns = [column.strip() for column in _split(line, separator)] if separator else [line]
    if len(columns) < 3 or (separator == "," and _is_digits(columns[0]) and _is_digits(columns[1])):
        raise UserError(
            f"{where}: expected value, unit, event and more columns, found {line[:80]!r}; "
            "run perf with LC_ALL=C (a decimal comma splits columns)"
        )
    columns += [""] * (7 - len(columns))
    value, _, event, _, share, metric, metric_unit = columns[:7]
    names = ("value", "event", "share", "metric", "metric_unit")
    return dict(zip(names, (value, event, share or None, metric, metric_unit), strict=True))


def _split(line: str, separator: str | None) -> Iterator[str]:
    """Split at separators outside of `pmu/.../`, whose terms are separated by commas too."""
    if separator != ",":
        yield from line.split(separator)
        return
    yield from re.findall(r"((?:[\w-]+/[^/]*/\w*|[^,])*)(?:,|$)", line)[: line.count(",") + 1]


def _is_digits(text: str) -> bool:
    return text.isdigit()


def _reading(fields: dict[str, Any], where: str) -> Reading:
    event = event_name(str(fields["event"]))
    share = None if fields["share"] is None else _number(fields["share"], where)
    text = str(fields["value"]).strip()
    if text in (NOT_COUNTED, NOT_SUPPORTED):
        return Reading(event, None, None, text.strip("<>"))
    return Reading(event, _number(text, where), share)


def _number(value: Any, where: str) -> float:
    text = str(value).strip().rstrip("%")
    if re.fullmatch(r"-?\d+,\d+", text):
        text = text.replace(",", ".")
    try:
        return float(text)
    except ValueError:
        raise UserError(f"{where}: expected a number, found {str(value)[:40]!r}") from None


def event_name(text: str) -> str:
    """Return an event's plain name: no PMU, no modifiers, perf's general name where it has one."""
    found = re.fullmatch(r"[\w-]+/(.*)/\w*", text.strip())
    inner = found.group(1) if found else re.sub(r":[a-zA-Z]+$", "", text.strip())
    named = re.search(r"\bname=([^,]+)", inner)
    name = named.group(1) if named else inner
    return ALIASES.get(name, name)

"""What earlier groups and plans took: a small file in the cache folder that clones share.

Groups are read from the records of finished runs; a plan is kept with what it said, so that the
next one can tell how far off it was.
"""

import math
import time
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from splyce_bench.errors import UserError
from splyce_bench.files import key_of, read_json, write_json
from splyce_bench.forecast.model import Model
from splyce_bench.forecast.work import Work, work_of_record
from splyce_bench.kernels.catalog import Kernel
from splyce_bench.report.records import Record
from splyce_bench.stats import median

KEPT_GROUPS, KEPT_PLANS = 2000, 20
# Steps of one call that differ by less are the same input with another seed.
SAME = 0.1


@dataclass(frozen=True)
class PlanError:
    """What a plan said of the groups that were finished since, and what they took, in seconds."""

    about: str
    groups: int
    planned: float
    taken: float

    @property
    def factor(self) -> float:
        """How far off it was, one or more, whichever way."""
        return max(self.taken / self.planned, self.planned / self.taken)


@dataclass
class History:
    """Finished groups by their record's key, and plans, the oldest first."""

    path: Path
    groups: dict[str, dict[str, Any]] = field(default_factory=dict)
    plans: list[dict[str, Any]] = field(default_factory=list)

    def learn(self, records: Iterable[Record], kernels: Mapping[str, Kernel]) -> None:
        """Add the groups that were measured to their end."""
        for record in records:
            work = work_of_record(record, kernels)
            if work and record["stopped_by"]:
                self.groups[record["key"]] = _entry(record, work)

    def factor(self, work: Work, cpu: str, model: Model) -> float:
        """Return measured over modelled seconds of the groups most like this one; 1 without any."""
        settings = key_of(model.settings)
        mine = [entry for entry in self.groups.values() if entry["cpu"] == cpu]
        mine = [entry for entry in mine if entry["settings"] == settings] or mine
        alike = [(entry["seconds"], Work(**entry["work"])) for entry in mine]
        for fits in (_same, _same_kernel, _same_kind):
            if found := [s / model.group_s(other) for s, other in alike if fits(other, work)]:
                return median(found)
        return 1.0

    def remember(self, plan: dict[str, Any]) -> None:
        """Keep what a plan said, and write the file."""
        self.plans = [*self.plans, {**plan, "made": time.time()}][-KEPT_PLANS:]
        groups = dict(list(self.groups.items())[-KEPT_GROUPS:])
        write_json(self.path, {"groups": groups, "plans": self.plans})

    def errors(self, runs: Mapping[Path, list[Record]]) -> list[PlanError]:
        """Return how far earlier plans were off, over the groups finished since; oldest first."""
        found = []
        for plan in self.plans:
            fresh = {
                name: record["seconds"]
                for record in runs.get(Path(plan["run"]), [])
                if (name := group_name(record)) in plan["groups"]
                and record["finished"] > plan["made"]
            }
            if fresh:
                planned = math.fsum(plan["groups"][name] for name in fresh)
                about = f"{plan['target']} in {Path(plan['run']).name}"
                found.append(PlanError(about, len(fresh), planned, math.fsum(fresh.values())))
        return found


def _same(other: Work, work: Work) -> bool:
    near = abs(other.steps - work.steps) <= SAME * max(work.steps, 1)
    return near and _kinds(other) == _kinds(work)


def _kinds(work: Work) -> tuple[str, bool, int, int, int, int]:
    pipelines = work.scalar, work.vectorized, work.libraries
    return work.kernel, work.real, *pipelines, work.cores


def _same_kernel(other: Work, work: Work) -> bool:
    return other.kernel == work.kernel and _same_kind(other, work)


def _same_kind(other: Work, work: Work) -> bool:
    return other.real == work.real


def _entry(record: Record, work: Work) -> dict[str, Any]:
    return {
        "cpu": record["host"]["cpu"],
        "settings": key_of(record["settings"]),
        "seconds": record["seconds"],
        "work": asdict(work),
    }


def group_name(record: Record) -> str:
    """Return the name of a group within its run."""
    return f"{record['experiment']}/{record['group']}"


def load_history(cache: Path) -> History:
    """Read the history of a cache folder; empty when there is none."""
    path = cache / "history.json"
    if not path.exists():
        return History(path)
    try:
        found = read_json(path)
        return History(path, dict(found["groups"]), list(found["plans"]))
    except (ValueError, TypeError, KeyError):
        raise UserError(
            f"{path}: not the history that `splyce-bench plan` writes; remove it"
        ) from None

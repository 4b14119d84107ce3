"""Ask perf and this processor what they can count, by trying; there is no list of models."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from splyce_bench.counters.access import NO_PERF, Obstacle, obstacle, unexplained
from splyce_bench.counters.perf import Perf, PerfError, find_perf
from splyce_bench.counters.perf_output import PerfOutput
from splyce_bench.counters.topdown import METHODS1, METHODS2, Method
from splyce_bench.measure.host import SYS, one_cpu_per_core, parse_cpu_list, read

COUNTS = ("cycles", "instructions", "branches", "branch-misses")

Trial = Callable[[list[str]], PerfOutput]


@dataclass
class Offer:
    """What can be counted here: events, and a method a level of top-down; or why not."""

    pmu: str = ""
    perf: Perf | None = None
    events: list[str] = field(default_factory=list)
    level1: Method | None = None
    level2: Method | None = None
    unavailable: dict[str, str] = field(default_factory=dict)
    obstacle: Obstacle | None = None

    def event(self, name: str) -> str:
        """Return an event as perf wants it on this PMU."""
        return f"{self.pmu}/{name}/" if self.pmu else name


def discover(cpus: list[int], folder: Path) -> Offer:
    """Find out what can be counted on these processors; `folder` is for scratch files."""
    try:
        perf = find_perf(folder)
    except PerfError as error:
        missing = str(error) == "no perf on PATH"
        return Offer(obstacle=NO_PERF if missing else obstacle() or unexplained(str(error)))
    offer = ask(lambda arguments: perf.trial(arguments, folder), core_pmu(cpus))
    offer.perf = perf
    if not offer.events:
        words = next(iter(offer.unavailable.values()), "")
        offer.obstacle = obstacle() or unexplained(words)
    return offer


def ask(trial: Trial, pmu: str) -> Offer:
    """Try each event and each top-down method on one PMU ('' is the only one)."""
    offer = Offer(pmu)
    for name in COUNTS:
        if why := _refused(trial, ["-e", offer.event(name)]):
            offer.unavailable[name] = why
        else:
            offer.events.append(name)
    # Without cycles there is no PMU, and each top-down trial would only say so again.
    if offer.events:
        offer.level1 = _best(trial, METHODS1, offer, "topdown_l1")
        offer.level2 = _best(trial, METHODS2, offer, "topdown_l2")
    return offer


def _refused(trial: Trial, arguments: list[str]) -> str:
    """Return why an event can't be had; '' when it can."""
    try:
        notes = trial(arguments).notes()
    except PerfError as error:
        return str(error)
    return "; ".join(f"{event} {note}" for event, note in notes.items())


def _best(trial: Trial, methods: tuple[Method, ...], offer: Offer, key: str) -> Method | None:
    """Return the method whose events share counters least; the first of equals."""
    found, refusals = [], []
    for method in methods:
        try:
            output = trial(method.arguments(offer.pmu))
        except PerfError as error:
            refusals.append(f"{method.name}: {error}")
            continue
        shares = method.compute(output)
        if isinstance(shares, str):
            refusals.append(f"{method.name}: {shares}")
        else:
            found.append((output.least_share or 0.0, method))
    if not found:
        offer.unavailable[key] = " | ".join(refusals)
        return None
    return max(found, key=lambda pair: pair[0])[1]


def core_types(sys: Path = SYS) -> dict[str, list[int]]:
    """Return a hybrid processor's PMUs and the processors of each; empty on others."""
    found = {}
    for name in ("cpu_core", "cpu_atom"):
        text = read(sys / "devices" / name / "cpus")
        if text != "unknown":
            found[name] = parse_cpu_list(text)
    return found


def core_pmu(cpus: list[int], sys: Path = SYS) -> str:
    """Return the PMU of these processors on a hybrid processor; '' where there is only one."""
    for name, members in core_types(sys).items():
        if set(cpus) <= set(members):
            return name
    return ""


def preferred_cpus(wanted: str | None, sys: Path = SYS) -> str | None:
    """Return the processors to choose from: one core type's, unless the user wants others."""
    types = core_types(sys)
    if wanted or not types:
        return wanted
    cpus = one_cpu_per_core(next(iter(types.values())), sys)
    return ",".join(map(str, cpus[1:] + cpus[:1]))

"""The inputs of a plan: how each is made, of which files, and from which line of a list."""

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from splyce_bench.collection.matrix_list import Member
from splyce_bench.errors import UserError
from splyce_bench.experiments import Experiment, GroupSpec
from splyce_bench.inputs.spec import InputSpec, small_input
from splyce_bench.kernels.catalog import Kernel


@dataclass(frozen=True)
class PlannedInputs:
    """The inputs that the groups of a run ask for, each for one kernel; `run` is its folder."""

    config: dict[str, Any]
    kernels: dict[str, Kernel]
    experiments: dict[str, Experiment]
    run: Path

    @property
    def ids(self) -> list[str]:
        """Return the id of every input, for the workflow's wildcards."""
        return sorted({id for _, id in self._every})

    def recipe(self, kernel: str, input: str) -> str:
        """Return the recipe of an input as JSON."""
        recipe = self._every[kernel, input].recipe
        operands = {name: self._with_record(o) for name, o in recipe["operands"].items()}
        return json.dumps({**recipe, "operands": operands}, sort_keys=True)

    def source_files(self, kernel: str, input: str) -> list[str]:
        """Return the files that an input is made of, so that a changed file counts.

        UserError for one that the user named and that is not there.
        """
        recipe = self._every[kernel, input].recipe
        if "too_large" in recipe:
            return []
        self._check_files(kernel, input)
        recipes = [self._with_record(o)["recipe"] for o in recipe["operands"].values()]
        return sorted(
            {r.get("path") or r["record"] for r in recipes if {"path", "record"} & set(r)}
        )

    def member(self, group: str, name: str) -> Member:
        """Return the line of a list that a matrix to be fetched stands in."""
        members = (spec.member for spec in self._every.values())
        return next(m for m in members if m and (m.group, m.name) == (group, name))

    def simulated(self, group: GroupSpec) -> InputSpec:
        """Return the input for callgrind: the group's own where no smaller one is configured."""
        simulated = self.experiments[group.experiment].is_simulated(self.config)
        small = self._small if simulated else {}
        return small.get((group.kernel, group.input.id), group.input)

    @cached_property
    def _every(self) -> dict[tuple[str, str], InputSpec]:
        groups = (group for e in self.experiments.values() for group in e.groups)
        asked = {(group.kernel, group.input.id): group.input for group in groups}
        return asked | {(kernel, s.id): s for (kernel, _), s in self._small.items()}

    @cached_property
    def _small(self) -> dict[tuple[str, str], InputSpec]:
        """Return the input for callgrind of each synthetic input of a simulated experiment."""
        config = {**self.config, "sizes": self.config["counters"]["sizes"]}
        simulated = [e for e in self.experiments.values() if e.is_simulated(self.config)]
        return {
            (g.kernel, g.input.id): small_input(g.input, self.kernels[g.kernel], config)
            for e in simulated
            for g in e.groups
            if g.kernel in config["sizes"] and g.input.matrix is None
        }

    def _check_files(self, kernel: str, input: str) -> None:
        for operand, entry in self._every[kernel, input].recipe["operands"].items():
            path = entry["recipe"].get("path")
            if path is None or Path(path).is_file():
                continue
            asking = [
                f"experiments/{e.name}.yaml"
                for e in self.experiments.values()
                if any((g.kernel, g.input.id) == (kernel, input) for g in e.groups)
            ]
            raise UserError(
                f"{path}: no such file; {', '.join(asking)} gives it to operand {operand} of "
                f"{kernel}; correct the path, or put the file there"
            )

    def _with_record(self, operand: dict[str, Any]) -> dict[str, Any]:
        recipe = operand["recipe"]
        if recipe["source"] != "collection":
            return operand
        record = self.run / "matrices" / recipe["group"] / f"{recipe['name']}.json"
        return {**operand, "recipe": {**recipe, "record": str(record)}}

"""Which technique for which columns over which segments: the plan of a release, as data.

`recipes` make plans, `perturb` carries them out, and the report explains them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

from hushwood.tables.schema import Schema
from hushwood.techniques.promises import COPIED, Promise
from hushwood.techniques.protocol import Technique

Over = Literal["leaves", "intersections", "table"]


@dataclass(frozen=True, slots=True)
class Step:
    """A technique for some columns, each on its own or all together, as the technique says."""

    technique: Technique
    attributes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    """The steps of a release, and the segments they all work over; every step reads the original records.

    `trees` is how many trees the forest is to have: 1 is a plain tree, more are grown by SysFor.
    """

    recipe: str
    over: Over
    steps: tuple[Step, ...]
    trees: int

    @property
    def keeps_segments(self) -> bool:
        """Whether the certificate can be claimed: no step lets a record leave its segment."""
        return all(step.technique.keeps_segment for step in self.steps)

    def with_trees(self, trees: int) -> Plan:
        """The same steps for a forest of so many trees; a record's rules are those of all of them."""
        over: Over = "intersections" if trees > 1 and self.over == "leaves" else self.over
        return replace(self, trees=trees, over=over)

    def copied(self, schema: Schema) -> tuple[str, ...]:
        """Columns that no step perturbs and that go out as they are, but for cells that are left out."""
        touched = {n for step in self.steps if step.technique.perturbs != "any" for n in step.attributes}
        return tuple(a.name for a in schema.attributes if a.role != "identifier" and a.name not in touched)

    def promises(self, schema: Schema) -> dict[str, Promise]:
        """What the certificate can check of every column that goes out, in column order."""
        found = {a.name: COPIED for a in schema.attributes if a.role != "identifier"}
        for step in self.steps:
            for name in step.attributes:
                found[name] = found[name].then(step.technique.promise)
        if self.over == "table":
            found = {name: replace(promise, within="table") for name, promise in found.items()}
        return found

    def described(self) -> list[dict[str, Any]]:
        """The steps as plain data, for reports and plan.json."""
        return [
            {
                "columns": list(step.attributes),
                "technique": step.technique.acronym.lower(),
                "acronym": step.technique.acronym,
                "says": step.technique.says(),
                "keeps_segment": step.technique.keeps_segment,
            }
            for step in self.steps
        ]

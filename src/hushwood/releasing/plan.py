"""Which technique for which columns over which segments: the plan of a release, as data.

`recipes` make plans, `perturb` carries them out, and the report explains them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal

from hushwood.tables.links.links import Link
from hushwood.tables.schema import UNIT_ROLES, Attribute, Schema
from hushwood.techniques.laws.promises import COPIED, NUMBERED, Promise
from hushwood.techniques.protocol import RowOrder, Technique

Over = Literal["leaves", "intersections", "table"]


@dataclass(frozen=True, slots=True)
class Following:
    """A column that is linked to others and follows from what a technique made of them: how, and what is promised."""

    says: str
    promise: Promise


@dataclass(frozen=True, slots=True)
class Step:
    """A technique for some columns, each on its own or all together, as the technique says.

    Columns that are `following` were not given to the technique, but what they are made of. With `per`, the name of
    the column of persons or households, each of those counts as one record.
    """

    technique: Technique
    attributes: tuple[str, ...]
    following: Mapping[str, Following] = field(default_factory=dict)
    per: str = ""

    def says_for(self, attribute: Attribute) -> str:
        """What happens to a column, in a sentence or two."""
        found = self.following.get(attribute.name)
        says = self.technique.says_for(attribute) if found is None else found.says
        return f"{says} Each {self.per!r} counts as one record and keeps one value." if self.per else says

    def promise_for(self, attribute: Attribute) -> Promise:
        """What the certificate can check of a column."""
        found = self.following.get(attribute.name)
        promise = self.technique.promise_for(attribute) if found is None else found.promise
        return replace(promise, per=self.per) if self.per else promise


@dataclass(frozen=True, slots=True)
class Plan:
    """The steps of a release, and the segments they all work over; every step reads the original records.

    `trees` is how many trees the forest is to have: 1 is a plain tree, more are grown by SysFor. `links` are those that
    are kept between columns.
    """

    recipe: str
    over: Over
    steps: tuple[Step, ...]
    trees: int
    links: tuple[Link, ...] = ()

    @property
    def keeps_segments(self) -> bool:
        """Whether the certificate can be claimed: no step lets a record leave its segment."""
        return all(step.technique.keeps_segment for step in self.steps)

    @property
    def row_order(self) -> RowOrder:
        """How the released records are ordered."""
        orders = {step.technique.row_order for step in self.steps}
        last: tuple[RowOrder, ...] = ("none", "drawn", "secret")
        return next((order for order in last if order in orders), "kept")

    @property
    def paired(self) -> bool:
        """Whether every released record stands for an original one."""
        return self.row_order in ("kept", "secret")

    @property
    def shuffled(self) -> bool:
        """Whether the records go out in another order than they were released in."""
        return self.row_order in ("secret", "drawn")

    @property
    def smallest_segment(self) -> int | None:
        """The least number of records that every segment must have."""
        found = (step.technique.smallest_segment for step in self.steps)
        return max((size for size in found if size is not None), default=None)

    def with_trees(self, trees: int) -> Plan:
        """The same steps for a forest of this many trees; a record follows the rules of all trees."""
        over: Over = "intersections" if trees > 1 and self.over == "leaves" else self.over
        return replace(self, trees=trees, over=over)

    def predicting(self, names: Collection[str]) -> Plan:
        """The same where trees predict columns of a table without a class: these are treated like classes.

        Otherwise noise would blot out what their trees say about them. Only where segments are kept, and by a technique
        for classes.
        """
        if not self.keeps_segments or not any(step.technique.perturbs == "class" for step in self.steps):
            return self
        steps = (
            replace(step, attributes=tuple(names))
            if step.technique.perturbs == "class"
            else replace(step, attributes=tuple(n for n in step.attributes if n not in names))
            for step in self.steps
        )
        return replace(self, steps=tuple(steps))

    def copied(self, schema: Schema) -> tuple[str, ...]:
        """Columns that no step perturbs and that are released as they are, except for blanked cells."""
        touched = {n for step in self.steps if step.technique.hides_all for n in step.attributes}
        fresh = {"identifier", *UNIT_ROLES}
        return tuple(a.name for a in schema.attributes if a.role not in fresh and a.name not in touched)

    def promises(self, schema: Schema) -> dict[str, Promise]:
        """What the certificate can check of every released column, in column order."""
        sent = (a for a in schema.attributes if a.role != "identifier")
        found = {a.name: NUMBERED if a.role in UNIT_ROLES else COPIED for a in sent}
        for step in self.steps:
            for name in step.attributes:
                found[name] = found[name].then(step.promise_for(schema[name]))
        if self.over == "table":
            found = {name: replace(promise, within="table") for name, promise in found.items()}
        return found

    def described(self, schema: Schema) -> list[dict[str, Any]]:
        """The steps as plain data, for reports and plan.json; columns that are treated differently stand apart."""
        return [
            {
                "columns": names,
                "technique": step.technique.acronym.lower(),
                "acronym": step.technique.acronym,
                "says": says,
                "keeps_segment": step.technique.keeps_segment,
            }
            | ({} if step.technique.row_order == "kept" else {"row_order": step.technique.row_order})
            | ({"linked": True} if step.following.keys() >= set(names) else {})
            for step in self.steps
            for says, names in _by_sentence(step, schema).items()
        ]


def _by_sentence(step: Step, schema: Schema) -> dict[str, list[str]]:
    """The columns of a step by what the technique says of them."""
    found: dict[str, list[str]] = {}
    for name in step.attributes:
        found.setdefault(step.says_for(schema[name]), []).append(name)
    return found

"""COARSEN: values are rounded, top or bottom coded, cut to a year or month, or to first characters (thesis 3.2.4).

A global recoding by declared rules: the same value always becomes the same. Nothing is drawn, so the law is a certain
map. The rules are read in `tables.recoding`, where they are also applied before other techniques.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from hushwood.arrays import Array, Flags, Floats
from hushwood.random_streams import Rows, Streams
from hushwood.segments.segments import Segments
from hushwood.tables.recoding.meaning import recodings
from hushwood.tables.recoding.recodings import CategoryGroups, Recoding, RoundedNumbers
from hushwood.tables.recoding.rules import parsed_rules
from hushwood.tables.recoding.taxonomies import Taxonomy
from hushwood.tables.recoding.texts import Labels
from hushwood.tables.schema import Attribute, Schema
from hushwood.tables.table import Table
from hushwood.techniques.laws.forms import Form, PairForm
from hushwood.techniques.laws.joint import JointLaw
from hushwood.techniques.laws.promises import COARSE, Promise
from hushwood.techniques.laws.redraw import certain_log_prob
from hushwood.techniques.protocol import Columns, Law, LearntOn, Target, Technique


@dataclass(frozen=True, slots=True)
class Coarsening(Technique):
    """Coarsen the columns that the rules name; a rounded record may take another path through a tree."""

    rules: tuple[str, ...] = ()
    hierarchies: Mapping[str, Taxonomy] = field(default_factory=dict)
    acronym: ClassVar[str] = "COARSEN"
    perturbs: ClassVar[Target] = "any"
    learnt_on: ClassVar[LearntOn] = "sample"
    trust: ClassVar[str] = COARSE
    options: ClassVar[Mapping[str, str]] = {"rules": "coarsen", "hierarchies": "hierarchies"}
    promise: ClassVar[Promise] = Promise(values="generalised")

    def __post_init__(self) -> None:
        parsed_rules(self.rules)

    def promise_for(self, attribute: Attribute) -> Promise:
        """A rounded number, or the first day of a year, may lie outside the range of the column."""
        return Promise(values="any") if attribute.kind == "numeric" else self.promise

    def says(self) -> str:
        return "Coarsened in the same way in all records, by a declared rule."

    def says_for(self, attribute: Attribute) -> str:
        for rule in parsed_rules(self.rules):
            if rule.column == attribute.name:
                return f"{self.says()[:-1]}: {rule.says()}."
        return self.says()

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> CoarseningPerturber:
        """Look up columns and values; a column without a rule is not covered."""
        found = recodings(parsed_rules(self.rules), original.schema, original.columns, self.hierarchies)
        laws = {name: RecodingLaw(name, found[name]) for name in attributes if name in found}
        covered = {name: np.full(segments.count, name in laws) for name in attributes}
        return CoarseningPerturber(JointLaw(tuple(laws.values())), laws, covered, original.schema)


@dataclass(frozen=True, slots=True)
class RecodingLaw(Law):
    """Every value has one outcome, and that is certain."""

    attribute: str
    recoding: Recoding

    def log_prob(self, original: Columns, released: Columns, segment_ids: Array) -> Floats:
        """0 for the only value that can be released, -inf for all others."""
        return certain_log_prob(self.recoding.recode(original[self.attribute]), released[self.attribute])

    def sample(self, original: Columns, segment_ids: Array, row_ids: Rows, streams: Streams) -> Columns:
        """The recoded column; the streams are not read."""
        return {self.attribute: self.recoding.recode(original[self.attribute])}

    def forms(self, schema: Schema) -> Mapping[str, Form]:
        return {self.attribute: PairForm(self, (self.attribute,), within="table")}

    def described(self) -> dict[str, Any]:
        """What is done to the column, without its values."""
        how = self.recoding
        said: dict[str, Any] = {"form": "recoding", "attribute": self.attribute}
        if isinstance(how, RoundedNumbers):
            return said | {"step": how.step, "top": how.top, "bottom": how.bottom}
        return said if isinstance(how, CategoryGroups) else said | {"unit": how.unit}


@dataclass(frozen=True, slots=True)
class CoarseningPerturber:
    """Recodes any chunk of records."""

    joint: JointLaw
    laws: Mapping[str, RecodingLaw]
    covered: Mapping[str, Flags]
    schema: Schema
    whole_column: ClassVar[bool] = False
    as_text: ClassVar[tuple[str, ...]] = ()

    @property
    def attributes(self) -> tuple[str, ...]:
        return tuple(self.laws)

    @property
    def categories(self) -> Mapping[str, tuple[str, ...]]:
        """Of columns with shortened texts, the categories that the released codes stand for."""
        found = self._groups()
        return {n: how.categories for n, how in found.items() if how.categories != self.schema[n].categories}

    @property
    def labels(self) -> Labels:
        """The texts behind shortened ones that several columns of stars could mean."""
        return {name: how.key for name, how in self._groups().items() if how.key}

    def _groups(self) -> dict[str, CategoryGroups]:
        ways = {name: law.recoding for name, law in self.laws.items()}
        return {name: how for name, how in ways.items() if isinstance(how, CategoryGroups)}

    def intervals(self, original: Columns) -> Mapping[str, tuple[Floats, Floats]]:
        """What every record's released number stands for."""
        return {
            name: law.recoding.ends(original[name])
            for name, law in self.laws.items()
            if not isinstance(law.recoding, CategoryGroups)
        }

    def covers(self, attribute: str) -> Flags | None:
        return self.covered[attribute]

    def perturb(self, columns: Columns, segment_ids: Array, row_ids: Rows, streams: Streams) -> Columns:
        return self.joint.sample(columns, segment_ids, row_ids, streams)

    def law(self) -> JointLaw:
        return self.joint

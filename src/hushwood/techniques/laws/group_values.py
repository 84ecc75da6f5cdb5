"""Every record's values become those of its group: the law and the perturber of MDAV, MONDRIAN and TDS.

A group may be released with a category that the table did not have.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np

from hushwood.arrays import Array, Codes, Floats
from hushwood.random_streams import Rows, Streams
from hushwood.segments.partition import combine
from hushwood.tables.recoding.texts import Labels
from hushwood.tables.schema import Schema
from hushwood.techniques.laws.forms import Form, PairForm
from hushwood.techniques.laws.groupings import groups_within
from hushwood.techniques.protocol import Columns, Law, Within


@dataclass(frozen=True, slots=True)
class GroupValuesLaw(Law):
    """One certain outcome for every record: the `values` of its group. The table is that of the groups."""

    attributes: tuple[str, ...]
    within: Within
    columns: Columns
    segment_ids: Array
    members: Codes
    values: Columns
    form: str = "group means"
    dependent: ClassVar[bool] = True

    def log_prob(self, original: Columns, released: Columns, segment_ids: Array) -> Floats:
        """Log share of the table's records with these values, in this segment, that were released with those."""
        rows = len(self.members)
        segments = groups_within(self.within)(original, segment_ids)
        outcomes = {name: values[self.members] for name, values in self.values.items()}
        record = self._coded(self.columns, original, [np.concatenate([self.segment_ids, segments])])
        outcome = self._coded(outcomes, released, [record])
        there, alike = (
            np.bincount(codes[:rows], minlength=codes.max(initial=0) + 1) for codes in (outcome, record)
        )
        with np.errstate(divide="ignore"):
            return np.log(there[outcome[rows:]] / np.maximum(alike[record[rows:]], 1))

    def _coded(self, own: Columns, asked: Columns, parts: list[Array]) -> Codes:
        """Numbers for the distinct combinations of parts and values, in the table and in the records asked about."""
        for name in self.attributes:
            both = np.concatenate([own[name], np.asarray(asked[name], np.float64)])
            parts = [*parts, np.unique(both, return_inverse=True)[1]]
        return combine(parts)[0]

    def sample(self, original: Columns, segment_ids: Array, row_ids: Rows, streams: Streams) -> Columns:
        """The records must be those that were prepared, in their order."""
        return {name: values[self.members] for name, values in self.values.items()}

    def forms(self, schema: Schema) -> Mapping[str, Form]:
        return dict.fromkeys(self.attributes, PairForm(self, self.attributes, within=self.within))

    def described(self) -> dict[str, Any]:
        return {
            "form": self.form,
            "attributes": list(self.attributes),
            "groups": len(np.unique(self.members)),
        }


@dataclass(frozen=True, slots=True)
class GroupValuesPerturber:
    """Looks up the group of every record that was prepared.

    `categories` are those that the released codes of a column stand for, where they are not the schema's. `ends` are
    the smallest and the largest number of every group, by column, where its released number stands for them; columns
    in `as_text` are released as these ranges. `labels` is the key of labels that do not explain themselves.
    """

    groups: GroupValuesLaw
    categories: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    ends: Mapping[str, tuple[Floats, Floats]] = field(default_factory=dict)
    as_text: tuple[str, ...] = ()
    labels: Labels = field(default_factory=dict)
    whole_column: ClassVar[bool] = True

    @property
    def attributes(self) -> tuple[str, ...]:
        return self.groups.attributes

    def covers(self, attribute: str) -> None:
        """All segments are covered."""

    def perturb(self, columns: Columns, segment_ids: Array, row_ids: Rows, streams: Streams) -> Columns:
        return self.groups.sample(columns, segment_ids, row_ids, streams)

    def intervals(self, original: Columns) -> Mapping[str, tuple[Floats, Floats]]:
        """Of every record that was prepared, the ends of its group."""
        members = self.groups.members
        return {name: (low[members], high[members]) for name, (low, high) in self.ends.items()}

    def law(self) -> GroupValuesLaw:
        return self.groups

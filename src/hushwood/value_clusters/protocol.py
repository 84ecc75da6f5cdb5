"""What a clustering gives to CAPT: the group of every record, and for DETECTIVE the values of sibling groups.

CAPT redraws a record's value from the attribute's distribution among the original records of its group, so every
clustering, of values or of records, comes down to a list (value, probability) per record. The clusterings are in
`registry`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from hushwood.arrays import Array, Integers

Columns = Mapping[str, Array]


class Sibling(NamedTuple):
    """The majority value of a sibling group as its category code, and the weight of the records there."""

    code: int
    weight: float


class ValueGroups(Protocol):
    """Groups of records among which the values of one attribute are alike; small, and can be pickled."""

    def group_of(self, columns: Columns) -> Integers:
        """The group (0, 1, ...) of every record of any chunk: a function of the record's own values alone.

        The columns are as in a table: all attributes, the class among them, missing categories as -1.
        """

    @property
    def reads(self) -> tuple[str, ...]:
        """The columns that decide the group."""

    @property
    def siblings(self) -> Mapping[int, tuple[Sibling, ...]]:
        """For a group, the siblings whose majority values its records may take; empty for most clusterings."""


@dataclass(frozen=True, slots=True)
class GroupPerValue:
    """A clustering of the attribute's own values: `of_code[c]` is the group of category c, the last one of missing."""

    attribute: str
    of_code: Integers
    siblings: Mapping[int, tuple[Sibling, ...]] = field(default_factory=dict)

    @property
    def reads(self) -> tuple[str, ...]:
        """The attribute alone."""
        return (self.attribute,)

    def group_of(self, columns: Columns) -> Integers:
        """The group of every record's value."""
        return self.of_code[columns[self.attribute]]

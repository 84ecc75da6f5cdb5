"""Groups of records with the same quasi-identifiers, and the sensitive values in them, which must not be learnt from a
person's group.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from hushwood.arrays import Array, Codes, Flags, Integers
from hushwood.measures.protocol import NotComputable
from hushwood.segments.partition import combine
from hushwood.tables.frames.storage import dense_codes
from hushwood.tables.recoding.cells import Generalised
from hushwood.tables.table import Table, class_codes, missing_values

NO_QUASI_IDENTIFIERS = NotComputable("No quasi-identifiers are declared; name them with --quasi-identifier.")
NO_RECORDS = NotComputable("The release has no records.")


@dataclass(frozen=True)
class EqualGroups:
    """The group of every record, numbered from 0 without gaps, and the attributes that its members share."""

    names: tuple[str, ...]
    ids: Codes

    @cached_property
    def sizes(self) -> Integers:
        """The number of records of every group."""
        return np.bincount(self.ids)


def released_groups(released: Table, generalised: Mapping[str, Generalised]) -> EqualGroups | NotComputable:
    """The groups of a release by its quasi-identifiers, or why there are none."""
    names = released.schema.in_role("quasi-identifier")
    if not names:
        return NO_QUASI_IDENTIFIERS
    return groups_of(released, names, generalised) if released.rows else NO_RECORDS


def groups_of(table: Table, names: Sequence[str], generalised: Mapping[str, Generalised]) -> EqualGroups:
    """Records with equal cells in all these columns share a group; a missing value is a value like any other.

    Generalised cells are equal if they stand for the same values, however they are written.
    """
    ids, _ = combine([_codes(table.columns[name], generalised.get(name)) for name in names])
    return EqualGroups(tuple(names), ids)


def value_codes(column: Array) -> Integers:
    """Equal values as equal codes from 0, in ascending order; missing categories are 0, missing numbers last."""
    if column.dtype.kind != "f":
        return np.asarray(column, np.int64) + 1
    return np.asarray(np.unique(column, return_inverse=True)[1], np.int64)


def _codes(column: Array, cells: Generalised | None) -> Integers:
    if cells is None:
        return value_codes(column)
    if cells.low is not None and cells.high is not None:
        return combine([value_codes(cells.low), value_codes(cells.high)])[0].astype(np.int64)
    if cells.covers is None:
        return value_codes(column)
    number = np.append(0, _meanings(cells.covers) + 1)
    return np.asarray(number[column + 1])


def _meanings(covers: Flags) -> Integers:
    """One number per released category; categories that stand for the same originals share theirs."""
    _, meaning = np.unique(np.packbits(covers, axis=1), axis=0, return_inverse=True)
    unknown = ~covers.any(axis=1)
    return np.where(unknown, len(covers) + np.arange(len(covers)), meaning.reshape(-1))


@dataclass(frozen=True, slots=True)
class Sensitive:
    """One sensitive attribute: the code of every record's value (ascending where `ordered`), and which are missing."""

    name: str
    codes: Integers
    ordered: bool
    missing: Flags


@dataclass(frozen=True, slots=True)
class Counts:
    """How often each value occurs in each group, for the combinations that occur; sorted by group, then by value."""

    group: Integers
    value: Integers
    count: Integers

    @property
    def starts(self) -> Integers:
        """Where each group's values begin."""
        return np.flatnonzero(np.append(True, self.group[1:] != self.group[:-1]))


def sensitive_columns(table: Table) -> list[Sensitive]:
    """The confidential attributes of a table; without any, the classes (numbers by their bins)."""
    named = table.schema.in_role("confidential")
    if named:
        attributes = [table.schema[name] for name in named]
        return [_column(a.name, table.columns[a.name], a.kind == "numeric" or a.ordered) for a in attributes]
    return [
        _column(a.name, class_codes(a, table.columns[a.name]), bool(a.bins) or a.ordered)
        for a in table.schema.classes
    ]


def _column(name: str, values: Array, ordered: bool) -> Sensitive:
    return Sensitive(name, value_codes(values), ordered, missing_values(values))


def counts_within(groups: Array, codes: Integers) -> Counts:
    """Count every value in every group."""
    width = int(codes.max(initial=0)) + 1
    keys, place = dense_codes(groups.astype(np.int64) * width + codes)
    return Counts(keys // width, keys % width, np.bincount(place, minlength=len(keys)))

"""Sensitive attributes, which must not be learnt from a person's group, counted within the groups of `equivalence`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hushwood.arrays import Array, Flags, Integers
from hushwood.measures.groups.equivalence import value_codes
from hushwood.tables.coding import dense_codes
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table, class_codes, missing_values


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
        return [_column(name, table.columns[name], _in_order(table.schema[name])) for name in named]
    return [
        _column(a.name, class_codes(a, table.columns[a.name]), bool(a.bins) or a.ordered)
        for a in table.schema.classes
    ]


def _in_order(attribute: Attribute) -> bool:
    return attribute.kind == "numeric" or attribute.ordered


def _column(name: str, values: Array, ordered: bool) -> Sensitive:
    return Sensitive(name, value_codes(values), ordered, missing_values(values))


def counts_within(groups: Array, codes: Integers) -> Counts:
    """Count every value in every group."""
    width = int(codes.max(initial=0)) + 1
    keys, place = dense_codes(groups.astype(np.int64) * width + codes)
    return Counts(keys // width, keys % width, np.bincount(place, minlength=len(keys)))

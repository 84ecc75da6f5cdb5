"""What an intruder must not learn of people whose group he knows: the sensitive attributes, counted within groups.

The groups come from `equivalence`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushwood.measures.risk.equivalence import value_codes
from hushwood.tables.coding import dense_codes
from hushwood.tables.table import Table, class_labels, missing_values


@dataclass(frozen=True, slots=True)
class Sensitive:
    """One sensitive attribute: the code of every record's value (ascending where `ordered`), and which are missing."""

    name: str
    codes: NDArray[np.int64]
    ordered: bool
    missing: NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Counts:
    """How often each value occurs in each group, for the combinations that occur; sorted by group, then by value."""

    group: NDArray[np.int64]
    value: NDArray[np.int64]
    count: NDArray[np.int64]

    @property
    def starts(self) -> NDArray[np.int64]:
        """Where each group's values begin."""
        return np.flatnonzero(np.append(True, self.group[1:] != self.group[:-1]))


def sensitive_columns(table: Table) -> list[Sensitive]:
    """The confidential attributes of a table; without any, the class (a binned one by its bins)."""
    named = table.schema.in_role("confidential")
    if named:
        return [_column(name, table.columns[name], table.schema[name].kind == "numeric") for name in named]
    target = table.schema.class_attribute
    if target is None:
        return []
    labels, _ = class_labels(table)
    return [_column(target.name, labels, bool(target.bins))]


def _column(name: str, values: NDArray[Any], ordered: bool) -> Sensitive:
    return Sensitive(name, value_codes(values), ordered, missing_values(values))


def counts_within(groups: NDArray[Any], codes: NDArray[np.int64]) -> Counts:
    """Count every value in every group."""
    width = int(codes.max(initial=0)) + 1
    keys, place = dense_codes(groups.astype(np.int64) * width + codes)
    return Counts(keys // width, keys % width, np.bincount(place, minlength=len(keys)))

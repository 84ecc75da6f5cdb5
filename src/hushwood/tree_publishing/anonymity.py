"""Groups of records with equal released quasi-identifiers, and whether each is large and diverse enough.

K-anonymity counts a group's records; strong L-diversity looks at their original sensitive values (errata T13, T14).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from hushwood.arrays import Array, Floats, Integers
from hushwood.tables.frames.storage import dense_codes
from hushwood.tables.table import Table

_SLACK = 1e-9  # 1/l of a group need not be a whole number of records


@dataclass(frozen=True)
class Groups:
    """The group of every record, from 0 without gaps; `l` is a group's size over its most frequent sensitive value."""

    ids: Integers
    sizes: Integers
    l: Mapping[str, Floats]

    @property
    def k(self) -> int:
        """Size of the smallest group."""
        return int(self.sizes.min())

    def failure(self, k: int, l: float) -> str | None:
        """Why the groups do not satisfy K and L, or None."""
        if self.k < k:
            return f"the smallest group has {self.k:,} of {len(self.ids):,} records, fewer than K = {k:,}"
        for name, found in self.l.items():
            if found.min() < l - _SLACK:
                reached = np.floor(found.min() * 1000) / 1000  # never more than there is
                return f"one value of {name!r} has more than 1/{l:g} of a group (L = {reached:g})"
        return None


def groups_by(parts: Sequence[Array], sensitive: Mapping[str, Array], rows: int) -> Groups:
    """Group records by codes of their quasi-identifiers; without any, all records are one group."""
    ids = np.zeros(rows, np.int64)
    for part in parts:
        ids = dense_codes(ids * (int(part.max(initial=0)) + 1) + part)[1]
    sizes = np.bincount(ids)
    return Groups(ids, sizes, {name: _strong_l(ids, sizes, codes) for name, codes in sensitive.items()})


def sensitive_codes(table: Table) -> dict[str, Integers]:
    """The original values of every sensitive attribute as codes; a missing one is a value like any other."""
    return {name: dense_values(table.columns[name]) for name in table.schema.in_role("confidential")}


def dense_values(column: Array) -> Integers:
    """Equal values as equal codes from 0."""
    if column.dtype.kind == "f":
        return np.asarray(np.unique(column, return_inverse=True)[1], np.int64)
    return np.asarray(dense_codes(column.astype(np.int64) + 1)[1], np.int64)


def _strong_l(ids: Array, sizes: Array, codes: Array) -> Floats:
    width = int(codes.max(initial=0)) + 1
    pairs, place = dense_codes(ids * width + codes)
    most = np.zeros(len(sizes), np.int64)
    np.maximum.at(most, pairs // width, np.bincount(place))
    return np.asarray(sizes / most)

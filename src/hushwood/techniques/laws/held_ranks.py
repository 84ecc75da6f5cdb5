"""Which ranks every value of a column has, in the table or in every segment: what laws of ranks look up."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hushwood.arrays import Array, Flags, Floats, Integers
from hushwood.tables.frames.storage import dense_codes


@dataclass(frozen=True, slots=True)
class HeldRanks:
    """The ranks of every distinct value in every group: value v of group g is the cell of g · len(values) + v."""

    values: Floats
    keys: Integers
    first: Integers
    count: Integers
    sizes: Integers

    @classmethod
    def of(cls, column: Array, groups: Integers) -> HeldRanks:
        """Sort the known values of a column."""
        known = ~np.isnan(column)
        values, codes = np.unique(column[known], return_inverse=True)
        keys, place = dense_codes(groups[known] * len(values) + codes)
        count = np.bincount(place, minlength=len(keys))
        group = keys // max(len(values), 1)
        before = np.cumsum(count) - count
        sizes = np.bincount(group, count, minlength=int(groups.max(initial=0)) + 1).astype(np.int64)
        return cls(values, keys, before - (np.cumsum(sizes) - sizes)[group], count, sizes)

    def place(self, groups: Integers, values: Floats) -> tuple[Integers, Flags]:
        """The cell of every value of a group, and whether there is one."""
        if len(self.keys) == 0:
            return np.zeros(len(values), np.int64), np.zeros(len(values), bool)
        code = np.minimum(np.searchsorted(self.values, values), len(self.values) - 1)
        wanted = groups * len(self.values) + code
        at = np.minimum(np.searchsorted(self.keys, wanted), len(self.keys) - 1)
        return at, (self.keys[at] == wanted) & (self.values[code] == values)

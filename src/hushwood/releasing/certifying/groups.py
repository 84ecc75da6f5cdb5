"""The groups of records that promises speak of, numbered as they are met: segments, or the table as one group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from hushwood.arrays import Array, Codes, Flags, Integers
from hushwood.releasing.certifying.numbering import Numbering, grown
from hushwood.tables.table import missing_values

# Products of the sizes of trees up to here are numbers without overflow.
_LARGEST = 2**62


class Segments:
    """Numbers for combinations of leaves of all trees, in the order in which they are met; without trees, one."""

    def __init__(self, sizes: Sequence[int]) -> None:
        self.sizes = sizes
        self._numberings: list[Numbering] = []
        self.count = 0

    def of(self, leaves: Sequence[Codes], rows: int) -> Integers:
        """The number of every record's combination; `leaves` are places among the nodes of each tree."""
        ids, words, size, level = np.zeros(rows, np.int64), np.zeros(rows, np.int64), 1, 0
        if not self.sizes:
            self.count = max(self.count, min(rows, 1))
            return ids
        for leaf, nodes in zip(leaves, self.sizes, strict=True):
            if size * nodes > _LARGEST:
                ids, words, size, level = (
                    self._numbered(level, ids, words),
                    np.zeros_like(words),
                    1,
                    level + 1,
                )
            words = words * nodes + leaf
            size *= nodes
        ids = self._numbered(level, ids, words)
        self.count = self._numberings[-1].count
        return ids

    def _numbered(self, level: int, ids: Integers, words: Integers) -> Integers:
        if level == len(self._numberings):
            self._numberings.append(Numbering())
        return self._numberings[level].of(ids, words)


class Groups:
    """The groups of one kind, and those in which a number has no partner to change places with.

    `sizes` are the numbers of nodes of the trees that part the records, `movers` the columns whose numbers change
    places.
    """

    def __init__(self, sizes: Sequence[int], movers: Sequence[str]) -> None:
        self.segments = Segments(sizes)
        self._present = {name: np.zeros(0, np.int64) for name in movers}

    @property
    def count(self) -> int:
        """How many groups there are so far."""
        return self.segments.count

    @property
    def lone(self) -> Flags:
        """Which groups have a column in which a single record has a number."""
        found = np.zeros(self.count, bool)
        for present in self._present.values():
            found |= grown(present, self.count) == 1
        return found

    def of(self, leaves: Sequence[Codes], columns: Mapping[str, Array], rows: int) -> Integers:
        """The group of every record of a batch, given its leaves and columns before."""
        ids = self.segments.of(leaves, rows)
        for name, present in self._present.items():
            there = np.bincount(ids[~missing_values(columns[name])], minlength=self.count)
            self._present[name] = there + grown(present, self.count)
        return ids

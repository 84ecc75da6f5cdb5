"""How many records are still in their leaf, in all trees together and in each, counted batch by batch."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hushwood.arrays import Codes, Integers
from hushwood.releasing.certifying.groups import Segments
from hushwood.releasing.certifying.numbering import grown


class KeptRecords:
    """Records of the same row that reach the same leaves, in trees of these numbers of nodes."""

    def __init__(self, sizes: Sequence[int]) -> None:
        self._kept, self._per_tree = 0, [0] * len(sizes)

    def add(self, left: Sequence[Codes], reached: Sequence[Codes], rows: int) -> None:
        """Count a batch by its leaves before and after."""
        together = np.ones(rows, bool)
        for tree, (first, last) in enumerate(zip(left, reached, strict=True)):
            same = first == last
            self._per_tree[tree] += int(np.count_nonzero(same))
            together &= same
        self._kept += int(np.count_nonzero(together))

    def totals(self) -> tuple[int, tuple[int, ...]]:
        """Records kept in all trees together, and in each."""
        return self._kept, tuple(self._per_tree)


class MatchedRecords:
    """The most pairs of a record before and one after, each used once, that are in the same leaf of all trees."""

    def __init__(self, sizes: Sequence[int]) -> None:
        self._places = [Segments(part) for part in (sizes, *([size] for size in sizes))]
        self._surplus = [np.zeros(0, np.int64) for _ in self._places]
        self._records = 0

    def add(self, left: Sequence[Codes], reached: Sequence[Codes], rows: int) -> None:
        """Count a batch by its leaves before and after."""
        self._records += rows
        for side, leaves in ((1, left), (-1, reached)):
            for i, part in enumerate((leaves, *([leaf] for leaf in leaves))):
                self._surplus[i] = _counted(self._surplus[i], self._places[i].of(part, rows), side)

    def totals(self) -> tuple[int, tuple[int, ...]]:
        """Records matched in all trees together, and in each."""
        # As many are left over before as after.
        matched = [self._records - int(np.abs(surplus).sum()) // 2 for surplus in self._surplus]
        return matched[0], tuple(matched[1:])


def _counted(surplus: Integers, places: Integers, side: int) -> Integers:
    found = side * np.bincount(places, minlength=len(surplus))
    return found + grown(surplus, len(found))

"""How one column is generalised for the tests made so far: a part for every distinct value, one more test at a time.

A recoding never changes, so an expansion that fails is undone by forgetting it. What each part becomes in the release
is decided in `released`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from hushwood.tables.coding import dense_codes
from hushwood.tree_publishing.growth import Split
from hushwood.tree_publishing.intervals import Boundary, Intervals, cut_up
from hushwood.tree_publishing.value_groups import parted


@dataclass(frozen=True, slots=True)
class Recoding:
    """One attribute: how many `records` have each distinct value, the part of each value, and the tests that cut it.

    `intervals` is None for categories, and for numbers until the first test.
    """

    records: NDArray[np.int64]
    part_of_value: NDArray[np.int64]
    tested: bool = False
    boundaries: tuple[Boundary, ...] = ()
    intervals: Intervals | None = None

    @classmethod
    def untested(cls, records: NDArray[np.int64]) -> Recoding:
        """All values in one part."""
        return cls(records, np.zeros(len(records), np.int64))

    def with_test(self, split: Split, anchored: bool) -> Recoding:
        """The recoding that one more test asks for."""
        if split.sides is not None:
            return replace(self, tested=True, part_of_value=parted(self.part_of_value, split.sides))
        boundaries = (*self.boundaries, Boundary(split.below, split.above, split.middle))
        intervals = cut_up(boundaries, self.records, anchored)
        parts = intervals.of_ranks()
        return replace(self, tested=True, boundaries=boundaries, intervals=intervals, part_of_value=parts)

    def refines(self, other: Recoding) -> bool:
        """Whether values in different parts of the other are in different parts here too."""
        width = int(other.part_of_value.max()) + 1
        pairs, _ = dense_codes(self.part_of_value * width + other.part_of_value)
        return len(pairs) == int(self.part_of_value.max()) + 1

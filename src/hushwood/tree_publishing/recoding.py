"""How one column is generalised for the tests made so far: a part for every distinct value, one more test at a time.

A recoding never changes, so a failed expansion is undone by forgetting it. `intervals` cuts up numbers; `released`
decides what each part becomes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from hushwood.arrays import Bytes, Integers
from hushwood.tables.frames.storage import dense_codes
from hushwood.tables.recoding.texts import set_labels
from hushwood.tree_publishing.growth import Split
from hushwood.tree_publishing.intervals import Boundary, Intervals, cut_up


@dataclass(frozen=True, slots=True)
class Recoding:
    """One attribute: how many `records` have each distinct value, the part of each value, and the tests that cut it.

    `intervals` is None for categories, and for numbers until the first test.
    """

    records: Integers
    part_of_value: Integers
    tested: bool = False
    boundaries: tuple[Boundary, ...] = ()
    intervals: Intervals | None = None

    @classmethod
    def untested(cls, records: Integers) -> Recoding:
        """All values in one part."""
        return cls(records, np.zeros(len(records), np.int64))

    def with_test(self, split: Split, anchored: bool) -> Recoding:
        """The recoding after one more test."""
        if split.sides is not None:
            return replace(self, tested=True, part_of_value=parted(self.part_of_value, split.sides))
        boundaries = (*self.boundaries, Boundary(split.below, split.above, split.middle))
        intervals = cut_up(boundaries, self.records, anchored)
        parts = intervals.of_ranks()
        return replace(self, tested=True, boundaries=boundaries, intervals=intervals, part_of_value=parts)

    def refines(self, other: Recoding) -> bool:
        """Whether values in different parts of the other are also in different parts here."""
        width = int(other.part_of_value.max()) + 1
        pairs, _ = dense_codes(self.part_of_value * width + other.part_of_value)
        return len(pairs) == int(self.part_of_value.max()) + 1


def parted(groups: Integers, sides: Bytes) -> Integers:
    """The group of every category after one more test, which sends each to a side; numbered as they first appear.

    >>> parted(np.array([0, 0, 0, 0]), np.array([1, 0, 1, 0])).tolist()
    [0, 1, 0, 1]
    """
    _, first, group = np.unique(groups * 2 + sides, return_index=True, return_inverse=True)
    return np.asarray(np.argsort(np.argsort(first))[group])


def group_labels(groups: Integers, names: Sequence[str]) -> list[str]:
    """The released value of every group; a label that is already some category's name is marked as a group.

    >>> group_labels(np.array([0, 1, 0]), ["a", "b", "c"])
    ['{a, c}', 'b']
    """
    members: list[list[str]] = [[] for _ in range(int(groups.max()) + 1)]
    for group, name in zip(groups.tolist(), names, strict=True):
        members[group].append(name)
    return set_labels(members, names, len(names))

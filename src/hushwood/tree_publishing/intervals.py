"""A column cut into parts for the tests made so far: intervals of numbers, each with the one value that it becomes.

Every node gives a boundary: v1, the largest value on its left, closes an interval, and v2, the smallest on its right,
opens one (errata T1-T5). Works on ranks of the column's distinct values. Categories have a part for every distinct
value, one more test at a time. A recoding never changes, so a failed expansion is undone by forgetting it; `released`
decides what each part becomes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from hushwood.arrays import Bytes, Codes, Flags, Floats, Integers
from hushwood.tables.frames.storage import dense_codes, storable
from hushwood.tables.recoding.texts import set_labels
from hushwood.tables.schema import Attribute
from hushwood.tree_publishing.growth import BinarySplit, midpoint


class Boundary(NamedTuple):
    """The ranks at a cut: largest on the left, smallest on the right, largest of the column up to the midpoint."""

    below: int
    above: int
    middle: int


@dataclass(frozen=True, slots=True)
class ColumnIntervals:
    """Stretches of ranks, first and last included; `opened` starts with a left-type value, `closed` ends with a
    right-type one."""

    first: Integers
    last: Integers
    opened: Flags
    closed: Flags

    def __len__(self) -> int:
        return len(self.first)

    def of_ranks(self) -> Integers:
        """The interval of every rank."""
        return np.repeat(np.arange(len(self)), self.last - self.first + 1)

    def holding(self, ranks: Sequence[int]) -> Integers:
        """The intervals that hold the ranks."""
        return np.searchsorted(self.first, ranks, side="right") - 1


def cut_up(boundaries: Sequence[Boundary], records: Integers, anchored: bool) -> ColumnIntervals:
    """The intervals of a column; `records` counts those of every distinct value.

    In the anchored mode the largest value up to a midpoint closes an interval as v1 does; otherwise the column is
    only cut after it, so that no record crosses a threshold.
    """
    below, above, middle = (np.array(part, np.int64) for part in zip(*boundaries, strict=True))
    closing = np.union1d(below, middle) if anchored else np.unique(below)
    first = np.unique(np.concatenate([[0], below + 1, middle + 1, above]))
    first = first[first < len(records)]
    last = np.append(first[1:] - 1, len(records) - 1)
    opened, closed = np.isin(first, above), np.isin(last, closing)
    return _halved(ColumnIntervals(first, last, opened, closed), records)


def _halved(found: ColumnIntervals, records: Integers) -> ColumnIntervals:
    """Intervals with a boundary at both ends, cut between the values nearest to half of their records (errata T2)."""
    both = found.opened & found.closed & (found.last > found.first)
    first, last = found.first[both], found.last[both]
    up_to = np.cumsum(records)
    before = up_to[first] - records[first]
    whole = up_to[last] - before
    above = np.searchsorted(2 * up_to, whole + 2 * before)  # the first value that brings half of the records
    below = np.maximum(above - 1, first)
    nearer = whole - 2 * (up_to[below] - before) <= 2 * (up_to[above] - before) - whole
    cut = np.minimum(np.where(nearer, below, above), last - 1)
    ends, closed = found.last.copy(), found.closed & ~both
    ends[both] = cut
    firsts = np.append(found.first, cut + 1)
    order = np.argsort(firsts)
    added = np.ones(len(cut), bool)
    return ColumnIntervals(
        firsts[order],
        np.append(ends, last)[order],
        np.append(found.opened, ~added)[order],
        np.append(closed, added)[order],
    )


def anchored_values(found: ColumnIntervals, values: Floats) -> Floats:
    """A value for every interval: its boundary value, or the last if it has none."""
    return values[np.where(found.opened & ~found.closed, found.first, found.last)]


def shifted_values(
    found: ColumnIntervals,
    boundaries: Sequence[Boundary],
    values: Floats,
    records: Integers,
    attribute: Attribute,
) -> Floats:
    """One value for every interval, moved from its boundary by the delta of its component; the mean if it has none.

    Intervals that share a node move by the same delta, so that every midpoint stays (errata T3).
    """
    held = np.add.reduceat(records, found.first)
    means = np.clip(
        np.add.reduceat(values * records, found.first) / held, values[found.first], values[found.last]
    )
    new = storable(means, attribute)
    below, above = (found.holding(ranks) for ranks in list(zip(*boundaries, strict=True))[:2])
    low, high = values[[b.below for b in boundaries]], values[[b.above for b in boundaries]]
    free = np.minimum(low - means[below], means[above] - high)
    component = _components(len(found), below, above)
    for one in np.unique(component[below]).tolist():
        at = component[below] == one
        delta = _kept_midpoints(float(free[at].min()), low[at], high[at], attribute)
        new[below[at]] = storable(low[at] - delta, attribute)
        new[above[at]] = storable(high[at] + delta, attribute)
    return new


def _components(count: int, below: Integers, above: Integers) -> Codes:
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    edges = coo_array((np.ones(len(below)), (below, above)), shape=(count, count))
    return np.asarray(connected_components(edges, directed=False)[1])


def _kept_midpoints(delta: float, low: Floats, high: Floats, attribute: Attribute) -> float:
    """The delta, made shorter until no midpoint moves by a bit; 0 at worst (errata T4)."""
    wanted = [midpoint(*pair) for pair in zip(low.tolist(), high.tolist(), strict=True)]
    for bits in range(52, 0, -1):
        short = _shortened(delta, bits, attribute)
        moved = storable(low - short, attribute), storable(high + short, attribute)
        inside = (moved[0] >= low - delta).all() and (moved[1] <= high + delta).all()
        if inside and wanted == [
            midpoint(*pair) for pair in zip(*map(np.ndarray.tolist, moved), strict=True)
        ]:
            return short
    return 0.0


def _shortened(delta: float, bits: int, attribute: Attribute) -> float:
    """The number with fewer bits, rounded down; on a grid a whole number of steps."""
    unit = 1.0 if attribute.precision is None else 10.0**attribute.precision
    fraction, exponent = np.frexp(delta * unit)
    steps = float(np.ldexp(np.floor(np.ldexp(fraction, bits)), int(exponent) - bits))
    return steps if attribute.precision is None else float(np.floor(steps)) / unit


@dataclass(frozen=True, slots=True)
class Recoding:
    """One attribute: how many `records` have each distinct value, the part of each value, and the tests that cut it.

    `intervals` is None for categories, and for numbers until the first test.
    """

    records: Integers
    part_of_value: Integers
    tested: bool = False
    boundaries: tuple[Boundary, ...] = ()
    intervals: ColumnIntervals | None = None

    @classmethod
    def untested(cls, records: Integers) -> Recoding:
        """All values in one part."""
        return cls(records, np.zeros(len(records), np.int64))

    def with_test(self, split: BinarySplit, anchored: bool) -> Recoding:
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

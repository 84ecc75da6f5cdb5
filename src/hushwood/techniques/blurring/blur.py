"""The blur: a number that few records share becomes a random one among its neighbours in the sorted column.

A technique that hands out original numbers gives away who was in the table: an intruder looks up a number that only
one person has. The blurred number is uniform on the column's grid between the order statistics `width` places below and
above, and never leaves the box of its record's rules. It hides a number among about 2 · width others; that is measured,
not proven.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from hushwood.arrays import Array, Flags, Floats, Integers
from hushwood.random_streams import Rows, Streams
from hushwood.tables.domains import Intervals, as_stored, from_steps, to_steps
from hushwood.tables.table import Table

# A number that this many records share says little about any of them.
COMMON = 5


def common_at(width: int) -> int:
    """How many records must share a number for it to stay: a wider blur hides the counts of more numbers.

    Exact counts of values give away who is in the table: with 2,000 records and 50 as the smallest segment, looking up
    rare pairs of values had an advantage of 0.22; it was 0.08 with a blur of 20 places and 0.03 with 50.
    """
    return max(COMMON, width)


def said_blur(width: int) -> str:
    """What is done, in a sentence."""
    return f"Numbers that fewer than {common_at(width)} records share are blurred."


@dataclass(frozen=True, slots=True)
class SortedColumn:
    """The known values of a column of the table in ascending order: its order statistics."""

    values: Floats

    @classmethod
    def of(cls, column: Floats) -> SortedColumn:
        """Sort a column; missing values have no place in it."""
        return cls(np.sort(column[~np.isnan(column)]))


def blurred(
    values: Floats, inside: Intervals, column: SortedColumn, width: int, u: Floats, place: Floats
) -> tuple[Floats, int]:
    """The values of every record with rare ones blurred, and how many rare numbers had no room to move.

    `inside` is the interval of every record. `u` draws the new value, `place` the place among equal numbers; both are
    uniform on (0, 1). Missing values and numbers that the column does not hold stay, and so does a constant column.

    >>> ages = SortedColumn.of(np.array([20.0, 20, 20, 20, 20, 31, 44]))
    >>> box = Intervals(np.array([18.0, 18.0]), np.array([90.0, 40.0]), precision=0)
    >>> blurred(np.array([20.0, 31.0]), box, ages, 1, np.full(2, 0.99), np.full(2, 0.5))[0].tolist()
    [20.0, 40.0]
    """
    ordered = to_steps(column.values, inside.precision)
    if width == 0 or len(ordered) == 0 or ordered[0] == ordered[-1]:
        return values, 0
    own = to_steps(values, inside.precision)
    first = np.searchsorted(ordered, own)
    count = np.searchsorted(ordered, own, "right") - first  # 0 for missing values, which sort above all
    rare = np.flatnonzero((count > 0) & (count < common_at(width)))
    box = inside.take(rare).fitted_to(column.values)
    middle = first[rare] + np.floor(place[rare] * count[rare]).astype(np.int64)
    room = room_at(ordered, middle, width, box)
    chosen = np.minimum(np.floor(u[rare] * room.points), room.points - 1.0)
    drawn = np.where(room.none, own[rare], (room.first + chosen) * room.step)
    out = values.copy()
    out[rare] = as_stored(from_steps(drawn, inside.precision), box)
    return out, int(room.none.sum())


class Room(NamedTuple):
    """The grid points from `first` · step on that numbers may become; `none` marks numbers without another one."""

    first: Floats
    points: Floats
    step: Floats
    none: Flags


def room_at(ordered: Floats, places: Integers, width: int, box: Intervals) -> Room:
    """The room of the numbers at some places of the sorted column, in boxes that are fitted to the column."""
    low = np.maximum(ordered[np.maximum(places - width, 0)], box.low)
    high = np.minimum(ordered[np.minimum(places + width, len(ordered) - 1)], box.high)
    # One grid for a whole segment: a step that followed the neighbours would say who they are.
    step = box.step
    first = np.ceil(low / step)
    points = np.floor(high / step) - first + 1.0
    none = (points < 1.0) | ((points == 1.0) & (first * step == ordered[places]))
    return Room(first, points, step, none)


@dataclass(frozen=True, slots=True)
class Blur:
    """The blur of some columns: their order statistics, and the interval of every segment.

    `stuck` counts, by column, the rare numbers that had no room to move in the latest draw of all records.
    """

    width: int
    columns: Mapping[str, SortedColumn]
    inside: Mapping[str, Intervals]
    purpose: str
    stuck: dict[str, int] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(
        cls, original: Table, names: Sequence[str], inside: Sequence[Intervals], width: int, purpose: str
    ) -> Blur | None:
        """Sort the named columns, which lie in these intervals; None if the width is 0."""
        if width == 0:
            return None
        columns = {name: SortedColumn.of(original.columns[name]) for name in names}
        return cls(width, columns, dict(zip(names, inside, strict=True)), f"{purpose} blur")

    def drawn(self, name: str, values: Floats, segment_ids: Array, row_ids: Rows, streams: Streams) -> Floats:
        """The values of a column that are handed out, blurred where they are rare."""
        u, place = (streams.uniform(self.purpose, name, draw, row_ids) for draw in range(2))
        inside = self.inside[name].take(segment_ids)
        out, self.stuck[name] = blurred(values, inside, self.columns[name], self.width, u, place)
        return out

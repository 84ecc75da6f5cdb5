"""The blur: a number that few records share becomes a random one among its neighbours in the sorted column.

A technique that hands out original numbers gives away who was in the table: an intruder looks up a number that only
one person has. The blur moves such a number's rank by at most `width` places, and reads the new number from a line of
ranks and numbers (`quantile_line`) that no single person bends. So a column keeps its distribution, gaps stay nearly
empty, and the ends say nothing about who has the largest number. It hides a number among about 2 · width others; that
is measured, not proven.
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
from hushwood.techniques.blurring.quantile_line import COMMON, QuantileLine, folded

# The column of a table that says whose row it is, where people have several: they share a number once.
OWNER = "\0owner"


def common_at(width: int) -> int:
    """How many records must share a number for it to stay: a wider blur hides the counts of more numbers.

    Exact counts of values give away who is in the table: with 2,000 records and 50 as the smallest segment, looking up
    rare pairs of values had an advantage of 0.22; it was 0.08 with a blur of 20 places and 0.03 with 50.
    """
    return max(COMMON, width)


def held_once(values: Floats, owners: Array) -> Floats:
    """The values in ascending order, each once for every owner.

    >>> held_once(np.array([7.0, 5.0, 7.0, 7.0]), np.array([1, 1, 1, 2])).tolist()
    [5.0, 7.0, 7.0]
    """
    order = np.lexsort((owners, values))
    values, owners = values[order], owners[order]
    other = (values[1:] != values[:-1]) | (owners[1:] != owners[:-1])
    return np.asarray(values[np.append(True, other)[: len(values)]])


def said_blur(width: int) -> str:
    """What is done, in a sentence."""
    return f"Numbers that fewer than {common_at(width)} records share are blurred."


@dataclass(frozen=True, slots=True)
class SortedColumn:
    """The known values of a column in ascending order, in steps of its precision, and the line through them.

    The line is None where nothing can be blurred: without any numbers, and where all are equal.
    """

    ordered: Floats
    width: int
    line: QuantileLine | None

    @classmethod
    def of(
        cls, column: Floats, precision: int | None, width: int, owners: Array | None = None
    ) -> SortedColumn:
        """Sort a column; missing values have no place in it, and a number of one owner has one in however many rows."""
        known = ~np.isnan(column)
        values = np.sort(column[known]) if owners is None else held_once(column[known], owners[known])
        ordered = to_steps(values, precision)
        varies = width > 0 and len(ordered) > 0 and ordered[0] < ordered[-1]
        return cls(ordered, width, QuantileLine.of(ordered, common_at(width)) if varies else None)


def blurred(
    values: Floats, inside: Intervals, segment_ids: Array, column: SortedColumn, u: Floats, place: Floats
) -> tuple[Floats, int]:
    """The values of every record with rare ones blurred, and how many rare numbers had no room to move.

    `inside` is the interval of every segment. `u` draws the new rank, `place` the place among equal numbers; both are
    uniform on (0, 1). Missing values and numbers that the column does not hold stay, and so does a constant column.

    >>> ages = SortedColumn.of(np.arange(20.0, 60.0), precision=0, width=4)
    >>> boxes = Intervals(np.array([18.0, 18.0]), np.array([90.0, 41.0]), precision=0)
    >>> blurred(np.full(2, 40.0), boxes, np.arange(2), ages, u=np.full(2, 0.75), place=np.full(2, 0.5))
    (array([42., 41.]), 0)
    """
    line, ordered = column.line, column.ordered
    if line is None:
        return values, 0
    own = to_steps(values, inside.precision)
    first = np.searchsorted(ordered, own)
    count = np.searchsorted(ordered, own, "right") - first  # 0 for missing values, which sort above all
    rare = np.flatnonzero((count > 0) & (count < common_at(column.width)))
    middle = first[rare] + np.floor(place[rare] * count[rare]).astype(np.int64)
    room = Room.of(line, middle, column.width, inside.fitted_to(ordered), segment_ids[rare])
    rank = folded(room.centre + column.width * (2 * u[rare] - 1), room.low, room.high)
    own = own[rare]
    drawn = np.where(room.least <= room.most, room.point(line.value_at(rank)) * room.step, own)
    same = np.flatnonzero(drawn == own)
    out = values.copy()
    out[rare] = as_stored(from_steps(drawn, inside.precision), inside.take(segment_ids[rare]))
    return out, int(room.take(same).fixed(line, own[same]).sum())


class Room(NamedTuple):
    """Where numbers may go: ranks within `width` of `centre`, folded between `low` and `high`.

    What stands there on the line is rounded to a whole number of steps, from `least` to `most`.
    """

    low: Floats
    high: Floats
    centre: Floats
    least: Floats
    most: Floats
    step: Floats
    width: int

    @classmethod
    def of(
        cls, line: QuantileLine, places: Integers, width: int, boxes: Intervals, segment_ids: Array
    ) -> Room:
        """The room of the numbers at some places of the sorted column; boxes are fitted to the column."""
        # One grid for a whole segment: a step that followed the neighbours would say who they are.
        step = boxes.step
        least, most = np.ceil(boxes.low / step), np.floor(boxes.high / step)
        begin, end = line.rank_of((least - 0.5) * step), line.rank_of((most + 0.5) * step)
        below, above = line.limits(places)
        low = np.clip(begin[segment_ids], below, above)
        high = np.maximum(np.clip(end[segment_ids], below, above), low)
        centre = np.clip(places.astype(np.float64), low, high)
        return cls(low, high, centre, least[segment_ids], most[segment_ids], step[segment_ids], width)

    def take(self, rows: Integers) -> Room:
        """The room of some of the numbers."""
        low, high, centre, least, most, step = (part[rows] for part in self[:6])
        return Room(low, high, centre, least, most, step, self.width)

    def point(self, number: Floats) -> Floats:
        """The number in steps."""
        return np.clip(np.floor(number / self.step + 0.5), self.least, self.most)

    def fixed(self, line: QuantileLine, own: Floats) -> Flags:
        """Which numbers have no other number to go to."""
        ends = np.maximum(self.centre - self.width, self.low), np.minimum(self.centre + self.width, self.high)
        lowest, highest = (self.point(line.value_at(end)) * self.step for end in ends)
        return np.asarray((self.least > self.most) | ((lowest == own) & (highest == own)))


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
        boxes = dict(zip(names, inside, strict=True))
        columns = {
            name: SortedColumn.of(original.columns[name], box.precision, width, original.columns.get(OWNER))
            for name, box in boxes.items()
        }
        return cls(width, columns, boxes, f"{purpose} blur")

    def drawn(self, name: str, values: Floats, segment_ids: Array, row_ids: Rows, streams: Streams) -> Floats:
        """The values of a column that are handed out, blurred where they are rare."""
        u, place = (streams.uniform(self.purpose, name, draw, row_ids) for draw in range(2))
        out, self.stuck[name] = blurred(values, self.inside[name], segment_ids, self.columns[name], u, place)
        return out

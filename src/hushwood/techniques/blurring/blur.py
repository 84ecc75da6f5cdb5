"""The blur: a number that few records share becomes a random one among its neighbours in the sorted column.

A technique that hands out original numbers gives away who was in the table: an intruder looks up a number that only one
person has. The blur moves such a number's rank by at most `width` places, and reads the new number from a line of ranks
and numbers that no single person bends. So a column keeps its distribution, gaps stay nearly empty, and the ends say
nothing about who has the largest number. It hides a number among about 2 · width others; that is measured, not proven.

The line goes from rank to number, straight between knots. A number that many records share is a knot, since it is
released anyway. Of the others every fifth in the sorted column is one, if it is five places or more from the next knot,
so that it takes five people to bend the line. The ten outermost numbers at either end are a straight piece whose end is
found from the inner five of them and bounded by a mean; the smallest and the largest number have no influence on the
line.
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
# The outermost numbers that enter as one straight piece, which the inner half of them decides: five outvote five.
OUTERMOST = 2 * COMMON
FEWEST_BENDING = (
    15  # numbers between two knots of a line with a long step: as people behind a level of a category
)
GRID = 0.9  # of the numbers are shared by five records where shared ones are a grid
POINT = 1e-9  # ranks no farther apart than this are one
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

    The line is None where nothing can be blurred: without any numbers, and where all are equal. Where nearly all
    numbers are shared, as years and tens are, the shared ones are a `grid` that blurred numbers stay on.
    """

    ordered: Floats
    width: int
    line: QuantileLine | None
    grid: Floats | None = None

    @classmethod
    def of(
        cls,
        column: Floats,
        precision: int | None,
        width: int,
        owners: Array | None = None,
        step: int = COMMON,
    ) -> SortedColumn:
        """Sort a column; missing values have no place in it, and a number of one owner has one in however many rows.

        Every number of `step` bends the line.
        """
        known = ~np.isnan(column)
        values = np.sort(column[known]) if owners is None else held_once(column[known], owners[known])
        ordered = to_steps(values, precision)
        varies = width > 0 and len(ordered) > 0 and ordered[0] < ordered[-1]
        if not varies:
            return cls(ordered, width, None)
        numbers, counts = np.unique(ordered, return_counts=True)
        shared = counts >= COMMON
        on_grid = step > COMMON and counts[shared].sum() >= GRID * len(ordered)
        line = QuantileLine.of(ordered, common_at(width), step)
        return cls(ordered, width, line, numbers[shared] if on_grid else None)


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
    room = BlurRoom.of(line, middle, column.width, inside.fitted_to(ordered), segment_ids[rare])
    rank = folded(room.centre + column.width * (2 * u[rare] - 1), room.low, room.high)
    own = own[rare]
    drawn = np.where(room.least <= room.most, room.point(line.value_at(rank)) * room.step, own)
    if column.grid is not None:
        drawn = _on_grid(column.grid, drawn, room)
    same = np.flatnonzero(drawn == own)
    out = values.copy()
    out[rare] = as_stored(from_steps(drawn, inside.precision), inside.take(segment_ids[rare]))
    return out, int(room.take(same).fixed(line, own[same]).sum())


def _on_grid(grid: Floats, drawn: Floats, room: BlurRoom) -> Floats:
    """The nearest numbers of the grid, where those are inside of the box."""
    at = np.clip(np.searchsorted(grid, drawn), 1, max(len(grid) - 1, 1))
    below, above = grid[at - 1], grid[np.minimum(at, len(grid) - 1)]
    nearest = np.where(drawn - below <= above - drawn, below, above)
    inside = (nearest >= room.least * room.step) & (nearest <= room.most * room.step)
    return np.where(inside, nearest, drawn)


class BlurRoom(NamedTuple):
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
    ) -> BlurRoom:
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

    def take(self, rows: Integers) -> BlurRoom:
        """The room of some of the numbers."""
        low, high, centre, least, most, step = (part[rows] for part in self[:6])
        return BlurRoom(low, high, centre, least, most, step, self.width)

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


@dataclass(frozen=True, slots=True)
class QuantileLine:
    """A line that never falls, through the points (`place`, `value`).

    It begins half a rank below the first number and ends half a rank above the last. `first` and `last` are the ranks
    of every number that is common, ascending.
    """

    place: Floats
    value: Floats
    first: Integers
    last: Integers

    @classmethod
    def of(cls, ordered: Floats, common: int, step: int = COMMON) -> QuantileLine:
        """The line of a sorted column with at least one number; as many records as `common` make a number common.

        A longer `step` than usual is for a column without common numbers: as many knots go to the others, however few
        they are, and the straight pieces at the ends are as long.
        """
        count = len(ordered)
        start = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
        shared = np.diff(np.append(start, count))
        first = start[shared >= common]
        last = first + shared[shared >= common] - 1
        if step > COMMON:
            others = count - int(shared[shared >= common].sum())
            step = max(FEWEST_BENDING, step * others // count)
        outer = min(max(OUTERMOST, step), (count - 1) // 2)
        inner = np.arange(outer, count - 1 - outer - step + 1, step)
        rare = np.unique(np.append(inner, [outer, count - 1 - outer]))
        at = np.searchsorted(last, rare)
        before, after = np.append(-np.inf, last)[at], np.append(first, np.inf)[at]
        apart = max(COMMON, step // 2)
        alone = (rare - before >= apart) & (after - rare >= apart)
        knots = np.unique(np.concatenate([rare[alone], first, last]))
        value = ordered[knots]
        low, high = -_end(-ordered[::-1], outer), _end(ordered, outer)
        return cls(
            np.concatenate([[-0.5], knots, [count - 0.5]]),
            np.concatenate([[min(low, value[0])], value, [max(high, value[-1])]]),
            first,
            last,
        )

    def value_at(self, rank: Floats) -> Floats:
        """The numbers at some ranks, which need not be whole."""
        return np.interp(rank, self.place, self.value)

    def rank_of(self, number: Floats) -> Floats:
        """The lowest rank from which on the line has reached a number; one of its ends for numbers beyond them."""
        at = np.searchsorted(self.value, number)
        right = np.clip(at, 1, len(self.value) - 1)
        below, above = self.value[right - 1], self.value[right]
        with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
            part = np.clip((number - below) / (above - below), 0.0, 1.0)
        inside = self.place[right - 1] + part * (self.place[right] - self.place[right - 1])
        return np.where(at == 0, self.place[0], np.where(at == len(self.value), self.place[-1], inside))

    def limits(self, rank: Integers) -> tuple[Floats, Floats]:
        """Between which ranks a rare number may move: to the next common number on both sides, or to the ends."""
        at = np.searchsorted(self.last, rank)
        return np.append(self.place[0], self.last)[at], np.append(self.first, self.place[-1])[at]


def _end(ordered: Floats, outer: int) -> float:
    """Where the straight piece of the `outer` largest numbers ends.

    It continues the line through the number before them and the mean of their inner half. It ends no higher than the
    mean of their outer half, from which the largest is left out. A piece of more numbers than usual has their mean, but
    for the largest five.
    """
    base, tail = float(ordered[len(ordered) - 1 - outer]), ordered[len(ordered) - outer :]
    if outer > OUTERMOST:
        return min(2 * float(tail[:-COMMON].mean()) - base, float(tail[-COMMON]))
    half = outer // 2
    if half == 0:
        return base
    slope = (float(tail[:half].mean()) - base) / ((half + 1) / 2)
    return min(base + slope * (outer + 0.5), float(tail[half - 1 : -1].mean()))


def folded(rank: Floats, low: Floats, high: Floats) -> Floats:
    """Ranks between two mirrors: those that leave at one end come back from it, as often as needed.

    >>> folded(np.array([1.0, 4.0, -1.0]), np.zeros(3), np.array([3.0, 3.0, 0.0])).tolist()
    [1.0, 2.0, 0.0]
    """
    _, place = _turns(rank - low, high - low)
    return np.clip(low + np.minimum(place, 2 * (high - low) - place), low, high)


def share_below(limit: Floats, centre: Floats, width: float, low: Floats, high: Floats) -> Floats:
    """The chance that a rank, even on centre ± width and folded between `low` and `high`, is below a limit."""
    size, upto = high - low, np.clip(limit, low, high) - low

    def covered(end: Floats) -> Floats:
        turn, place = _turns(end - low, size)
        return 2 * upto * turn + np.minimum(place, upto) + np.maximum(place - (2 * size - upto), 0.0)

    return np.asarray((covered(centre + width) - covered(centre - width)) / (2 * width))


def _turns(rank: Floats, size: Floats) -> tuple[Array, Array]:
    """How often a rank has gone from 0 to `size` and back, and how far it is in the present turn."""
    whole = 2 * size
    turn = np.floor(np.divide(rank, whole, out=np.zeros_like(rank), where=whole > POINT))
    return turn, np.where(whole > POINT, rank - turn * whole, 0.0)

"""The law of a column whose numbers are handed out and then blurred."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from hushwood.arrays import Array, Floats, Integers
from hushwood.random_streams import Rows, Streams
from hushwood.tables.domains import from_steps, to_steps
from hushwood.techniques.blurring.blur import (
    OUTERMOST,
    POINT,
    Blur,
    BlurRoom,
    QuantileLine,
    common_at,
    share_below,
)
from hushwood.techniques.protocol import Columns, Law


@dataclass(frozen=True, slots=True)
class BlurredLaw(Law):
    """The law of one column that hands out the column's own numbers, and the blur after it.

    It has no form of its own: risk measures fit a kernel to the pairs, because every pair would ask the inner law
    about a dozen numbers.
    """

    handed_out: Law
    attribute: str
    blur: Blur

    @property
    def dependent(self) -> bool:
        return self.handed_out.dependent

    def log_prob(self, original: Columns, released: Columns, segment_ids: Array) -> Floats:
        """Log of the sum over the numbers that may have been handed out; probabilities of grid points."""
        new = np.asarray(released[self.attribute], np.float64)
        total = np.full(len(new), -np.inf)
        for rows, source, chance in self._sources(new, segment_ids):
            some = {name: np.asarray(values)[rows] for name, values in original.items()}
            handed = {**some, self.attribute: source}
            found = self.handed_out.log_prob(some, handed, segment_ids[rows])
            total[rows] = np.logaddexp(total[rows], found + np.log(chance))
        return total

    def _sources(self, new: Floats, segment_ids: Array) -> Iterator[tuple[Integers, Floats, Floats]]:
        """Some released numbers, one that each may have been, and the chance that the blur made this one of it."""
        column, width = self.blur.columns[self.attribute], self.blur.width
        inside = self.blur.inside[self.attribute].fitted_to(column.ordered)
        ordered, released = column.ordered, to_steps(new, inside.precision)
        same = np.searchsorted(ordered, released, "right") - np.searchsorted(ordered, released)
        stays = (column.line is None) | np.isnan(new) | (same >= common_at(width))
        yield np.flatnonzero(stays), new[stays], np.ones(int(stays.sum()))
        if column.line is None:
            return
        step = inside.step[segment_ids]
        on_grid = (released == np.rint(released / step) * step) | (same > 0)
        begin, end = (column.line.rank_of(released + half * step) for half in (-0.5, 0.5))
        for rows, place in _places(column.line, begin, end, width, len(ordered)):
            rows, place = rows[on_grid[rows]], place[on_grid[rows]]
            source = ordered[place]
            count = np.searchsorted(ordered, source, "right") - np.searchsorted(ordered, source)
            room = BlurRoom.of(column.line, place, width, inside, segment_ids[rows])
            below = (share_below(at[rows], room.centre, width, room.low, room.high) for at in (begin, end))
            chance = -np.subtract(*below)
            fits = room.point(column.line.value_at(room.low)) * room.step == released[rows]
            chance = np.where(room.high - room.low > POINT, chance, fits)
            chance = np.where(room.fixed(column.line, source), source == released[rows], chance) / count
            likely = (chance > 0) & (count < common_at(width))
            yield rows[likely], from_steps(source[likely], inside.precision), chance[likely]

    def sample(self, original: Columns, segment_ids: Array, row_ids: Rows, streams: Streams) -> Columns:
        """Hand out, then blur."""
        values = self.handed_out.sample(original, segment_ids, row_ids, streams)[self.attribute]
        return {self.attribute: self.blur.drawn(self.attribute, values, segment_ids, row_ids, streams)}

    def described(self) -> dict[str, Any]:
        """How values are handed out, and how far they are blurred."""
        return self.handed_out.described() | {"blur": self.blur.width}


def _places(
    line: QuantileLine, begin: Floats, end: Floats, width: int, count: int
) -> Iterator[tuple[Integers, Integers]]:
    """Rows, and for each the place of a rare number from which the blur may lead between two ranks.

    The line may be as many places off the column as its straight ends are long.
    """
    common = np.zeros(count + 1, np.int64)
    common[line.first] += 1
    common[line.last + 1] -= 1
    rare = np.flatnonzero(np.cumsum(common[:-1]) == 0)
    reach = width + OUTERMOST + 1
    first, last = np.searchsorted(rare, begin - reach), np.searchsorted(rare, end + reach, "right")
    for offset in range(int(np.max(last - first, initial=0))):
        rows = np.flatnonzero(first + offset < last)
        yield rows, rare[first[rows] + offset]

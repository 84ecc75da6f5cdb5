"""The law of a column whose numbers are handed out by another law and then blurred.

A released number may have been any of the 2 · width numbers next to it in the sorted column, or the number itself; the
law sums over them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from hushwood.arrays import Array, Flags, Floats, Integers
from hushwood.random_streams import Rows, Streams
from hushwood.tables.domains import Intervals, from_steps, to_steps
from hushwood.techniques.blurring.blur import Blur, common_at, room_at
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
        for source, log_chance in self._sources(new, self.blur.inside[self.attribute].take(segment_ids)):
            asked = np.flatnonzero(log_chance > -np.inf)
            if len(asked):
                some = {name: np.asarray(values)[asked] for name, values in original.items()}
                handed = {**some, self.attribute: source[asked]}
                found = self.handed_out.log_prob(some, handed, segment_ids[asked])
                total[asked] = np.logaddexp(total[asked], found + log_chance[asked])
        return total

    def _sources(self, new: Floats, inside: Intervals) -> Iterator[tuple[Floats, Floats]]:
        """Numbers that every released one may have been, with the log chance that the blur made this one of each."""
        precision, column = inside.precision, self.blur.columns[self.attribute].values
        ordered, released = to_steps(column, precision), to_steps(new, precision)
        left, right = (np.searchsorted(ordered, released, side) for side in ("left", "right"))
        constant = len(ordered) == 0 or ordered[0] == ordered[-1]
        yield (
            new,
            np.where(constant | np.isnan(new) | (right - left >= common_at(self.blur.width)), 0.0, -np.inf),
        )
        if constant:
            return
        box, width = inside.fitted_to(column), self.blur.width
        for place, there in _places(left, right, width, len(ordered)):
            source = ordered[place]
            count = np.searchsorted(ordered, source, "right") - np.searchsorted(ordered, source)
            room = room_at(ordered, place, width, box)
            at = released / room.step
            hit = (at >= room.first) & (at < room.first + room.points) & (at == np.rint(at))
            chance = np.where(room.none, released == source, hit / np.maximum(room.points, 1.0))
            with np.errstate(divide="ignore"):
                yield (
                    from_steps(source, precision),
                    np.log(np.where(there & (count < common_at(width)), chance / count, 0.0)),
                )

    def sample(self, original: Columns, segment_ids: Array, row_ids: Rows, streams: Streams) -> Columns:
        """Hand out, then blur."""
        values = self.handed_out.sample(original, segment_ids, row_ids, streams)[self.attribute]
        return {self.attribute: self.blur.drawn(self.attribute, values, segment_ids, row_ids, streams)}

    def described(self) -> dict[str, Any]:
        """How values are handed out, and how far they are blurred."""
        return self.handed_out.described() | {"blur": self.blur.width}


def _places(left: Integers, right: Integers, width: int, count: int) -> Iterator[tuple[Integers, Flags]]:
    """The places of the sorted column whose window may hold a number, and whether there is one.

    The number itself is at the places from `left` to `right`, which matter only where they are few.
    """
    for offset in range(-width, 0):
        yield np.clip(left + offset, 0, count - 1), left + offset >= 0
    for offset in range(common_at(width) - 1):
        yield np.clip(left + offset, 0, count - 1), left + offset < np.minimum(right, count)
    for offset in range(width):
        yield np.clip(right + offset, 0, count - 1), right + offset < count

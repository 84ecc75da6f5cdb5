"""The line from which blurred numbers are read: the column's quantiles, without the shape of any five people.

It goes from rank to number, straight between knots. A number that many records share is a knot, since it is released
anyway. Of the others every fifth in the sorted column is one, if it is five places or more from the next knot, so that
it takes five people to bend the line. The ten outermost numbers at either end are a straight piece whose end is found
from the inner five of them and bounded by a mean; the smallest and the largest number have no influence on the line.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hushwood.arrays import Array, Floats, Integers

# A number that this many records share says little about any of them.
COMMON = 5
# The outermost numbers that enter as one straight piece, which the inner half of them decides: five outvote five.
OUTERMOST = 2 * COMMON
POINT = 1e-9  # ranks no farther apart than this are one


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
    def of(cls, ordered: Floats, common: int) -> QuantileLine:
        """The line of a sorted column with at least one number; as many records as `common` make a number common."""
        count = len(ordered)
        start = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
        shared = np.diff(np.append(start, count))
        first = start[shared >= common]
        last = first + shared[shared >= common] - 1
        outer = min(OUTERMOST, (count - 1) // 2)
        inner = np.arange(outer, count - 1 - outer - COMMON + 1, COMMON)
        rare = np.unique(np.append(inner, [outer, count - 1 - outer]))
        at = np.searchsorted(last, rare)
        before, after = np.append(-np.inf, last)[at], np.append(first, np.inf)[at]
        alone = (rare - before >= COMMON) & (after - rare >= COMMON)
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
    mean of their outer half, from which the largest is left out.
    """
    base, tail = float(ordered[len(ordered) - 1 - outer]), ordered[len(ordered) - outer :]
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

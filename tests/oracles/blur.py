"""The blur by the definition: list every grid point that is allowed, and take one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction


def points_between(low: Fraction, high: Fraction, step: Fraction) -> list[Fraction]:
    """All multiples of the step from low to high."""
    first, last = math.ceil(low / step), math.floor(high / step)
    return [i * step for i in range(first, last + 1)]


def allowed(
    value: Fraction, place: float, column: Sequence[Fraction], width: int, box: tuple[Fraction, Fraction]
) -> tuple[Fraction, Fraction]:
    """The ends between which a number may move, by its place in the sorted column."""
    ordered = sorted(column)
    places = [r for r, other in enumerate(ordered) if other == value]
    r = places[int(place * len(places))]
    below, above = ordered[max(r - width, 0)], ordered[min(r + width, len(ordered) - 1)]
    return max(below, box[0]), min(above, box[1])


def blurred(
    value: Fraction | None,
    column: Sequence[Fraction],
    width: int,
    box: tuple[Fraction, Fraction],
    step: Fraction,
    u: float,
    place: float,
    common: int = 5,
) -> tuple[Fraction | None, bool]:
    """The new value, and whether a rare number could not move."""
    if value is None or width == 0 or len(set(column)) == 1:
        return value, False
    if not 0 < sum(other == value for other in column) < common:
        return value, False
    choice = points_between(*allowed(value, place, column, width, box), step)
    if not [point for point in choice if point != value]:
        return value, True
    return choice[int(u * len(choice))], False

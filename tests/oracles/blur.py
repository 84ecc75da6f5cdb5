"""The blur by the definition: exact fractions, one number at a time, the line walked piece by piece."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from itertools import pairwise

Points = list[tuple[Fraction, Fraction]]
HALF = Fraction(1, 2)


def end(ordered: Sequence[Fraction], outer: int) -> Fraction:
    """Where the straight piece of the largest numbers ends."""
    base, tail = ordered[-1 - outer], ordered[len(ordered) - outer :]
    inner = tail[: outer // 2]
    if not inner:
        return base
    mean, rank = sum(inner) / Fraction(len(inner)), Fraction(len(inner) + 1, 2)
    bound = tail[len(inner) - 1 : -1]
    return min(base + (mean - base) / rank * (outer + HALF), sum(bound) / Fraction(len(bound)))


def mean_end(ordered: Sequence[Fraction], outer: int) -> Fraction:
    """The same of a long piece, from the mean of its numbers but the largest five."""
    base, tail = ordered[-1 - outer], ordered[len(ordered) - outer :]
    return min(2 * sum(tail[:-5]) / Fraction(len(tail) - 5) - base, tail[-5])


def line(ordered: Sequence[Fraction], common: int, step: int = 5) -> Points:
    """The knots of the line, by rank."""
    count = len(ordered)
    lumps = [r for r in range(count) if ordered.count(ordered[r]) >= common]
    ends = [r for r in lumps if r - 1 not in lumps or ordered[r - 1] != ordered[r]]
    ends += [r for r in lumps if r + 1 not in lumps or ordered[r + 1] != ordered[r]]
    if step > 5:
        step = max(15, step * (count - len(lumps)) // count)
    outer = min(max(10, step), (count - 1) // 2)
    rare = {outer, count - 1 - outer}
    rank = outer
    while rank + step <= count - 1 - outer:
        rare.add(rank)
        rank += step
    knots = ends + [r for r in rare if all(abs(r - lump) >= max(5, step // 2) for lump in lumps)]
    points = [(Fraction(r), ordered[r]) for r in sorted(set(knots))]
    last = end if outer <= 10 else mean_end
    low = min(-last([-x for x in reversed(ordered)], outer), points[0][1])
    high = max(last(ordered, outer), points[-1][1])
    return [(-HALF, low), *points, (count - HALF, high)]


def value_at(points: Points, rank: Fraction) -> Fraction:
    """The line at a rank."""
    for (a, low), (b, high) in pairwise(points):
        if a <= rank <= b:
            return low + (high - low) * (rank - a) / (b - a)
    raise ValueError(rank)


def rank_of(points: Points, number: Fraction) -> Fraction:
    """The lowest rank at which the line has reached a number."""
    if number <= points[0][1]:
        return points[0][0]
    for (a, low), (b, high) in pairwise(points):
        if low < number <= high:
            return a + (b - a) * (number - low) / (high - low)
    return points[-1][0]


def mirrored(rank: Fraction, low: Fraction, high: Fraction) -> Fraction:
    """A rank between two mirrors."""
    if low >= high:
        return low
    while not low <= rank <= high:
        rank = 2 * low - rank if rank < low else 2 * high - rank
    return rank


def blurred(
    value: Fraction | None,
    column: Sequence[Fraction],
    width: int,
    box: tuple[Fraction, Fraction],
    step: Fraction,
    u: float,
    place: float,
) -> Fraction | None:
    """The number on the line, not yet rounded to the grid; None for numbers that stay."""
    common, ordered = max(5, width), sorted(column)
    if value is None or width == 0 or len(set(column)) == 1 or not 0 < ordered.count(value) < common:
        return None
    points, places = line(ordered, common), [r for r, other in enumerate(ordered) if other == value]
    r = Fraction(places[math.floor(place * len(places))])
    lumps = [i for i, other in enumerate(ordered) if ordered.count(other) >= common]
    below = max([points[0][0], *(Fraction(i) for i in lumps if i < r)])
    above = min([points[-1][0], *(Fraction(i) for i in lumps if i > r)])
    low = min(max(rank_of(points, box[0] - step / 2), below), above)
    high = max(min(max(rank_of(points, box[1] + step / 2), below), above), low)
    centre = min(max(r, low), high)
    found = value_at(points, mirrored(centre + width * (2 * Fraction(u) - 1), low, high))
    return min(max(found, box[0]), box[1])

"""The maps of a numeric column that keep every cut of a tree where it is (algorithms 10), value by value.

Each takes the values of all records, the gaps that the trees cut through, and the decimals of the column
(None: continuous), and gives the released number of every value.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import floor
from typing import Any, NamedTuple


class Gap(NamedTuple):
    """The largest value that a node sends left, and the smallest that it sends right."""

    v1: Any
    v2: Any

    @property
    def midpoint(self) -> Any:
        return (self.v1 + self.v2) / 2


def anchored(values: Sequence[Any], gaps: Sequence[Gap], _places: int | None = None) -> dict[Any, Any]:
    """Every interval becomes one of its own boundary values, which therefore stay where they are."""
    closing = {gap.v1 for gap in gaps} | {max(v for v in values if v <= gap.midpoint) for gap in gaps}
    opening = {gap.v2 for gap in gaps}
    new = {}
    for interval in intervals(values, closing, opening, [gap.midpoint for gap in gaps]):
        if interval[-1] in closing:
            value = interval[-1]
        elif interval[0] in opening:
            value = interval[0]
        else:
            value = interval[-1]
        new.update(dict.fromkeys(interval, value))
    return new


def delta(values: Sequence[Any], gaps: Sequence[Gap], places: int | None = None) -> dict[Any, Any]:
    """The paper's map with one step per connected component of intervals (errata T3)."""
    cut = _paper_intervals(values, gaps)
    of = {value: number for number, interval in enumerate(cut) for value in interval}
    new: dict[Any, Any] = {}
    for interval in cut:
        new.update(dict.fromkeys(interval, _own_value(values, interval, places)))
    for component in _components([(of[gap.v1], of[gap.v2]) for gap in gaps]):
        inside = [gap for gap in gaps if of[gap.v1] in component]
        step = min(
            min(
                Fraction(gap.v1) - _mean(values, cut[of[gap.v1]]),
                _mean(values, cut[of[gap.v2]]) - Fraction(gap.v2),
            )
            for gap in inside
        )
        for gap, (low, high) in zip(inside, _moved(inside, step, places), strict=True):
            new.update(dict.fromkeys(cut[of[gap.v1]], low))
            new.update(dict.fromkeys(cut[of[gap.v2]], high))
    return new


def literal(values: Sequence[Any], gaps: Sequence[Gap], _places: int | None = None) -> dict[Any, Any]:
    """Step 3d as printed: every node computes its own d and overwrites both of its intervals."""
    cut = _paper_intervals(values, gaps)
    of = {value: number for number, interval in enumerate(cut) for value in interval}
    new: dict[Any, Any] = {}
    for interval in cut:
        new.update(dict.fromkeys(interval, _mean(values, interval)))
    for gap in gaps:
        first, second = cut[of[gap.v1]], cut[of[gap.v2]]
        d = min(Fraction(gap.v1) - _mean(values, first), _mean(values, second) - Fraction(gap.v2))
        new.update(dict.fromkeys(first, Fraction(gap.v1) - d))
        new.update(dict.fromkeys(second, Fraction(gap.v2) + d))
    return new


def intervals(
    values: Sequence[Any], closing: set[Any], opening: set[Any], midpoints: Sequence[Any] = ()
) -> list[list[Any]]:
    """The distinct values of the column, cut after each closing value, before each opening one, at midpoints,
    and near half the records where an interval both starts with an opening and ends with a closing value."""
    parts: list[list[Any]] = []
    for value in sorted(set(values)):
        last = parts[-1][-1] if parts else None
        if last is None or last in closing or value in opening or any(last <= m < value for m in midpoints):
            parts.append([])
        parts[-1].append(value)
    return [
        half
        for part in parts
        for half in (_halves(values, part) if part[0] in opening and part[-1] in closing else [part])
    ]


def _paper_intervals(values: Sequence[Any], gaps: Sequence[Gap]) -> list[list[Any]]:
    return intervals(
        values, {gap.v1 for gap in gaps}, {gap.v2 for gap in gaps}, [gap.midpoint for gap in gaps]
    )


def _halves(values: Sequence[Any], part: list[Any]) -> list[list[Any]]:
    """Two parts, cut between distinct values as near as possible to half the records, the first if two are."""
    if len(part) == 1:
        return [part]
    total = sum(1 for value in values if value in part)
    nearest = min(
        range(1, len(part)),
        key=lambda many: (abs(2 * sum(1 for value in values if value in part[:many]) - total), many),
    )
    return [part[:nearest], part[nearest:]]


def _mean(values: Sequence[Any], interval: Sequence[Any]) -> Fraction:
    inside = [Fraction(value) for value in values if value in interval]
    return sum(inside, Fraction(0)) / len(inside)


def _own_value(values: Sequence[Any], interval: list[Any], places: int | None) -> Any:
    """The mean of an interval without a boundary, on the grid of the column."""
    mean = _mean(values, interval)
    return float(mean) if places is None else float(round(mean, places))


def _components(edges: Sequence[tuple[int, int]]) -> list[set[int]]:
    components: list[set[int]] = []
    for edge in edges:
        touched = [c for c in components if c & set(edge)]
        components = [c for c in components if not c & set(edge)] + [set(edge).union(*touched)]
    return components


def _moved(gaps: Sequence[Gap], step: Fraction, places: int | None) -> list[tuple[Any, Any]]:
    """Both sides of every gap moved apart by the longest step that leaves all midpoints as they are, bit for bit."""
    unit = Fraction(1) if places is None else Fraction(1, 10**places)
    whole = Fraction(float(step)) if places is None else Fraction(floor(step / unit))
    steps = [unit * shorter for shorter in _ever_shorter(whole)]
    for d in steps:
        moved = [(float(_exact(g.v1, places) - d), float(_exact(g.v2, places) + d)) for g in gaps]
        if all((low + high) / 2 == gap.midpoint for gap, (low, high) in zip(gaps, moved, strict=True)):
            return moved
    return [(gap.v1, gap.v2) for gap in gaps]


def _ever_shorter(number: Fraction) -> list[Fraction]:
    """A number with 52 bits of its mantissa, with 51, ..., with one."""
    length = number.numerator.bit_length()
    cuts = [max(0, length - kept) for kept in range(52, 0, -1)]
    return [Fraction(number.numerator >> cut << cut, number.denominator) for cut in cuts if number > 0]


def _exact(value: float, places: int | None) -> Fraction:
    return Fraction(value) if places is None else Fraction(round(value * 10**places), 10**places)

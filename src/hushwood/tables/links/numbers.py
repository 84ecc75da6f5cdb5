"""Numbers computed again from released ones: after others, as a sum, or by looking up the nearest known number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from hushwood.arrays import Array, Flags, Floats
from hushwood.random_streams import Rows, Streams
from hushwood.tables.schema import Attribute

_PURPOSE = "links"


@dataclass(frozen=True, slots=True)
class AllowedValues:
    """What the rules of every record's segment allow: the ends of a number's range, or flags [record, category]."""

    ranges: Mapping[str, tuple[Floats, Floats]] = field(default_factory=dict)
    allowed: Mapping[str, Flags] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class StreamRows:
    """Which records these are in random streams; `anywhere` if a released record need not stand for that in its row."""

    streams: Streams
    rows: Rows
    anywhere: bool = False

    def uniform(self, name: str) -> Floats:
        """A number between 0 and 1 for every record, by what it is for."""
        return self.streams.uniform(_PURPOSE, name, 0, self.rows)


def largest(columns: Sequence[Array]) -> Floats:
    """The largest known number of every record."""
    found = np.asarray(columns[0], np.float64)
    for column in columns[1:]:
        found = np.fmax(found, column)
    return found


def placed_after(
    bases: Sequence[Array], distance: Floats, own: Array | None, attribute: Attribute, room: AllowedValues
) -> Floats:
    """A number at its distance after others, folded back into the range that the rules allow, never before them.

    Without any of the others it is its `own`; without a distance it is missing.
    """
    base = largest(bases)
    found = base + distance
    if attribute.name in room.ranges:
        low, high = room.ranges[attribute.name]
    else:
        low, high = np.full(len(base), attribute.low), np.full(len(base), attribute.high)
    found = folded(found, np.fmax(low, base), high)
    found = np.maximum(_on_grid(found, attribute), _raised(base, attribute))
    return found if own is None else np.where(np.isnan(base), own, found)


def folded(values: Floats, low: Floats, high: Floats) -> Floats:
    """Values reflected at the ends of a range as often as needed; the low end where the range is empty.

    >>> folded(np.array([12.0, 5.0, 9.0]), np.array([0.0, 0.0, 9.5]), np.array([10.0, 10.0, 9.0])).tolist()
    [8.0, 5.0, 9.5]
    """
    width = np.maximum(high - low, 0.0)
    turn = np.where(width > 0, 2 * width, 1.0)
    place = np.abs(values - low)
    place = place - np.floor(place / turn) * turn
    inside = (values >= low) & (values <= high)
    return np.where(
        inside | np.isnan(values), values, low + np.where(width > 0, width - np.abs(place - width), 0.0)
    )


def summed(
    parts: Sequence[Array], own: Array | None, attribute: Attribute, *, remains: bool = False
) -> Floats:
    """The sum of the parts, or what remains of the first without the others.

    Where one is missing it is its `own`, and missing where that is.
    """
    return computed(
        parts[0] - np.sum(parts[1:], axis=0) if remains else np.sum(parts, axis=0), own, attribute
    )


def computed(total: Floats, own: Array | None, attribute: Attribute) -> Floats:
    """What follows from others as its column holds it; where it is missing its `own`, and missing where that is."""
    found = _on_grid(total, attribute)
    return found if own is None else np.where(np.isnan(own) | np.isnan(found), own, found)


def divided(of: Floats, by: Floats, power: int, shift: int | Array) -> Floats:
    """A quotient of two numbers; missing where one is, and where the second is 0.

    >>> divided(np.array([72.0, 80.0]), np.array([180.0, 0.0]), 2, 4).round(2).tolist()
    [22.22, nan]
    """
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        found = of / by**power * 10.0**shift
    return np.where(np.isfinite(found), found, np.nan)


def nearest(numbers: Array, known: Floats, values: Array) -> Array:
    """The value of the nearest known number, the lower of two; the last value is that of a missing number."""
    if not len(known):
        return np.asarray(values[np.full(len(numbers), -1)])
    above = np.clip(np.searchsorted(known, numbers), 0, len(known) - 1)
    below = np.maximum(above - 1, 0)
    place = np.where(numbers - known[below] <= known[above] - numbers, below, above)
    return np.asarray(values[np.where(np.isnan(numbers), -1, place)])


def allowance(total: Attribute, values: Floats) -> float:
    """How far a total may be off: half a unit of its last decimal, or a rounding error of the largest value."""
    if total.precision is not None:
        return (0.5 + 1e-6) * 10.0**-total.precision
    known = values[np.isfinite(values)]
    return 1e-9 * float(np.abs(known).max(initial=0.0))


def is_date(attribute: Attribute) -> bool:
    """Whether a column holds points in time, which cannot be added to each other."""
    return attribute.storage == "Date" or attribute.storage.startswith("Datetime")


def _on_grid(values: Floats, attribute: Attribute) -> Floats:
    if attribute.precision is None:
        return values
    step = 10.0**attribute.precision
    return np.rint(values * step) / step


def _raised(values: Floats, attribute: Attribute) -> Floats:
    """The next number of the column's grid that is not below."""
    if attribute.precision is None:
        return values
    step = 10.0**attribute.precision
    nearby = np.rint(values * step)
    return np.where(nearby / step >= values, nearby, nearby + 1.0) / step

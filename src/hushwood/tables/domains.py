"""Intervals that noise must not leave: the grid of a column, sub-domains on it, and the ways back inside.

A column with p decimals lives on whole *steps* of 10⁻ᵖ, where an interval is [low, high] in steps; a continuous
column lives on its own scale, where a sub-domain below a threshold test is (low, high]. Errata B1, B3.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from hushwood.errors import InputError
from hushwood.tables.schema import Attribute

Boundary = Literal["wrap", "reflect", "truncate"]
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Intervals:
    """One interval per segment for one attribute, in steps (grid) or on the attribute's scale (continuous).

    `single` says that continuous values are stored with single precision.
    """

    low: Floats
    high: Floats
    precision: int | None
    single: bool = False

    @property
    def on_grid(self) -> bool:
        """Whether values are whole numbers of steps."""
        return self.precision is not None

    @property
    def width(self) -> Floats:
        """Domain size: the number of values on a grid, the range on reals (errata B3); never negative."""
        return np.maximum(self.high - self.low + (1.0 if self.on_grid else 0.0), 0.0)

    def take(self, segment_ids: NDArray[Any]) -> Intervals:
        """The interval of every record's segment."""
        return replace(self, low=self.low[segment_ids], high=self.high[segment_ids])


def whole_domain(attribute: Attribute) -> Intervals:
    """The attribute's domain as one interval."""
    if attribute.low is None or attribute.high is None:
        raise InputError(f"Column {attribute.name!r} has no domain; give its low and high in the schema.")
    ends = np.array([attribute.low, attribute.high])
    low, high = to_steps(ends, attribute.precision)
    single = attribute.storage == "Float32" and attribute.precision is None
    return Intervals(np.array([low]), np.array([high]), attribute.precision, single)


def to_steps(values: Floats, precision: int | None) -> Floats:
    """Values in steps of the grid; continuous values stay as they are."""
    return values if precision is None else np.rint(values * 10.0**precision)


def from_steps(steps: Floats, precision: int | None) -> Floats:
    """The values that so many steps stand for: the float nearest to the decimal number."""
    return steps if precision is None else steps / 10.0**precision


def first_above(threshold: Floats, precision: int | None) -> Floats:
    """Lower end of the values above a threshold: the next grid point, or the (open) threshold itself."""
    return threshold if precision is None else last_below(threshold, precision) + 1.0


def last_below(threshold: Floats, precision: int | None) -> Floats:
    """Upper end of the values up to a threshold, as trees compare them: a midpoint may be one bit off the grid."""
    if precision is None:
        return threshold
    nearest = to_steps(threshold, precision)
    return np.where(from_steps(nearest, precision) <= threshold, nearest, nearest - 1.0)


def wrap(moved: Floats, inside: Intervals) -> Floats:
    """Leave on one side, come back on the other, as often as needed.

    >>> grid = Intervals(np.array([1.0]), np.array([10.0]), 0)
    >>> wrap(np.array([11.0, 0.0, 25.0]), grid).tolist()
    [1.0, 10.0, 5.0]
    """
    width = np.where(inside.width > 0, inside.width, 1.0)
    back = inside.low + _turned(moved - inside.low, width)
    if inside.on_grid:
        return back
    # A sub-domain is open at its lower end, so the point 0 of the circle is the upper end.
    return np.where(back <= inside.low, inside.high, np.minimum(back, inside.high))


def _turned(distance: Floats, width: Floats) -> Floats:
    """Distance modulo width, in [0, width): what numpy's `mod` gives, in half the time."""
    turned = distance - np.floor(distance / width) * width
    if np.any((turned < 0) | (turned >= width)):
        turned = np.where(turned < 0, turned + width, turned)
        turned = np.where(turned >= width, 0.0, turned)
    return turned


def reflect(moved: Floats, inside: Intervals) -> Floats:
    """Bounce off the ends, as often as needed.

    >>> grid = Intervals(np.array([1.0]), np.array([10.0]), 0)
    >>> reflect(np.array([11.0, 12.0, 0.0]), grid).tolist()
    [10.0, 9.0, 1.0]
    """
    width = np.where(inside.width > 0, inside.width, 1.0)
    folded = _turned(moved - inside.low, 2 * width)
    if inside.on_grid:
        return np.asarray(inside.low + np.where(folded < width, folded, 2 * width - 1 - folded))
    back = inside.low + np.where(folded <= width, folded, 2 * width - folded)
    return np.where(back <= inside.low, np.nextafter(inside.low, np.inf), np.minimum(back, inside.high))


def as_stored(values: Floats, inside: Intervals) -> Floats:
    """The values as their storage keeps them: single precision must not round them out of (low, high]."""
    if not inside.single:
        return values
    stored = values.astype(np.float32)
    stored = np.where(stored <= inside.low, np.nextafter(stored, np.float32(np.inf)), stored)
    stored = np.where(stored > inside.high, np.nextafter(stored, np.float32(-np.inf)), stored)
    return stored.astype(np.float64)

"""Intervals that noise must not leave, and the grid on which every released number lies.

A column with p decimals lies on whole steps of 10⁻ᵖ. A continuous column is released on a grid of its own: in every
interval the step is a power of two, fine enough for the data to keep their shape and coarse enough for each point to be
drawn from every original value with the law's own probability. Otherwise the low-order bits of a sum would reveal the
original value. Errata B1, B3.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from hushwood.arrays import Array, Floats, Floats32
from hushwood.errors import InputError
from hushwood.random_streams import Streams
from hushwood.tables.schema import Attribute

Boundary = Literal["wrap", "reflect", "truncate"]

# A continuous interval has 2³⁰ to 2³¹ grid points. A random word has 53 bits, so millions of words lead to each point
# near the middle of the noise, and hundreds to one four standard deviations out. Twenty bits would do for bell-shaped
# columns; the other ten are for columns whose largest value is a thousand times the usual ones.
GRID_BITS = 30
# Noise scaled by the spread of the data has at least 2²⁰ points per standard deviation.
SPREAD_BITS = 20


@dataclass(frozen=True, slots=True)
class Intervals:
    """One interval [low, high] per segment for one attribute: in steps of 10⁻ᵖ, or in its own unit if continuous.

    For a continuous attribute `low` and `high` are the smallest and largest float that the rules allow; `single` says
    that values are stored in single precision, and `coarsest` is the largest step allowed for its grid.
    """

    low: Floats
    high: Floats
    precision: int | None
    single: bool = False
    coarsest: float = np.inf

    @property
    def decimal(self) -> bool:
        """Whether the column has a fixed number of decimals; otherwise its grid is binary."""
        return self.precision is not None

    @property
    def width(self) -> Floats:
        """Domain size: the number of values with decimals, the range on reals (errata B3); never negative."""
        return np.maximum(self.high - self.low + (1.0 if self.decimal else 0.0), 0.0)

    @property
    def step(self) -> Floats:
        """The distance between neighbouring grid points."""
        if self.decimal:
            return np.ones_like(self.low)
        # At least the spacing of floats at the far end: the float farthest from zero is then a grid point, so every
        # interval holds one.
        spacing = _float_spacing(self.low, self.high, self.single)
        return np.maximum(np.minimum(_power(self.high - self.low, GRID_BITS), self.coarsest), spacing)

    @property
    def first(self) -> Floats:
        """The lowest grid point."""
        return self.low if self.decimal else np.ceil(self.low / self.step) * self.step

    @property
    def last(self) -> Floats:
        """The highest grid point."""
        return self.high if self.decimal else np.floor(self.high / self.step) * self.step

    @property
    def points(self) -> Floats:
        """The number of grid points; at least one, even where no record can be."""
        return np.maximum((self.last - self.first) / self.step + 1.0, 1.0)

    def fitted_to(self, values: Floats) -> Intervals:
        """The same intervals, their grids fine relative to the spread of the values, however wide the domain is."""
        known = values[~np.isnan(values)]
        spread = float(known.std()) if len(known) and not self.decimal else 0.0
        return replace(self, coarsest=float(_power(np.array(spread), SPREAD_BITS))) if spread > 0 else self

    def take(self, segment_ids: Array) -> Intervals:
        """The interval of every record's segment."""
        return replace(self, low=self.low[segment_ids], high=self.high[segment_ids])


def _power(size: Floats, bits: int) -> Floats:
    """The power of two that fits into a size at least 2ᵇⁱᵗˢ times but less than twice that; 0 for size 0."""
    return np.where(size > 0, np.ldexp(1.0, np.frexp(size)[1] - 1 - bits), 0.0)


def _float_spacing(low: Floats, high: Floats, single: bool) -> Floats:
    """The spacing of floats at the end that is farther from zero."""
    ends: tuple[Array, ...] = low, high
    if single:
        ends = _single_from(low, np.inf), _single_from(high, -np.inf)
    return np.spacing(np.maximum(*map(np.abs, ends))).astype(np.float64)


def _single_from(values: Floats, towards: float) -> Floats32:
    """Each value rounded to a single in the given direction."""
    nearest = values.astype(np.float32)
    beyond = nearest > values if towards < 0 else nearest < values
    return np.where(beyond, np.nextafter(nearest, np.float32(towards)), nearest)


def whole_domain(attribute: Attribute) -> Intervals:
    """The attribute's domain as one interval."""
    if attribute.low is None or attribute.high is None:
        raise InputError(f"Column {attribute.name!r} has no domain. Give its low and high in the schema.")
    ends = np.array([attribute.low, attribute.high])
    low, high = to_steps(ends, attribute.precision)
    single = attribute.storage == "Float32" and attribute.precision is None
    return Intervals(np.array([low]), np.array([high]), attribute.precision, single)


def to_steps(values: Floats, precision: int | None) -> Floats:
    """Values in steps of the decimal grid; continuous values unchanged."""
    return values if precision is None else np.rint(values * 10.0**precision)


def from_steps(steps: Floats, precision: int | None) -> Floats:
    """The values of steps of the decimal grid: the floats nearest to the decimal numbers."""
    return steps if precision is None else steps / 10.0**precision


def first_above(threshold: Floats, precision: int | None) -> Floats:
    """The lowest value above a threshold: the next step of the decimal grid, or the next float."""
    return np.nextafter(threshold, np.inf) if precision is None else last_below(threshold, precision) + 1.0


def last_below(threshold: Floats, precision: int | None) -> Floats:
    """The highest value up to a threshold, compared as trees do: a midpoint may be one bit off the grid."""
    if precision is None:
        return threshold
    nearest = to_steps(threshold, precision)
    return np.where(from_steps(nearest, precision) <= threshold, nearest, nearest - 1.0)


def wrap(place: Floats, points: Floats) -> Floats:
    """Positions on a circle of grid points: those that leave at one end come back at the other.

    >>> wrap(np.array([10.0, -1.0, 24.0]), np.array([10.0])).tolist()
    [0.0, 9.0, 4.0]
    """
    # The same as numpy's `mod` in half the time; exact except for the division, for whole numbers below 2⁵³.
    turned = place - np.floor(place / points) * points
    if np.any((turned < 0) | (turned >= points)):
        turned = np.where(turned < 0, turned + points, turned)
        turned = np.where(turned >= points, 0.0, turned)
    return turned


def reflect(place: Floats, points: Floats) -> Floats:
    """Positions between two mirrors half a step beyond the ends: they bounce off as often as needed.

    >>> reflect(np.array([10.0, 11.0, -1.0]), np.array([10.0])).tolist()
    [9.0, 8.0, 0.0]
    """
    folded = wrap(place, 2 * points)
    return np.asarray(np.where(folded < points, folded, 2 * points - 1 - folded))


def as_stored(values: Floats, inside: Intervals) -> Floats:
    """The values as stored: single precision must not round them out of [low, high]."""
    if not inside.single:
        return values
    stored = values.astype(np.float32)
    stored = np.where(stored < inside.low, np.nextafter(stored, np.float32(np.inf)), stored)
    stored = np.where(stored > inside.high, np.nextafter(stored, np.float32(-np.inf)), stored)
    return stored.astype(np.float64)


def evenly_drawn(attribute: Attribute, count: int, streams: Streams, purpose: str) -> Array:
    """Values drawn uniformly from the domain: what anyone can make up who knows only the schema.

    They are in the column's own coding, and all missing if the domain is empty or unknown.

    >>> wine = Attribute("wine", "categorical", categories=("red", "white"))
    >>> sorted(set(evenly_drawn(wine, 50, Streams(bytes(32)), "example").tolist()))
    [0, 1]
    """
    u = streams.uniform(purpose, attribute.name, 0, range(count))
    if attribute.kind == "categorical":
        values = len(attribute.categories)
        return np.floor(u * values).astype(np.int32) if values else np.full(count, -1, np.int32)
    if attribute.low is None or attribute.high is None:
        return np.full(count, np.nan)
    domain = whole_domain(attribute)
    return from_steps(domain.first + np.floor(u * domain.points) * domain.step, domain.precision)

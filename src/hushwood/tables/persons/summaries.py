"""What the rows of a unit have in common: means and extremes of numbers, the most frequent category, counts."""

from __future__ import annotations

import numpy as np

from hushwood.arrays import Array, Codes, Floats, Integers
from hushwood.tables.persons.units import Units


def mean_of(column: Array, units: Units) -> Floats:
    """The mean of the known numbers of every unit; missing if it has none.

    >>> mean_of(np.array([1.0, 5.0, np.nan, np.nan]), Units(np.array([0, 0, 0, 1]), np.array([0, 3]))).tolist()
    [3.0, nan]
    """
    known = ~np.isnan(column)
    counts = np.bincount(units.of_row[known], minlength=units.count)
    # Sums of differences from the first known number do not lose the small digits of large numbers.
    origin = float(column[known][0]) if known.any() else 0.0
    sums = np.bincount(units.of_row[known], column[known] - origin, minlength=units.count)
    means: Floats = np.divide(sums, counts, out=np.full(units.count, np.nan), where=counts > 0)
    return np.asarray(means + origin)


def smallest_of(column: Array, units: Units) -> Floats:
    """The smallest known number of every unit."""
    order = np.argsort(units.of_row, kind="stable")
    starts = np.concatenate([[0], np.cumsum(units.rows)[:-1]])
    return np.asarray(np.fmin.reduceat(np.asarray(column, np.float64)[order], starts))


def largest_of(column: Array, units: Units) -> Floats:
    """The largest known number of every unit."""
    return -smallest_of(-np.asarray(column, np.float64), units)


def most_frequent(codes: Array, units: Units) -> Codes:
    """The most frequent known code of every unit, the first of several; -1 if none is known.

    >>> most_frequent(np.array([2, 1, 1, -1, 0]), Units(np.array([0, 0, 0, 0, 1]), np.array([0, 4]))).tolist()
    [1, 0]
    """
    unit, code, counts = _counted(codes, units)
    order = np.lexsort((code, -counts, unit))
    unit, first = np.unique(unit[order], return_index=True)
    found = np.full(units.count, -1, np.int32)
    found[unit] = code[order][first]
    return found


def different(codes: Array, units: Units) -> Floats:
    """How many different known codes every unit has."""
    return np.bincount(_counted(codes, units)[0], minlength=units.count).astype(np.float64)


def holders(codes: Array, units: Units, categories: int) -> Integers:
    """How many units have each category, in whatever many rows.

    >>> holders(np.array([1, 1, 1, 0, -1]), Units(np.array([0, 0, 0, 1, 1]), np.array([0, 3])), 3).tolist()
    [1, 1, 0]
    """
    return np.bincount(_counted(codes, units)[1], minlength=categories)


def _counted(codes: Array, units: Units) -> tuple[Integers, Integers, Integers]:
    """The units and known codes that occur together, and how often."""
    known, width = codes >= 0, int(codes.max(initial=0)) + 1
    pairs, counts = np.unique(units.of_row[known] * width + codes[known], return_counts=True)
    return pairs // width, pairs % width, counts

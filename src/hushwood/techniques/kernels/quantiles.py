"""Quantile functions of every cell's values and their inverses, by interpolation between knots; compiled by numba.

The knots of cell c are `knots[offset[c] : offset[c + 1]]`, ascending; the i-th of m lies at position i / (m - 1).
"""

from __future__ import annotations

import numpy as np

from hushwood.kernels.compiling import compiled


@compiled
def values_at(position, cell, knots, offset):
    """The value at every record's position of its cell's distribution."""
    out = np.empty(len(position))
    for i in range(len(position)):
        first, count = offset[cell[i]], offset[cell[i] + 1] - offset[cell[i]]
        place = position[i] * (count - 1)
        below = min(int(place), max(count - 2, 0))
        low = knots[first + below]
        high = knots[first + min(below + 1, count - 1)]
        out[i] = low + (place - below) * (high - low)
    return out


@compiled
def positions_of(values, cell, knots, offset):
    """Share of the cell's distribution below every value, and up to it: equal where no mass sits on the value."""
    below, upto = np.empty(len(values)), np.empty(len(values))
    for i in range(len(values)):
        mine = knots[offset[cell[i]] : offset[cell[i] + 1]]
        less, equal = np.searchsorted(mine, values[i]), np.searchsorted(mine, values[i], side="right")
        below[i] = _share(mine, values[i], less)
        upto[i] = max(_share(mine, values[i], equal), below[i])
    return below, upto


@compiled
def _share(knots, value, count):
    """The position of a value with this many knots at or below it."""
    last = len(knots) - 1
    if count == 0:
        return 0.0
    if count > last:
        return 1.0
    gap = knots[count] - knots[count - 1]
    part = (value - knots[count - 1]) / gap if gap > 0.0 else 0.0
    return (count - 1 + part) / last

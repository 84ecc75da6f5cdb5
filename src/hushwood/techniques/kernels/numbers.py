"""The loops behind laws of numbers, compiled by numba: moments, quantile functions, joint normal and wrapped draws.

For quantiles the knots of cell c are `knots[offset[c] : offset[c + 1]]`, ascending; the i-th of m lies at position i /
(m - 1). Wrapped noise is what `NoiseLaw.sample` says in numpy, word for word; a tenth of the time, because no
intermediate array is made.
"""

from __future__ import annotations

import math

import numpy as np

from hushwood.kernels.compiling import compiled, compiled_with
from hushwood.kernels.keyed_numbers import LARGEST_BELOW_ONE, quantile

# A pivot below this share of its variance is rounding error: the column is a combination of those before it.
SINGULAR = 1e-10
# What a number above its origin counts as at least, in steps: the middle of the half step that zero stands for.
LEAST = 0.25


@compiled
def cell_moments(values, cell, cells):
    """Mean [cell, column] and covariance [cell, column, column] (divisor n - 1) of the rows of every cell.

    All is counted from the cell's first row, so that a column of equal numbers has exactly their mean and no variance.
    """
    rows, width = values.shape
    count = np.zeros(cells)
    first, mean = np.zeros((cells, width)), np.zeros((cells, width))
    for i in range(rows):
        c = cell[i]
        if count[c] == 0:
            first[c] = values[i]
        count[c] += 1
        for j in range(width):
            mean[c, j] += values[i, j] - first[c, j]
    for c in range(cells):
        for j in range(width):
            mean[c, j] /= max(count[c], 1.0)
    covariance = np.zeros((cells, width, width))
    away = np.empty(width)
    for i in range(rows):
        c = cell[i]
        for j in range(width):
            away[j] = values[i, j] - first[c, j] - mean[c, j]
        for j in range(width):
            for m in range(j + 1):
                covariance[c, j, m] += away[j] * away[m]
    for c in range(cells):
        for j in range(width):
            for m in range(j + 1):
                covariance[c, j, m] /= max(count[c] - 1.0, 1.0)
                covariance[c, m, j] = covariance[c, j, m]
    return first + mean, covariance


@compiled
def column_spreads(values):
    """The standard deviation of the values that are there, for every column; 1 if there is none to speak of."""
    rows, width = values.shape
    first, count = np.full(width, np.nan), np.zeros(width)
    mean, square = np.zeros(width), np.zeros(width)
    for again in range(2):
        for i in range(rows):
            for j in range(width):
                value = values[i, j]
                if math.isnan(value):
                    continue
                if math.isnan(first[j]):
                    first[j] = value
                if again:
                    square[j] += (value - first[j] - mean[j]) ** 2
                else:
                    mean[j] += value - first[j]
                    count[j] += 1
        if not again:
            mean /= np.maximum(count, 1.0)
    spread = np.sqrt(square / np.maximum(count, 1.0))
    return np.where(spread > 0.0, spread, 1.0)


@compiled
def triangular_roots(covariance):
    """Lower triangular roots of positive semidefinite matrices; dependent columns get a zero pivot."""
    cells, width, _ = covariance.shape
    root = np.zeros_like(covariance)
    for c in range(cells):
        for j in range(width):
            rest = covariance[c, j, j]
            for m in range(j):
                rest -= root[c, j, m] ** 2
            if rest <= SINGULAR * covariance[c, j, j] or rest <= 0.0:
                continue
            root[c, j, j] = math.sqrt(rest)
            for i in range(j + 1, width):
                product = covariance[c, i, j]
                for m in range(j):
                    product -= root[c, i, m] * root[c, j, m]
                root[c, i, j] = product / root[c, j, j]
    return root


@compiled
def cell_products(values, matrices, cell):
    """The matrix of every row's cell times the row, without a copy of the matrix for every row."""
    rows, width = len(values), matrices.shape[1]
    out = np.zeros((rows, width))
    for i in range(rows):
        for j in range(width):
            total = 0.0
            for m in range(values.shape[1]):
                total += matrices[cell[i], j, m] * values[i, m]
            out[i, j] = total
    return out


@compiled_with(inline="always")
def _below(z):
    """The normal distribution function."""
    return 0.5 * math.erfc(-z * 0.7071067811865476)


@compiled_with(inline="always")
def _between(low, high, u):
    """The deviate at position u of the standard normal law given that it lies between low and high."""
    # Above zero the distribution function is too close to 1 to distinguish numbers, so use the lower tail.
    mirrored = low > 0.0
    if mirrored:
        low, high = -high, -low
        u = 1.0 - u
    first, last = _below(low), _below(high)
    p = first + u * (last - first)
    z = high if p < 1e-300 else quantile(min(p, 1.0 - 2.0**-53))
    z = min(max(z, low), high)
    return -z if mirrored else z


@compiled_with(inline="always")
def _on_scale(number, origin):
    """The number itself, or its logarithm above -origin if there is an origin."""
    if math.isnan(origin):
        return number
    return math.log(number + origin) if number + origin > 0.0 else -math.inf


@compiled_with(inline="always")
def _seen(number, origin, step):
    """What later columns see of a number: zero stands for half a step, not for a logarithm of -inf."""
    if math.isnan(origin):
        return number
    return math.log(max(number + origin, LEAST * step))


@compiled
def draw_column_by_column(mean, cell, root, known, low, high, step, origin, u, out):
    """Column after column given those drawn before, each inside its interval and rounded to its grid.

    `mean` and `out` are [row, column], bounds and step [cell, column], `root` [cell, column, column]. A column with an
    `origin` (NaN: none) has means and root of logarithms above -origin.
    """
    rows, width = mean.shape
    z = np.empty(width)
    for i in range(rows):
        c = cell[i]
        for j in range(width):
            if not known[c, j]:
                out[i, j] = np.nan
                z[j] = 0.0
                continue
            middle, moved = mean[i, j], False
            for m in range(j):
                middle += root[c, j, m] * z[m]
                moved = moved or root[c, j, m] != 0.0
            spread = root[c, j, j]
            if spread <= 0.0 and not moved and math.isnan(origin[j]):
                out[i, j] = middle  # a constant without noise stays as it is
                z[j] = 0.0
                continue
            half = 0.5 * step[c, j]
            value = middle
            if spread > 0.0:
                first = (_on_scale(low[c, j] - half, origin[j]) - middle) / spread
                last = (_on_scale(high[c, j] + half, origin[j]) - middle) / spread
                value = middle + spread * _between(first, last, u[i, j])
            if not math.isnan(origin[j]):
                value = math.exp(value) - origin[j]
            value = np.rint(value / step[c, j]) * step[c, j]
            value = min(max(value, low[c, j]), high[c, j])
            z[j] = (_seen(value, origin[j], step[c, j]) - middle) / spread if spread > 0.0 else 0.0
            out[i, j] = value


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


@compiled
def add_wrapped_normal(values, segment_ids, words, moves, first, step, points, scale, unit, out):
    """Values with normal noise; `unit` is 10ᵖ for a column of p decimals and 0 for a continuous one.

    `moves` marks the segments in which values get noise, and the other arrays have an entry for every segment.
    """
    decimal = unit > 0.0
    for row in range(len(values)):
        value, segment = values[row], segment_ids[row]
        if not moves[segment] or np.isnan(value):
            out[row] = value
            continue
        u = (np.float64(np.int64(words[row] >> np.uint64(11))) + 0.5) * 1.1102230246251565e-16
        noise = np.rint(scale[segment] * quantile(min(u, LARGEST_BELOW_ONE)))
        many = points[segment]
        if decimal:
            place = np.rint(value * unit) - first[segment]
        else:
            place = np.rint((value - first[segment]) / step[segment])
            place = min(max(place, 0.0), many - 1.0)
        place += noise
        place -= math.floor(place / many) * many
        if place < 0.0:
            place += many
        if place >= many:
            place = 0.0
        out[row] = (first[segment] + place) / unit if decimal else first[segment] + place * step[segment]

"""Sequential truncated normal draws, row by row: the loops behind joint normal laws, compiled by numba."""

from __future__ import annotations

import math

import numpy as np

from hushwood.kernels.compiling import compiled, compiled_with
from hushwood.kernels.normal_quantile import quantile

# What a number above its origin counts as at least, in steps: the middle of the half step that zero stands for.
LEAST = 0.25


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

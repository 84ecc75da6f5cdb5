"""Small rotations of a few records that keep means and covariances, and random orthonormal columns; compiled by numba.

The columns are orthogonal to given ones, cell by cell, for EGADP and shuffling. Sums of products go through BLAS. Where
columns are far from dependent, one Gram matrix and its Cholesky factor suffice, in blocks of records that stay in the
cache; otherwise columns are made one by one, which is always exact.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from hushwood.kernels.compiling import compiled, compiled_with

# What is smaller than this share of a number is lost when it is added.
_LOST = 2.0**-53
_THIRD = 21  # bits of a word
_ANGLES = 16
# If more than this share of a column's squared length is orthogonal to those before it, one Gram matrix suffices.
WELL_APART = 1e-3
BLOCK = 512  # records: about twenty columns of this length fill half of a second-level cache
# Below this share of a column's length, the part orthogonal to those before it is rounding error.
DEPENDENT = 1e-12


@compiled_with(inline="always")
def _narrowed(first, last, middle, cosine, sine, low, high):
    """The turns between `first` and `last` that keep middle + cosine · cos t + sine · sin t inside its interval.

    At t = 0 the number is inside, and the turns around 0 are kept.
    """
    reach = math.hypot(cosine, sine)
    if reach <= _LOST * abs(middle) or (middle + reach <= high and middle - reach >= low):
        return first, last
    phase = math.atan2(-sine, cosine)
    if middle + reach > high:
        away = math.acos(min(max((high - middle) / reach, -1.0), 1.0))
        if phase >= 0.0:
            first, last = max(first, min(away - phase, 0.0)), min(last, max(2 * math.pi - away - phase, 0.0))
        else:
            first, last = max(first, min(away - 2 * math.pi - phase, 0.0)), min(last, max(-away - phase, 0.0))
    if middle - reach < low:
        away = math.acos(min(max((low - middle) / reach, -1.0), 1.0))
        first, last = max(first, min(-away - phase, 0.0)), min(last, max(away - phase, 0.0))
    return first, last


@compiled_with(inline="always")
def _along(numbers, rows, j, first_axis, second_axis):
    """A column along two axes that are orthogonal to 1: from differences, so that equal numbers give exactly 0."""
    a = b = 0.0
    for i in range(1, len(rows)):
        away = numbers[rows[i], j] - numbers[rows[0], j]
        a += away * first_axis[i]
        b += away * second_axis[i]
    return a, b


@compiled
def _turn(numbers, rows, first_axis, second_axis, low, high, u):
    """Turn the records `rows` in the plane of two axes by a turn at position u of those that stay inside."""
    size, width = len(rows), numbers.shape[1]
    first, last = -math.pi, math.pi
    for j in range(width):
        a, b = _along(numbers, rows, j, first_axis, second_axis)
        for i in range(size):
            cosine = a * first_axis[i] + b * second_axis[i]
            sine = a * second_axis[i] - b * first_axis[i]
            first, last = _narrowed(first, last, numbers[rows[i], j] - cosine, cosine, sine, low[j], high[j])
    angle = first + u * (last - first)
    c, s = math.cos(angle) - 1.0, math.sin(angle)
    for j in range(width):
        a, b = _along(numbers, rows, j, first_axis, second_axis)
        for i in range(size):
            moved = (a * c - b * s) * first_axis[i] + (a * s + b * c) * second_axis[i]
            numbers[rows[i], j] = min(max(numbers[rows[i], j] + moved, low[j]), high[j])


@compiled
def turn_threes(numbers, order, start, low, high, u):
    """One sweep: in every cell, three records after the other in `order` change places in turn and are turned.

    `start` are the limits of the cells in `order`; `low` and `high` are [cell, column]; u is one number per record.
    """
    first_axis = np.array([math.sqrt(0.5), -math.sqrt(0.5), 0.0])
    second_axis = np.array([math.sqrt(1 / 6), math.sqrt(1 / 6), -math.sqrt(2 / 3)])
    width = numbers.shape[1]
    along = np.empty((width, 2))
    for c in range(len(start) - 1):
        for begin in range(start[c], start[c + 1] - 2, 3):
            rows = order[begin : begin + 3]
            places = int(u[rows[1]] * 3.0)
            for j in range(width):
                x, y, z = numbers[rows[0], j], numbers[rows[1], j], numbers[rows[2], j]
                if places == 1:
                    x, y, z = y, z, x
                elif places == 2:
                    x, y, z = z, x, y
                numbers[rows[0], j], numbers[rows[1], j], numbers[rows[2], j] = x, y, z
                # From differences, so that equal numbers give exactly 0.
                along[j, 0] = (y - x) * first_axis[1]
                along[j, 1] = (y - x) * second_axis[1] + (z - x) * second_axis[2]
            first, last = _room_of_three(numbers, rows, along, first_axis, second_axis, low[c], high[c])
            angle = first + u[rows[0]] * (last - first)
            cosine, sine = math.cos(angle) - 1.0, math.sin(angle)
            for j in range(width):
                a, b = along[j, 0], along[j, 1]
                forth, aside = a * cosine - b * sine, a * sine + b * cosine
                for i in range(3):
                    moved = numbers[rows[i], j] + forth * first_axis[i] + aside * second_axis[i]
                    numbers[rows[i], j] = min(max(moved, low[c, j]), high[c, j])


@compiled_with(inline="always")
def _room_of_three(numbers, rows, along, first_axis, second_axis, low, high):
    """The turns of three records around 0 that keep all their numbers inside.

    The three move on one circle around their mean; only where it leaves the interval each is looked at by itself.
    """
    first, last = -math.pi, math.pi
    for j in range(len(along)):
        a, b = along[j, 0], along[j, 1]
        reach = math.sqrt((a * a + b * b) * (2 / 3))
        middle = numbers[rows[0], j] - a * first_axis[0] - b * second_axis[0]
        if middle + reach <= high[j] and middle - reach >= low[j]:
            continue
        for i in range(3):
            c = a * first_axis[i] + b * second_axis[i]
            s = a * second_axis[i] - b * first_axis[i]
            first, last = _narrowed(first, last, numbers[rows[i], j] - c, c, s, low[j], high[j])
    return first, last


@compiled
def rows_outside(numbers, cell, low, high):
    """Which records have a number that is not between the ends [cell, column] of its box."""
    out = np.zeros(len(numbers), np.bool_)
    for i in range(len(numbers)):
        for j in range(numbers.shape[1]):
            out[i] |= not (low[cell[i], j] <= numbers[i, j] <= high[cell[i], j])
    return out


@compiled
def turn_back(numbers, outside, mates, start, low, high, words):
    """Turn records that are outside their box with two mates so that all three are inside, if a try finds a way.

    `mates` are the records sorted by the group that they may be turned in; those of outside[v] are from start[v, 0] to
    start[v, 1], and its box is low[v], high[v]. Every try takes a word for the mates and the first angle.
    """
    rows = np.empty(3, np.int64)
    turned = np.empty((3, numbers.shape[1]))
    for v in range(len(outside)):
        size = start[v, 1] - start[v, 0]
        for t in range(len(words)):
            rows[0] = outside[v]
            for i in range(1, 3):
                rows[i] = mates[start[v, 0] + int(_part(words[t, v], i) * size)]
            if rows[1] == rows[0] or rows[2] == rows[0] or rows[1] == rows[2]:
                continue
            angle = 2 * math.pi * _part(words[t, v], 0)
            if _turned_inside(numbers, rows, angle, low[v], high[v], turned):
                for i in range(3):
                    numbers[rows[i]] = turned[i]
                break


@compiled
def _part(word, i):
    """A number in [0, 1) from the i-th third of a word."""
    bits = (word >> np.uint64(_THIRD * i)) & np.uint64(2**_THIRD - 1)
    return np.int64(bits) * 2.0**-_THIRD


@compiled
def _turned_inside(numbers, rows, angle, low, high, turned):
    """Turn three records by one of several angles that are evenly apart; whether all their numbers come inside."""
    for step in range(_ANGLES):
        cosine = math.cos(angle + step * (2 * math.pi / _ANGLES))
        sine = math.sin(angle + step * (2 * math.pi / _ANGLES)) * math.sqrt(1 / 3)
        inside = True
        for j in range(numbers.shape[1]):
            middle = (numbers[rows[0], j] + numbers[rows[1], j] + numbers[rows[2], j]) / 3.0
            for i in range(3):
                # A turn around the diagonal of the three: part of the way to the next, and aside.
                next_, after = numbers[rows[(i + 1) % 3], j], numbers[rows[(i + 2) % 3], j]
                moved = middle + cosine * (numbers[rows[i], j] - middle) + sine * (after - next_)
                turned[i, j] = moved
                inside &= low[j] <= moved <= high[j]
        if inside:
            return True
    return False


@compiled
def turn_blocks(numbers, given, order, start, low, high, u, normals):
    """One sweep over blocks just large enough for a plane orthogonal to 1 and the given columns."""
    q = given.shape[1]
    size = q + 3
    basis = np.empty((q + 3, size))
    for c in range(len(start) - 1):
        for begin in range(start[c], start[c + 1] - size + 1, size):
            rows = order[begin : begin + size]
            for i in range(size):
                basis[0, i] = 1.0
                for g in range(q):
                    basis[1 + g, i] = given[rows[i], g]
                basis[q + 1, i] = normals[rows[i], 0]
                basis[q + 2, i] = normals[rows[i], 1]
            if _orthonormal(basis):
                _turn(numbers, rows, basis[q + 1], basis[q + 2], low[c], high[c], u[rows[0]])


@compiled
def _orthonormal(basis):
    """Make the rows orthonormal in turn, dependent ones zero; whether the last two are axes."""
    for a in range(len(basis)):
        before = math.sqrt(np.dot(basis[a], basis[a]))
        for _ in range(2):
            for b in range(a):
                basis[a] -= np.dot(basis[a], basis[b]) * basis[b]
        length = math.sqrt(np.dot(basis[a], basis[a]))
        if length <= 1e-9 * before or length == 0.0:
            basis[a] = 0.0
        else:
            basis[a] /= length
    return np.dot(basis[-1], basis[-1]) > 0.5 and np.dot(basis[-2], basis[-2]) > 0.5


@compiled
def _inverse_root(gram):
    """Inverse of the lower Cholesky factor, with 1 for columns of length 0, and the smallest pivot."""
    size = len(gram)
    root = np.zeros((size, size))
    smallest = 1.0
    for j in range(size):
        rest = gram[j, j]
        for m in range(j):
            rest -= root[j, m] ** 2
        if gram[j, j] <= 0.0:
            root[j, j] = 1.0
            continue
        smallest = min(smallest, rest / gram[j, j])
        root[j, j] = math.sqrt(max(rest, 1e-300))
        for i in range(j + 1, size):
            product = gram[i, j]
            for m in range(j):
                product -= root[i, m] * root[j, m]
            root[i, j] = product / root[j, j]
    inverse = np.zeros((size, size))
    for j in range(size):
        inverse[j, j] = 1.0 / root[j, j]
        for i in range(j + 1, size):
            total = 0.0
            for m in range(j, i):
                total -= root[i, m] * inverse[m, j]
            inverse[i, j] = total / root[i, i]
    return inverse, smallest


@compiled
def _middle(block):
    """The mean of every column, counted from the first row, so that equal numbers have exactly their own."""
    rows, width = block.shape
    total = np.zeros(width)
    for i in range(rows):
        for j in range(width):
            total[j] += block[i, j] - block[0, j]
    return block[0] + total / rows


@compiled
def _fill(block, begin, given, given_middle, numbers, middle, normals):
    """Rows of [1, given, numbers, normals] from `begin` on, the first two centred; returns their number."""
    q, k, m = given.shape[1], numbers.shape[1], normals.shape[1]
    rows = min(len(block), len(normals) - begin)
    for i in range(rows):
        block[i, 0] = 1.0
        for j in range(q):
            block[i, 1 + j] = given[begin + i, j] - given_middle[j]
        for j in range(k):
            block[i, 1 + q + j] = numbers[begin + i, j] - middle[j]
        for j in range(m):
            block[i, 1 + q + k + j] = normals[begin + i, j]
    return rows


@compiled
def _drawn_at_once(given, numbers, normals, rho, frame_only, out):
    """The draw of one cell, or only its frame, from one Gram matrix; False if columns are too close for that."""
    q, k = given.shape[1], numbers.shape[1]
    if len(normals) == 0:
        return True
    given_middle, middle = _middle(given), _middle(numbers)
    width = 1 + q + k + normals.shape[1]
    block = np.empty((min(BLOCK, len(normals)), width))
    gram = np.zeros((width, width))
    for begin in range(0, len(normals), BLOCK):
        here = block[: _fill(block, begin, given, given_middle, numbers, middle, normals)]
        gram += np.dot(here.T, here)
    inverse, smallest = _inverse_root(gram)
    if smallest < WELL_APART:
        return False
    weight = np.ascontiguousarray(inverse.T)[:, 1 + q + k :].copy()
    if not frame_only:
        root = np.dot(gram, np.ascontiguousarray(inverse.T))[1 + q : 1 + q + k, 1 + q : 1 + q + k].copy()
        own = inverse.T[:, 1 + q : 1 + q + k].copy()
        fresh = math.sqrt(1.0 - rho * rho) * weight - (1.0 - rho) * own
        weight = np.dot(fresh, np.ascontiguousarray(root.T))
        for j in range(k):
            weight[0, j] += middle[j]
            weight[1 + q + j, j] += 1.0
    for begin in range(0, len(normals), BLOCK):
        rows = _fill(block, begin, given, given_middle, numbers, middle, normals)
        out[begin : begin + rows] = np.dot(block[:rows], weight)
    return True


@compiled
def _add(done, place, values):
    """Write a column orthogonal to 1 and the rows before `place`, of length 1; 0 if nothing of it remains."""
    column = values - values.mean()
    full = math.sqrt(np.dot(column, column))
    before = done[:place]
    # The second time takes out what rounding left of the first, however little of the column was left.
    for _ in range(2):
        column -= column.mean()
        column -= np.dot(before.T, np.dot(before, column))
        length = math.sqrt(np.dot(column, column))
        if length <= DEPENDENT * full:
            column[:] = 0.0
            break
        column /= length
        full = 1.0
    done[place] = column


@compiled
def _drawn_in_turn(given, numbers, normals, rho, frame_only, out):
    """The same, one column after the other: for columns of which some are combinations of others, or nearly so."""
    rows, q, k, m = len(normals), given.shape[1], numbers.shape[1], normals.shape[1]
    done = np.zeros((q + k + m, rows))
    for j in range(q):
        _add(done, j, given[:, j].copy())
    for j in range(k):
        _add(done, q + j, numbers[:, j].copy())
    for j in range(m):
        _add(done, q + k + j, normals[:, j].copy())
    own, fresh = done[q : q + k], done[q + k :]
    if frame_only:
        out[:] = fresh.T
        return
    for j in range(k):
        column = numbers[:, j].copy()
        along = np.dot(own, column - column.mean())
        column -= (1.0 - rho) * np.dot(own.T, along)
        out[:, j] = column + math.sqrt(1.0 - rho * rho) * np.dot(fresh.T, along)


@compiled
def _draws(numbers, given, normals, start, chosen, rho, frame_only, out):
    """The draws of all chosen cells. One function for both uses, because compiling it takes seconds."""
    for c in range(len(start) - 1):
        if not chosen[c]:
            continue
        here = slice(start[c], start[c + 1])
        parts = given[here], numbers[here], normals[here]
        if not _drawn_at_once(*parts, rho, frame_only, out[here]):
            _drawn_in_turn(*parts, rho, frame_only, out[here])


def random_frames(normals: Any, given: Any, start: Any, chosen: Any, out: Any) -> None:
    """In every chosen cell: orthonormal columns made of normal ones, orthogonal to 1 and to the given columns."""
    _draws(np.empty((len(normals), 0)), given, normals, start, chosen, 0.0, True, out)


def exact_draws(
    numbers: Any, given: Any, normals: Any, start: Any, chosen: Any, rho: float, out: Any
) -> None:
    """EGADP in every chosen cell: fitted + rho · residual + sqrt(1 - rho²) · new residual of the same covariance."""
    _draws(numbers, given, normals, start, chosen, rho, False, out)

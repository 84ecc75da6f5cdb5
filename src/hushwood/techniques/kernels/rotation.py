"""Small rotations of a few records at a time that keep means and covariances exactly, compiled by numba."""

from __future__ import annotations

import math

import numpy as np

from hushwood.kernels.compiling import compiled, compiled_with

# What is smaller than this share of a number is lost when it is added.
_LOST = 2.0**-53
_THIRD = 21  # bits of a word
_ANGLES = 16


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

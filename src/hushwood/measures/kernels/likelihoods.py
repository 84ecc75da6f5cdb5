"""The loops that add up what attributes say about pairs of a target and a released record, compiled by numba.

All numbers are logarithms to base two in single precision. Released rows lie in *tiles*: runs of at most TILE rows of
one block and one label. `layout` fills the arrays, `posteriors` calls this. Arrays are few and wide, because every
array argument costs time.
"""

from __future__ import annotations

import math
from collections import namedtuple

import numpy as np

from hushwood.kernels.compiling import compiled_with
from hushwood.measures.kernels.exponent import smaller
from hushwood.measures.posterior import likelihoods

TILE = 1024
IMPOSSIBLE = np.float32(likelihoods.IMPOSSIBLE)
DEAD = np.float32(likelihoods.IMPOSSIBLE / 10)
MISSING_AT = np.float32(likelihoods.MISSING_AT)
_FAR = np.float32(likelihoods.MISSING_AT / 2)
_HALF = np.float32(0.5)
_NOTHING = np.float32(1e-37)

NORMAL, NOISE, REDRAW, PERMUTED = 0, 1, 2, 3
# Columns of `Forms.shape`: the form; where a redraw's entries begin, and its kinds; a permutation's first and last key.
FORM, ENTRIES, KINDS = 0, 1, 2
FIRST_KEY, LAST_KEY = 1, 2
# Columns of `Forms.own`: a normal kernel's place, gap, present and weight; else the code, and the number or kind.
AT, GAP, PRESENT, WEIGHT = 0, 1, 2, 3
CODE, NUMBER, KIND = 0, 1, 1
# Columns of `Forms.box`: the fields of `likelihoods.NoiseBox`; a redraw's class, or a permutation's segment · width,
# is in the first.
LOW, HIGH, ORIGIN, STRETCH, PERIOD, OFFSET, LAST, CONSTANT, MIRROR, REST, REST_STRETCH = range(11)
CLASS, SEGMENT = 0, 0
# Columns of `Forms.entries`: of a redraw in a class of blocks for a kind of target.
ROW, STAY, SHIFT = 0, 1, 2

Forms = namedtuple("Forms", "shape own box entries table keys")

compiled = compiled_with(fastmath=True, error_model="numpy")
# For what is called for every pair of a target and a tile: handing over the arrays would cost more than the work.
inlined = compiled_with(fastmath=True, error_model="numpy", forceinline=True)


@inlined
def settle(j, t, block, shape, own, box, entries, table, keys, par):
    """What column j says of target t against a whole block: False if nothing in it can be the target's record.

    Otherwise `par[j]` holds what `add_column` needs for every row of the block.
    """
    form = shape[j, FORM]
    if form == NORMAL:
        for i in range(4):
            par[j, i] = own[t, j, i]
        return True
    if form == NOISE:
        return _settle_noise(j, t, block, own, box, table, par)
    if form == REDRAW:
        entry = shape[j, ENTRIES] + int(box[block, j, CLASS]) * shape[j, KINDS] + int(own[t, j, KIND])
        par[j, 0], par[j, 1] = own[t, j, CODE], entries[entry, ROW]
        par[j, 2], par[j, 3] = entries[entry, STAY], entries[entry, SHIFT]
        return entries[entry, ROW] >= 0.0
    return _holds(
        keys, shape[j, FIRST_KEY], shape[j, LAST_KEY], int(box[block, j, SEGMENT] + own[t, j, CODE])
    )


@inlined
def _settle_noise(j, t, block, own, box, table, par):
    """Into `par`: place, period, last node, constant, offset of the table, place of the mirror image (or 0)."""
    code, number = own[t, j, CODE], own[t, j, NUMBER]
    offset, mirror, stretch = box[block, j, OFFSET], box[block, j, MIRROR], box[block, j, STRETCH]
    par[j, 1], par[j, 2], par[j, 3] = box[block, j, PERIOD], box[block, j, LAST], box[block, j, CONSTANT]
    par[j, 4], par[j, 5] = offset, 0.0
    if code > _FAR:
        first = table[int(offset)]
        par[j, 0], par[j, 3] = MISSING_AT, -first
        if mirror > 0.0:
            par[j, 3], par[j, 5] = -math.log2(first), -MISSING_AT
        return True
    if stretch == 0.0:
        par[j, 0] = code
        return True
    if number < box[block, j, LOW] or number > box[block, j, HIGH]:
        return False
    inside = number - box[block, j, ORIGIN]
    par[j, 0] = inside * stretch
    if mirror > 0.0:
        par[j, 5] = mirror - inside * stretch
    if box[block, j, REST] >= 0.0:
        par[j, 3] += table[int(box[block, j, REST]) + int(inside * box[block, j, REST_STRETCH] + 0.5)]
    return True


@inlined
def _holds(keys, low, last, key):
    """Whether the key is among the sorted ones from `low` to `last`."""
    high = last
    while low < high:
        middle = (low + high) // 2
        if keys[middle] < key:
            low = middle + 1
        else:
            high = middle
    return low < last and keys[low] == key


@compiled
def add_column(out, values, begin, used, j, form, table, par, index, image, found):
    """Add column j's likelihood of every row of a tile, for the target and block that were settled."""
    if form == NORMAL:
        _add_normal(out, values, begin, used, j, par)
    elif form == NOISE:
        _nodes(index, values, begin, used, j, par[j, 0], par[j, 1], par[j, 2])
        if par[j, 5] == 0.0:
            _add_nodes(out, index, used, table, par[j, 4], par[j, 3])
        else:
            _nodes(image, values, begin, used, j, par[j, 5], par[j, 1], par[j, 2])
            _add_mirrored(out, index, image, used, table, par[j, 4], par[j, 3])
    elif form == REDRAW:
        _add_redraw(out, values, begin, used, j, table, par, index, found)


@compiled
def _add_normal(out, values, begin, used, j, par):
    first = np.uint64(begin)
    at, gap = np.float32(par[j, AT]), np.float32(par[j, GAP])
    present, weight = np.float32(par[j, PRESENT]), np.float32(par[j, WEIGHT])
    for i in range(used):
        value = values[j, first + np.uint64(i)]
        z = value - at
        out[i] += gap if value > _FAR else present - weight * (z * z)


@compiled
def _nodes(index, values, begin, used, j, place, period, last):
    """The node of the noise table for every row: the distance around the circle, or the last one if that is far."""
    first = np.uint64(begin)
    at, circle, most = np.float32(place), np.float32(period), np.float32(last)
    for i in range(used):
        d = abs(values[j, first + np.uint64(i)] - at)
        d = smaller(d, abs(circle - d))
        index[i] = np.int32(smaller(d + _HALF, most))


@compiled
def _add_nodes(out, index, used, table, offset, constant):
    first, more = np.uint64(offset), np.float32(constant)
    for i in range(used):
        out[i] += table[first + np.uint64(index[i])] + more


@compiled
def _add_mirrored(out, index, image, used, table, offset, constant):
    """Noise that is reflected at the ends comes straight or from the mirror image."""
    first, more = np.uint64(offset), np.float32(constant)
    for i in range(used):
        p = table[first + np.uint64(index[i])] + table[first + np.uint64(image[i])]
        out[i] += np.float32(math.log2(p)) + more if p > _NOTHING else IMPOSSIBLE


@compiled
def _add_redraw(out, values, begin, used, j, table, par, index, found):
    """Three loops, because looking up and choosing in one becomes a branch that no processor predicts."""
    first, row = np.uint64(begin), np.uint64(par[j, 1])
    code, stay, shift = np.float32(par[j, 0]), np.float32(par[j, 2]), np.float32(par[j, 3])
    for i in range(used):
        index[i] = np.int32(values[j, first + np.uint64(i)])
    for i in range(used):
        found[i] = table[row + np.uint64(index[i])]
    for i in range(used):
        out[i] += stay if values[j, first + np.uint64(i)] == code else found[i] + shift


@compiled
def less_three_squares(out, numbers, values, begin, used, columns, k, at, t):
    """Numbers less the squared distances of three columns; `out` is another array than `numbers`."""
    first = np.uint64(begin)
    a, b, c = columns[k], columns[k + 1], columns[k + 2]
    x, y, z = at[t, k], at[t, k + 1], at[t, k + 2]
    for i in range(used):
        row = first + np.uint64(i)
        d, e, f = values[a, row] - x, values[b, row] - y, values[c, row] - z
        out[i] = numbers[i] - (d * d + e * e + f * f)


@compiled
def subtract_three_squares(out, values, begin, used, columns, k, at, t):
    """The same in place: one function for both could not be vectorised, for the arrays might overlap."""
    first = np.uint64(begin)
    a, b, c = columns[k], columns[k + 1], columns[k + 2]
    x, y, z = at[t, k], at[t, k + 1], at[t, k + 2]
    for i in range(used):
        row = first + np.uint64(i)
        d, e, f = values[a, row] - x, values[b, row] - y, values[c, row] - z
        out[i] -= d * d + e * e + f * f


@compiled
def add_three_matches(out, values, begin, used, columns, order, b, k, match, t):
    """Add, for three columns of codes, one number where the row has the target's code and another where not.

    `match[t, p]` is the code, what a hit adds and what a miss adds.
    """
    first = np.uint64(begin)
    p, q, r = order[b, k], order[b, k + 1], order[b, k + 2]
    one, two, three = columns[p], columns[q], columns[r]
    x, y, z = match[t, p, 0], match[t, q, 0], match[t, r, 0]
    hit_x, hit_y, hit_z = match[t, p, 1], match[t, q, 1], match[t, r, 1]
    miss_x, miss_y, miss_z = match[t, p, 2], match[t, q, 2], match[t, r, 2]
    for i in range(used):
        row = first + np.uint64(i)
        d = hit_x if values[one, row] == x else miss_x
        e = hit_y if values[two, row] == y else miss_y
        f = hit_z if values[three, row] == z else miss_z
        out[i] += d + e + f

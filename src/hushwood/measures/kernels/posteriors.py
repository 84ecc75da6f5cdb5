"""The loops over all pairs of a target and a released record that end in entropies, compiled by numba.

A target's posterior is 2^l over its sum, l from `likelihoods`; its entropy is log2 Z - (1/Z) sum of w·l for
w = 2^(l - largest). Masses are added up per label of the tiles. `posterior.posteriors` prepares the arguments.
"""

from __future__ import annotations

import math
from collections import namedtuple

import numpy as np

from hushwood.kernels.compiling import compiled_with
from hushwood.measures.kernels.exponent import LEAST_EXPONENT, larger, power_of_two
from hushwood.measures.kernels.likelihoods import (
    DEAD,
    FORM,
    IMPOSSIBLE,
    TILE,
    add_column,
    add_three_matches,
    compiled,
    inlined,
    less_three_squares,
    settle,
    subtract_three_squares,
)

# Pairs that are 2^-44 times as likely as the likeliest change no entropy of fewer than 2^30 records.
_NEGLIGIBLE = np.float32(44.0)
# Plain numbers among the arguments are types of their own for numba, which would compile the functions once more.
_START, _NOBODY = np.int64(0), np.int64(-1)

Tiles = namedtuple("Tiles", "begin used block label")
Plain = namedtuple("Plain", "base squares at matches match order varying rest")


@compiled
def _largest(logs, begin, used):
    found, first = IMPOSSIBLE * np.float32(100.0), np.uint64(begin)
    for i in range(used):
        found = larger(found, logs[first + np.uint64(i)])
    return found


@compiled
def _sums(logs, begin, used, top):
    """Sum of w = 2^(l - top), and of w·(l - top)."""
    total, weighted, first = np.float32(0.0), np.float32(0.0), np.uint64(begin)
    for i in range(used):
        d = larger(logs[first + np.uint64(i)] - top, LEAST_EXPONENT)
        w = power_of_two(d)
        total += w
        weighted += w * d
    return total, weighted


@inlined
def _fixed(b, t, begin, values, matches, match, order, varying):
    """What the columns of codes say that are constant in a tile."""
    fixed = np.float32(0.0)
    for k in range(varying[b], order.shape[1]):
        p = order[b, k]
        same = values[matches[p], begin] == match[t, p, 0]
        fixed += match[t, p, 1] if same else match[t, p, 2]
    return fixed


@inlined
def _same_codes(b, t, other, match, order, varying):
    """Whether two targets agree in all columns of codes that vary in a tile."""
    for k in range(varying[b]):
        if match[t, order[b, k], 0] != match[other, order[b, k], 0]:
            return False
    return True


@compiled
def _copy(out, numbers, begin, used):
    first = np.uint64(begin)
    for i in range(used):
        out[i] = numbers[first + np.uint64(i)]


@inlined
def _possible(rest, t, block, shape, own, box, entries, table, keys, par):
    for k in range(len(rest)):
        if not settle(rest[k], t, block, shape, own, box, entries, table, keys, par):
            return False
    return True


@inlined
def _lift(q, t, peak, top, total, weighted, mass):
    """Count sums from now on relative to a new largest logarithm."""
    down = max(float(top[q]) - float(peak), -1000.0)
    factor = 2.0**down
    weighted[q] = factor * (weighted[q] + down * total[q])
    total[q] *= factor
    for i in range(mass.shape[1]):
        mass[t, i] *= factor
    top[q] = peak


@inlined
def _with_codes(out, base, values, begin, used, b, t, matches, match, order, varying):
    """The rows' own numbers and what the columns of codes add that vary in a tile."""
    _copy(out, base, begin, used)
    for k in range(0, varying[b], 3):
        add_three_matches(out, values, begin, used, matches, order, b, k, match, t)


@inlined
def _less_squares(out, numbers, values, begin, used, squares, at, t):
    """Numbers less the squared distances of all columns with a normal kernel."""
    if len(squares):
        less_three_squares(out, numbers, values, begin, used, squares, 0, at, t)
    else:
        _copy(out, numbers, _START, used)
    for k in range(3, len(squares), 3):
        subtract_three_squares(out, values, begin, used, squares, k, at, t)


@compiled_with(fastmath=False, error_model="numpy")
def _divide(shares, total):
    """Divide by the total, always by this product; `fastmath` might choose. `shares /= total` compiles slowly."""
    inverse = 1.0 / total
    for i in range(len(shares)):
        shares[i] *= inverse


@compiled
def _finish(who, first, total, weighted, bits, mass):
    """Entropies from the sums of some targets, and masses as shares."""
    for q in range(len(total)):
        t = who[first + q]
        bits[t] = math.log2(total[q]) - weighted[q] / total[q] if total[q] > 0.0 else -1.0
        _divide(mass[t], max(total[q], 1e-300))


@compiled
def entropies(who, first, last, tiles, values, plain, forms, bits, mass):
    """Entropy (-1 if all is impossible) of targets who[first] to who[last - 1], and their mass of every label.

    What codes say is computed again only if a target's codes differ from those of the one before.
    """
    count = last - first
    top, total, weighted = np.full(count, DEAD), np.zeros(count), np.zeros(count)
    par = np.zeros((len(values), 6))
    out, by_codes, found = np.empty(TILE, np.float32), np.empty(TILE, np.float32), np.empty(TILE, np.float32)
    index, image = np.empty(TILE, np.int32), np.empty(TILE, np.int32)
    base, squares, at, matches, match, order, varying, rest = plain
    shape, own, box, entries, table, keys = forms
    for b in range(len(tiles.begin)):
        begin, used, block, label = tiles.begin[b], tiles.used[b], tiles.block[b], tiles.label[b]
        before = _NOBODY
        for q in range(count):
            t = who[first + q]
            if not _possible(rest, t, block, shape, own, box, entries, table, keys, par):
                continue
            fixed = _fixed(b, t, begin, values, matches, match, order, varying)
            if fixed < DEAD:
                continue
            if before < 0 or not _same_codes(b, t, before, match, order, varying):
                before = t
                _with_codes(by_codes, base, values, begin, used, b, t, matches, match, order, varying)
            _less_squares(out, by_codes, values, begin, used, squares, at, t)
            for k in range(len(rest)):
                j = rest[k]
                add_column(out, values, begin, used, j, shape[j, FORM], table, par, index, image, found)
            peak = _largest(out, _START, used) + fixed
            if peak < top[q] - _NEGLIGIBLE:
                continue
            if peak > top[q]:
                _lift(q, t, peak, top, total, weighted, mass)
            z, s = _sums(out, _START, used, top[q] - fixed)
            total[q] += z
            weighted[q] += s
            mass[t, label] += z
    _finish(who, first, total, weighted, bits, mass)


@compiled
def _entropy(logs, tiles, mass, t, j):
    """Entropy of one target from the logarithms of all rows, and mass[t, j]; -1 if all is impossible."""
    top = DEAD
    for b in range(len(tiles.begin)):
        top = max(top, _largest(logs, tiles.begin[b], tiles.used[b]))
    if top <= DEAD:
        return -1.0
    total, weighted = 0.0, 0.0
    for b in range(len(tiles.begin)):
        z, s = _sums(logs, tiles.begin[b], tiles.used[b], top)
        total += z
        weighted += s
        mass[t, j, tiles.label[b]] += z
    _divide(mass[t, j], total)
    return math.log2(total) - weighted / total


@compiled
def _column_alone(one, tiles, values, j, t, forms, par, index, image, found):
    """The logarithms of one column's likelihoods for all rows."""
    shape, own, box, entries, table, keys = forms
    out = np.empty(TILE, np.float32)
    possible, last = False, -1
    for b in range(len(tiles.begin)):
        begin, used, block = tiles.begin[b], tiles.used[b], tiles.block[b]
        if block != last:
            possible, last = settle(j, t, block, shape, own, box, entries, table, keys, par), block
        out[:] = np.float32(0.0) if possible else IMPOSSIBLE
        if possible:
            add_column(out, values, begin, used, j, shape[j, FORM], table, par, index, image, found)
        to = np.uint64(begin)
        for i in range(used):
            one[to + np.uint64(i)] = out[i]


@compiled
def entropies_by_known(first, last, tiles, values, forms, order, alone, alone_mass, with_more, more_mass):
    """Entropies when one attribute is known, and when the first of the target's own order are known.

    `alone[t, j]` is that of attribute j, `with_more[t, k]` that of the k + 1 attributes order[t, 0] to order[t, k].
    """
    columns, rows = order.shape[1], values.shape[1]
    par = np.zeros((columns, 6))
    index, image, found = np.empty(TILE, np.int32), np.empty(TILE, np.int32), np.empty(TILE, np.float32)
    one, together = np.empty(rows, np.float32), np.empty(rows, np.float32)
    for t in range(first, last):
        together[:] = np.float32(0.0)
        for k in range(columns):
            j = order[t, k]
            _column_alone(one, tiles, values, j, t, forms, par, index, image, found)
            alone[t, j] = _entropy(one, tiles, alone_mass, t, j)
            for i in range(rows):
                together[i] += one[i]
            with_more[t, k] = _entropy(together, tiles, more_mass, t, k)


@compiled
def likeliest(first, last, tiles, values, forms, own, wanted, labels, nearly, found):
    """The likeliest rows of targets first to last - 1 when all attributes are known.

    `found[t]` becomes the probability of one of them, how many there are, how many of them are at `own[t]`, and how
    many have the label wanted[t]. Rows whose logarithms differ by less than `nearly` are equally likely. If all is
    impossible, all rows are.
    """
    columns, rows = len(values) - 1, values.shape[1]
    par = np.zeros((columns, 6))
    index, image, column = np.empty(TILE, np.int32), np.empty(TILE, np.int32), np.empty(TILE, np.float32)
    one, together = np.empty(rows, np.float32), np.empty(rows, np.float32)
    for t in range(first, last):
        together[:] = np.float32(0.0)
        for j in range(columns):
            _column_alone(one, tiles, values, j, t, forms, par, index, image, column)
            for i in range(rows):
                together[i] += one[i]
        top = _largest(together, _START, rows)
        if top <= DEAD:
            together[:], top = np.float32(0.0), np.float32(0.0)
        total, _ = _sums(together, _START, rows, top)
        found[t, 0] = 1.0 / total
        for i in range(rows):
            if together[i] >= top - nearly:
                found[t, 1] += 1.0
                found[t, 2] += i == own[t]
                found[t, 3] += labels[i] == wanted[t]

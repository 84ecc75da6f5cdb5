"""Ranks and scores inside cells, and the walk of rank swapping with its chances; compiled by numba.

In the walk a binary indexed tree holds the ranks that are still free, so the m-th is found in log n steps, however wide
the window is. For the chances the free ranks in the window are a Markov chain. Up to EXACT_WINDOW ranks its states are
gone through one by one, and the chances are exact. A wider window is taken as if every free rank in it were taken
independently: rank t, free when it enters the window, is still free at rank i with probability exp(log_free[i] -
log_free[t - window]).
"""

from __future__ import annotations

import math
from math import cosh, exp, inf, log

import numpy as np

from hushwood.kernels.compiling import compiled

EXACT_WINDOW = 8
# With an odd number of ranks one is left over, near the end: if m free ranks are expected ahead, none is there with
# probability 1 / cosh(1.3 m). The form is that of a Poisson number known to be even, the factor is fitted.
_LEFT_OVER = 1.3
_MOST_TAKEN = 1 - 1e-12  # a rank is never quite certain to be taken, or the logarithm would be infinite


@compiled
def mean_ranks(values, order, start):
    """Rank (from 1 on) of every record in its cell, the mean one for ties.

    `order` are the records sorted by cell and inside a cell by value, `values` their values in that order.
    """
    out = np.empty(len(values))
    for c in range(len(start) - 1):
        begin = start[c]
        while begin < start[c + 1]:
            end = begin + 1
            while end < start[c + 1] and values[end] == values[begin]:
                end += 1
            for i in range(begin, end):
                out[order[i]] = (begin + end + 1) / 2.0 - start[c]
            begin = end
    return out


@compiled
def counted_values(values, start):
    """The distinct values of every cell of a column that is sorted by cell and value.

    For each: the value, its cell, its share of the cell, and the cell's number plus the share up to it.
    """
    count = 0
    for c in range(len(start) - 1):
        for i in range(start[c], start[c + 1]):
            count += i == start[c] or values[i] != values[i - 1]
    distinct, cell = np.empty(count), np.empty(count, np.int64)
    share, upto = np.empty(count), np.empty(count)
    at = 0
    for c in range(len(start) - 1):
        size = start[c + 1] - start[c]
        begin = start[c]
        for i in range(start[c], start[c + 1]):
            if i + 1 == start[c + 1] or values[i + 1] != values[i]:
                distinct[at], cell[at] = values[i], c
                share[at], upto[at] = (i + 1 - begin) / size, c + (i + 1 - start[c]) / size
                begin = i + 1
                at += 1
    return distinct, cell, share, upto


@compiled
def score_columns(frame, roots, fitted, cell):
    """The triangular root of every record's cell times its row of the frame, plus `fitted` if any, as columns."""
    rows, width = frame.shape
    out = np.empty((width, rows))
    for i in range(rows):
        root = roots[cell[i]]
        for j in range(width):
            total = fitted[i, j] if len(fitted) else 0.0
            for m in range(j + 1):
                total += root[j, m] * frame[i, m]
            out[j, i] = total
    return out


@compiled
def unit_columns(columns, start):
    """Columns sorted by cell and value, less their mean in the cell and of length 1 there; 0 where they do not vary."""
    out = np.zeros(columns.shape)
    for j in range(len(columns)):
        for c in range(len(start) - 1):
            if start[c] == start[c + 1] or columns[j, start[c]] == columns[j, start[c + 1] - 1]:
                continue
            first, last = columns[j, start[c]], columns[j, start[c + 1] - 1]
            total = 0.0
            for i in range(start[c], start[c + 1]):
                out[j, i] = (columns[j, i] - first) / (last - first)
                total += out[j, i]
            middle = total / (start[c + 1] - start[c])
            squares = 0.0
            for i in range(start[c], start[c + 1]):
                out[j, i] -= middle
                squares += out[j, i] ** 2
            length = math.sqrt(squares)
            for i in range(start[c], start[c + 1]):
                out[j, i] /= length
    return out


@compiled
def packed(scores, cell, score_bits, row_bits):
    """One whole number for every record that sorts like cell, score and record, and ends in the record."""
    low, high = scores.min(), scores.max()
    scale = (2.0**score_bits - 1.0) / (high - low) if high > low else 0.0
    out = np.empty(len(scores), np.uint64)
    for i in range(len(scores)):
        step = np.uint64((scores[i] - low) * scale)
        out[i] = (((np.uint64(cell[i]) << np.uint64(score_bits)) | step) << np.uint64(row_bits)) | np.uint64(
            i
        )
    return out


@compiled
def deal(values, sorted_packed, row_bits, out):
    """Give the i-th value to the record in which the i-th of the packed numbers ends."""
    rows = (np.uint64(1) << np.uint64(row_bits)) - np.uint64(1)
    for i in range(len(values)):
        out[sorted_packed[i] & rows] = values[i]


@compiled
def column_products(columns, cell, cells):
    """The products [cell, column, column] of columns over the records of every cell."""
    width, rows = columns.shape
    out = np.zeros((cells, width, width))
    row = np.empty(width)
    for i in range(rows):
        for j in range(width):
            row[j] = columns[j, i]
        for j in range(width):
            for m in range(j + 1):
                out[cell[i], j, m] += row[j] * row[m]
    for c in range(cells):
        for j in range(width):
            for m in range(j):
                out[c, m, j] = out[c, j, m]
    return out


@compiled
def value_chances(size, window, from_first, from_end, to_first, to_end):
    """The probability that any rank of [from_first, from_end) gets the value of a rank of [to_first, to_end).

    Questions come sorted by the size of their segment, so that every size is worked out once.
    """
    out = np.empty(len(size))
    exact, log_free, log_weight, stays = _nothing()
    for q in range(len(size)):
        n, w = size[q], window[q]
        if q == 0 or n != size[q - 1]:
            if w <= EXACT_WINDOW:
                exact, stays = _exact(n, w)
            else:
                log_free, log_weight, stays = _independent(n, w)
        a, b, c, d = from_first[q], from_end[q], to_first[q], to_end[q]
        total = stays[max(a, c) : min(b, d)].sum()
        if w <= EXACT_WINDOW:
            total += _exact_taken(exact, w, a, b, c, d) + _exact_taken(exact, w, c, d, a, b)
        else:
            total += _taken(log_free, log_weight, w, a, b, c, d) + _taken(log_free, log_weight, w, c, d, a, b)
        out[q] = total / (b - a)
    return out


@compiled
def _nothing():
    return np.zeros((1, 1)), np.zeros(1), np.zeros(1), np.zeros(1)


@compiled
def _exact(size, window):
    """Chances that rank i takes one of the ranks i + 1 to i + d, [i, d], and that it stays: all states in turn."""
    upto, stays = np.zeros((size, window + 1)), np.zeros(size)
    states = 1 << (window + 1)  # bit d: rank i + d is free
    chance, after = np.zeros(states), np.zeros(states)
    chance[(1 << min(window + 1, size)) - 1] = 1.0
    for i in range(size):
        enters = 1 << window if i + 1 + window < size else 0
        after[:] = 0.0
        for state in range(states):
            if chance[state] == 0:
                continue
            free = 0
            for d in range(1, window + 1):
                free += (state >> d) & 1
            if not state & 1 or free == 0:
                after[state >> 1 | enters] += chance[state]
                stays[i] += chance[state] * (state & 1)
                continue
            each = chance[state] / free
            for d in range(1, window + 1):
                if (state >> d) & 1:
                    upto[i, d] += each
                    after[(state ^ (1 << d)) >> 1 | enters] += each
        chance, after = after, chance
        for d in range(1, window + 1):
            upto[i, d] += upto[i, d - 1]
    return upto, stays


@compiled
def _exact_taken(upto, window, a, b, c, d):
    """Expected number of ranks of [a, b) that take one of [c, d)."""
    total = 0.0
    for i in range(max(a, c - window), min(b, d - 1)):
        total += upto[i, min(d - 1 - i, window)] - upto[i, max(c - 1 - i, 0)]
    return total


@compiled
def _independent(size, window):
    """Logarithms of free[i] and of the sums of 1 / free[t - window] over t < i, and the chances to stay."""
    log_free, log_weight, stays = np.zeros(size + 1), np.full(size + 1, -inf), np.zeros(size)
    ahead = min(window, size) - 1.0  # free ranks expected in the window
    for i in range(size):
        entered = max(i - window, 0)
        log_weight[i + 1] = _log_sum(log_weight[i], -log_free[entered])
        free = exp(log_free[i] - log_free[entered])
        takes = free
        if i + window < size:
            ahead += 1.0
        elif size % 2 == 1:
            takes *= 1 - 1 / cosh(min(_LEFT_OVER * ahead, 700.0))
        share = min(takes / ahead, _MOST_TAKEN) if ahead > 0 and i + 1 < size else 0.0
        stays[i] = max(free - share * ahead, 0.0)
        log_free[i + 1] = log_free[i] + log(1 - share)
        if i + 1 < size:
            ahead = max(ahead * (1 - share) - exp(log_free[i + 1] - log_free[max(i + 1 - window, 0)]), 0.0)
    return log_free, log_weight, stays


@compiled
def _log_sum(x, y):
    top = max(x, y)
    return top if top == -inf else top + log(exp(x - top) + exp(y - top))


@compiled
def _taken(log_free, log_weight, window, a, b, c, d):
    """Expected number of ranks of [a, b) that take one of [c, d), each free rank on its own."""
    total = 0.0
    for i in range(max(a, c - window), min(b, d - 1)):
        first, end = max(c, i + 1), min(d, i + window + 1)
        share = 1 - exp(log_free[i + 1] - log_free[i])
        total += share * (exp(log_free[i] + log_weight[end]) - exp(log_free[i] + log_weight[first]))
    return total


@compiled
def swapped_ranks(start, window, u):
    """The rank that every rank changes places with, itself if none; segment s has ranks start[s] to start[s + 1].

    From the lowest rank on, a free rank i takes the m-th of the c free ranks in (i, i + window], m = floor(u[i] · c).
    """
    partner = np.arange(len(u))
    longest = 0
    for s in range(len(start) - 1):
        longest = max(longest, start[s + 1] - start[s])
    tree = np.empty(longest + 1, np.int32)
    for s in range(len(start) - 1):
        if window[s] > 0:
            begin, end = start[s], start[s + 1]
            _walk(partner[begin:end], u[begin:end], window[s], begin, tree)
    return partner


@compiled
def _walk(partner, u, window, begin, tree):
    """Pair the ranks of one segment; `tree` counts the free ones, `free` those inside the window."""
    size = len(partner)
    for node in range(1, size + 1):
        tree[node] = node & -node
    taken = np.zeros(size, np.bool_)
    free = min(window, size)  # ranks 0 to window - 1, before the walk has reached rank 0
    for i in range(size):
        if i + window < size:
            free += 1
        if taken[i]:
            continue
        free -= 1
        _remove(tree, i, size)
        if free == 0:
            continue
        j = _nth_free(tree, int(u[i] * free), size)
        _remove(tree, j, size)
        free -= 1
        taken[j] = True
        partner[i], partner[j] = begin + j, begin + i


@compiled
def _remove(tree, rank, size):
    node = rank + 1
    while node <= size:
        tree[node] -= 1
        node += node & -node


@compiled
def _nth_free(tree, n, size):
    """The free rank with n free ones before it; all that the walk has passed are no longer free."""
    step = 1
    while 2 * step <= size:
        step *= 2
    node = 0
    while step > 0:
        if node + step <= size and tree[node + step] <= n:
            node += step
            n -= tree[node]
        step //= 2
    return node

"""A binary tree on binned predictors, and the way of records through it, compiled by numba.

Targets are whole numbers, so sums are exact and every processor grows the same tree. A node's records are one stretch
of `rows`; for every predictor they are counted into bins and scanned once.
"""

from __future__ import annotations

import numpy as np

from hushwood.kernels.compiling import compiled

BINS = 256


@compiled
def _best_cut_of_numbers(bins, target, rows, begin, end, least):
    """The predictor and the bin whose cut leaves the least variance, and the gain of that cut."""
    total, size = 0.0, end - begin
    for i in range(begin, end):
        total += target[rows[i]]
    best, at, cut = total * total / size, -1, 0
    parent = best
    sums, counts = np.empty(BINS), np.empty(BINS, np.int64)
    for p in range(bins.shape[0]):
        sums[:] = 0.0
        counts[:] = 0
        for i in range(begin, end):
            row = rows[i]
            sums[bins[p, row]] += target[row]
            counts[bins[p, row]] += 1
        left, here = 0.0, 0
        for b in range(BINS - 1):
            if counts[b] == 0:
                continue
            left += sums[b]
            here += counts[b]
            if here < least:
                continue
            if size - here < least:
                break
            score = left * left / here + (total - left) * (total - left) / (size - here)
            if score > best:
                best, at, cut = score, p, b
    return at, cut, best - parent


@compiled
def _best_cut_of_classes(bins, target, classes, rows, begin, end, least, sorted_rows):
    """The same for classes, by the Gini index; `sorted_rows` is room for the node's records."""
    size = end - begin
    whole = np.zeros(classes, np.int64)
    for i in range(begin, end):
        whole[target[rows[i]]] += 1
    squares = 0
    for c in range(classes):
        squares += whole[c] * whole[c]
    parent = squares / size
    best, at, cut = parent, -1, 0
    first = np.empty(BINS + 1, np.int64)
    left, right = np.empty(classes, np.int64), np.empty(classes, np.int64)
    for p in range(bins.shape[0]):
        first[:] = 0
        for i in range(begin, end):
            first[bins[p, rows[i]] + 1] += 1
        for b in range(BINS):
            first[b + 1] += first[b]
        for i in range(begin, end):
            b = bins[p, rows[i]]
            sorted_rows[first[b]] = rows[i]
            first[b] += 1
        # `first[b]` is now where bin b ends.
        for c in range(classes):
            left[c], right[c] = 0, whole[c]
        of_left, of_right, done = 0, squares, 0
        for b in range(BINS - 1):
            stop = first[b]
            if stop == done:
                continue
            for i in range(done, stop):
                c = target[sorted_rows[i]]
                of_left += 2 * left[c] + 1
                of_right -= 2 * right[c] - 1
                left[c] += 1
                right[c] -= 1
            done = stop
            if done < least:
                continue
            if size - done < least:
                break
            score = of_left / done + of_right / (size - done)
            if score > best:
                best, at, cut = score, p, b
    return at, cut, best - parent


@compiled
def _divide(bins, rows, begin, end, predictor, cut, room):
    """Put the records up to a cut first; return where the others begin."""
    middle, others = begin, 0
    for i in range(begin, end):
        row = rows[i]
        if bins[predictor, row] <= cut:
            rows[middle] = row
            middle += 1
        else:
            room[others] = row
            others += 1
    for i in range(others):
        rows[middle + i] = room[i]
    return middle


@compiled
def grow(bins, target, classes, rows, least, most_leaves):
    """Grow a tree on `rows`, which are put in the order of its leaves; `classes` is 0 for numbers.

    Gives, for every node: the predictor (-1: leaf), the last bin that goes left, the left child (the right one follows
    it), where its records begin and end; and the tree's whole gain. With `most_leaves`, the best cut comes first.
    """
    size = len(rows)
    most = 2 * max(size // least, 1) + 1
    if most_leaves > 0:
        most = min(most, 2 * most_leaves + 1)
    predictor, cut, child = np.full(most, -1, np.int32), np.zeros(most, np.uint8), np.full(most, -1, np.int32)
    begin, end = np.zeros(most, np.int64), np.zeros(most, np.int64)
    wanted, gain = np.full(most, -1, np.int32), np.zeros(most)
    room = np.empty(size, rows.dtype)
    end[0] = size
    count, leaves, total, spread = 1, 1, 0.0, 0.0
    for i in range(size):
        spread += float(target[rows[i]]) * float(target[rows[i]])
    # A gain that rounding alone could make is none.
    least_gain = 1e-12 * spread if classes == 0 else 1e-12 * size
    open_nodes = np.zeros(most, np.int64)
    waiting, new = 0, 0
    while True:
        while new < count:
            if end[new] - begin[new] >= 2 * least:
                if classes == 0:
                    at, where, won = _best_cut_of_numbers(bins, target, rows, begin[new], end[new], least)
                else:
                    at, where, won = _best_cut_of_classes(
                        bins, target, classes, rows, begin[new], end[new], least, room
                    )
                if at >= 0 and won > least_gain:
                    wanted[new], cut[new], gain[new] = at, where, won
                    open_nodes[waiting] = new
                    waiting += 1
            new += 1
        if waiting == 0 or (most_leaves > 0 and leaves == most_leaves):
            break
        pick = waiting - 1
        if most_leaves > 0:
            for i in range(waiting):
                if gain[open_nodes[i]] > gain[open_nodes[pick]]:
                    pick = i
        node = open_nodes[pick]
        waiting -= 1
        open_nodes[pick] = open_nodes[waiting]
        predictor[node] = wanted[node]
        total += gain[node]
        middle = _divide(bins, rows, begin[node], end[node], predictor[node], cut[node], room)
        child[node] = count
        begin[count], end[count] = begin[node], middle
        begin[count + 1], end[count + 1] = middle, end[node]
        count += 2
        leaves += 1
    return predictor[:count], cut[:count], child[:count], begin[:count], end[:count], total


@compiled
def leaves_of(bins, predictor, cut, child, out):
    """The leaf of every column of `bins`."""
    for row in range(len(out)):
        node = 0
        while predictor[node] >= 0:
            node = child[node] + (bins[predictor[node], row] > cut[node])
        out[row] = node

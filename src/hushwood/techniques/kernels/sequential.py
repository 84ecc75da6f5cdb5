"""The loops of the sequential model, compiled by numba: proposal trees, and values handed out to the slots of a group.

Targets of a tree are whole numbers, so sums are exact and every processor grows the same tree. A node's records are one
stretch of `rows`; for every binned predictor they are counted into bins and scanned once. `slots` are sorted by group
and inside a group at random; group g has the places `start[g]` to `start[g + 1]`.
"""

from __future__ import annotations

import numpy as np

from hushwood.kernels.compiling import compiled

BINS = 256
RUN = 16  # this many keys are sorted by insertion, which is faster for a few


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
    # A gain that rounding alone could make does not count.
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


@compiled
def by_rank(slots, start, proposed, own, first, last, out):
    """In every group the slot with the i-th smallest proposal gets the i-th smallest of the group's `own` values.

    `own` lies in the places of the groups, in any order. Equal proposals go by the random order of the slots.
    """
    most = 0
    for g in range(first, last):
        most = max(most, start[g + 1] - start[g])
    keys, places = np.empty((2, most)), np.empty((3, most), np.int64)
    order, own_order, room = places[0], places[1], places[2]
    for g in range(first, last):
        begin, size = start[g], start[g + 1] - start[g]
        for i in range(size):
            keys[0, i], keys[1, i] = proposed[slots[begin + i]], own[begin + i]
        stable_order(keys[0, :size], order, room)
        stable_order(keys[1, :size], own_order, room)
        for i in range(size):
            out[slots[begin + order[i]]] = own[begin + own_order[i]]


@compiled
def take_proposals(slots, start, proposed, cell_start, level, left, first, last, out):
    """Every slot without a value (-1 in `out`) takes its proposal if its group has that value left.

    The cells of group g, `cell_start[g]` to `cell_start[g + 1]`, list its levels in ascending order, and how many are
    `left`. Returns how many slots still have no value.
    """
    waiting = 0
    for g in range(first, last):
        for i in range(start[g], start[g + 1]):
            slot = slots[i]
            if out[slot] >= 0:
                continue
            low, high = cell_start[g], cell_start[g + 1]
            while low < high:
                middle = (low + high) // 2
                if level[middle] < proposed[slot]:
                    low = middle + 1
                else:
                    high = middle
            if low < cell_start[g + 1] and level[low] == proposed[slot] and left[low] > 0:
                left[low] -= 1
                out[slot] = level[low]
            else:
                waiting += 1
    return waiting


@compiled
def take_the_rest(slots, start, cell_start, level, left, first, last, out):
    """Slots that still have no value get what their group has left, in the random order of `slots`."""
    for g in range(first, last):
        cell = cell_start[g]
        for i in range(start[g], start[g + 1]):
            slot = slots[i]
            if out[slot] >= 0:
                continue
            while left[cell] == 0:
                cell += 1
            left[cell] -= 1
            out[slot] = level[cell]


@compiled
def _fit_to_counts(chance, count, rounds):
    """Scale columns to the counts and rows to 1, in turn."""
    size, classes = chance.shape
    for _ in range(rounds):
        for c in range(classes):
            total = 0.0
            for i in range(size):
                total += chance[i, c]
            factor = count[c] / total if total > 0 else 0.0
            for i in range(size):
                chance[i, c] *= factor
        for i in range(size):
            total = 0.0
            for c in range(classes):
                total += chance[i, c]
            if total > 0:
                for c in range(classes):
                    chance[i, c] /= total


@compiled
def _draw_one_class(chance, need, u, order, taken):
    """Systematic sampling: `need` of the places, each with a chance proportional to its weight, at most 1.

    `chance` holds the weights. The places are in random order. They are sorted by weight, so that every draw takes its
    share of all weights. If the limit of 1 leaves the draw short, the largest weights that were not drawn are added.
    """
    size, total = len(chance), 0.0
    for i in range(size):
        total += chance[i]
        taken[i] = False
    factor = need / total if total > 0 else 0.0
    for i in range(size):
        chance[i] = min(chance[i] * factor, 1.0)
    stable_order(chance, order[0], order[1])
    upto, drawn = 0.0, 0
    for k in range(size):
        i = order[0, k]
        upto += chance[i]
        if upto > u + drawn and drawn < need:
            taken[i] = True
            drawn += 1
    for k in range(size - 1, -1, -1):
        i = order[0, k]
        if drawn == need:
            break
        if not taken[i]:
            taken[i] = True
            drawn += 1


@compiled
def _weigh(weight, fitted, free, ranked, k):
    """The share of class ranked[k] in what the free places have left for it and the classes after it."""
    for i in range(len(weight)):
        rest = 0.0
        for other in range(k, len(ranked)):
            rest += fitted[free[i], ranked[other]]
        weight[i] = fitted[free[i], ranked[k]] / rest if rest > 0 else 0.0


@compiled
def classes_by_chance(slots, start, chance, counts, ranked, u, rounds, first, last, out):
    """In every group as many slots of every class as `counts[group]` says, drawn by `chance[slot, class]`.

    The chances are first fitted to the counts. Classes are drawn as `ranked[group]` says, from the rarest on; the last
    takes what is left. `u[group, class]` starts each draw.
    """
    classes = counts.shape[1]
    for g in range(first, last):
        here = slots[start[g] : start[g + 1]]
        size = len(here)
        fitted, weight, order = np.empty((size, classes)), np.empty(size), np.empty((3, size), np.int64)
        free, taken = order[2], np.empty(size, np.bool_)
        for i in range(size):
            free[i] = i
            for c in range(classes):
                # A class that the teacher rules out may still have to be handed out.
                fitted[i, c] = max(chance[here[i], c], 1e-6) if counts[g, c] > 0 else 0.0
        _fit_to_counts(fitted, counts[g], rounds)
        left = size
        for k in range(classes):
            c = ranked[g, k]
            if counts[g, c] == 0:
                continue
            if k < classes - 1:
                _weigh(weight[:left], fitted, free, ranked[g], k)
                _draw_one_class(weight[:left], counts[g, c], u[g, c], order, taken)
            still = 0
            for i in range(left):
                if k == classes - 1 or taken[i]:
                    out[here[free[i]]] = c
                else:
                    free[still] = free[i]
                    still += 1
            left = still


@compiled
def stable_order(keys, order, room):
    """Fill `order` with the places of the keys from the smallest on; equal keys keep their order. No key is NaN.

    `room` is as long as `order`. Both may be longer than the keys.
    """
    size = len(keys)
    for begin in range(0, size, RUN):
        for i in range(begin, min(begin + RUN, size)):
            at = i
            while at > begin and keys[order[at - 1]] > keys[i]:
                order[at] = order[at - 1]
                at -= 1
            order[at] = i
    width = RUN
    while width < size:
        for begin in range(0, size, 2 * width):
            middle, end = min(begin + width, size), min(begin + 2 * width, size)
            left, right = begin, middle
            for i in range(begin, end):
                if right == end or (left < middle and keys[order[left]] <= keys[order[right]]):
                    room[i] = order[left]
                    left += 1
                else:
                    room[i] = order[right]
                    right += 1
        for i in range(size):
            order[i] = room[i]
        width *= 2

"""Values of a group handed out to its slots: numbers by rank, categories by proposals, classes by probabilities.

Compiled by numba. `slots` are the slots sorted by group and inside a group at random; group g has the places
`start[g]` to `start[g + 1]`.
"""

from __future__ import annotations

import numpy as np

from hushwood.kernels.compiling import compiled
from hushwood.techniques.kernels.stable_order import stable_order


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

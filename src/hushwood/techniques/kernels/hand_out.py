"""Values of a group handed out to its slots: numbers by rank, categories by proposals, classes by probabilities.

Compiled by numba. `slots` are the slots sorted by group and inside a group at random; group g has the places
`start[g]` to `start[g + 1]`.
"""

from __future__ import annotations

import numba
import numpy as np


@numba.njit(cache=True, nogil=True)
def by_rank(slots, start, proposed, own, first, last, out):
    """In every group the slot with the i-th smallest proposal gets the i-th smallest of the group's `own` values.

    `own` lies in the places of the groups, in any order. Equal proposals go by the random order of the slots.
    """
    for g in range(first, last):
        begin, end = start[g], start[g + 1]
        order = np.argsort(proposed[slots[begin:end]], kind="mergesort")
        values = np.sort(own[begin:end])
        for i in range(end - begin):
            out[slots[begin + order[i]]] = values[i]


@numba.njit(cache=True, nogil=True)
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


@numba.njit(cache=True, nogil=True)
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


@numba.njit(cache=True, nogil=True)
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


@numba.njit(cache=True, nogil=True)
def _draw_one_class(weight, need, u, taken):
    """Systematic sampling: `need` of the places, each with a chance proportional to its weight, at most 1.

    The places are in random order. They are sorted by weight, so that every draw takes its share of all weights. If
    the limit of 1 leaves the draw short, the largest weights that were not drawn are added.
    """
    total = weight.sum()
    chance = np.minimum(weight * (need / total), 1.0) if total > 0 else np.zeros(len(weight))
    order = np.argsort(chance, kind="mergesort")
    upto, drawn = 0.0, 0
    for i in order:
        upto += chance[i]
        if upto > u + drawn and drawn < need:
            taken[i] = True
            drawn += 1
    for i in order[::-1]:
        if drawn == need:
            break
        if not taken[i]:
            taken[i] = True
            drawn += 1


@numba.njit(cache=True, nogil=True)
def classes_by_chance(slots, start, chance, counts, u, rounds, first, last, out):
    """In every group as many slots of every class as `counts[group]` says, drawn by `chance[slot, class]`.

    The chances are first fitted to the counts. Classes are drawn from the rarest on; the last takes what is left.
    `u[group, class]` starts each draw.
    """
    classes = counts.shape[1]
    for g in range(first, last):
        here = slots[start[g] : start[g + 1]]
        size = len(here)
        fitted = np.empty((size, classes))
        for i in range(size):
            for c in range(classes):
                # A class that the teacher rules out may still have to be handed out.
                fitted[i, c] = max(chance[here[i], c], 1e-6) if counts[g, c] > 0 else 0.0
        _fit_to_counts(fitted, counts[g], rounds)
        free = np.arange(size)
        order = np.argsort(counts[g], kind="mergesort")
        for k in range(classes):
            c = order[k]
            if counts[g, c] == 0:
                continue
            taken = np.zeros(len(free), np.bool_)
            if k == classes - 1:
                taken[:] = True
            else:
                weight = np.empty(len(free))
                for i in range(len(free)):
                    rest = 0.0
                    for other in order[k:]:
                        rest += fitted[free[i], other]
                    weight[i] = fitted[free[i], c] / rest if rest > 0 else 0.0
                _draw_one_class(weight, counts[g, c], u[g, c], taken)
            for i in range(len(free)):
                if taken[i]:
                    out[here[free[i]]] = c
            free = free[~taken]

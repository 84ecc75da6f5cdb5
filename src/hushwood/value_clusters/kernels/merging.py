"""The search for the best pair of clusters to merge, compiled by numba: what ROCK and CORE share.

Scores are in the upper triangle of a matrix; a cluster goes by its first record, and of pairs with equal scores the
first is taken. `partner[i]` is the best later cluster for cluster i, -1 if there is none.
"""

from __future__ import annotations

import numpy as np

from hushwood.kernels.compiling import compiled

_SLACK = 1e-11  # equal scores may differ by rounding, and must not decide


@compiled
def clearly_above(one, other):
    """Whether a number is larger than another by more than rounding."""
    return one > other + _SLACK * abs(other)


@compiled
def best_later(scores, alive, i):
    """The later cluster with the largest score."""
    best = -1
    for j in range(i + 1, len(alive)):
        if alive[j] and (best < 0 or clearly_above(scores[i, j], scores[i, best])):
            best = j
    return best


@compiled
def all_partners(scores, alive):
    """The best later cluster of every cluster."""
    partner = np.full(len(alive), -1, np.int64)
    for i in range(len(alive)):
        if alive[i]:
            partner[i] = best_later(scores, alive, i)
    return partner


@compiled
def best_first(scores, alive, partner):
    """The first cluster of the best pair; -1 if there is no pair."""
    best = -1
    for i in range(len(alive)):
        if not alive[i] or partner[i] < 0:
            continue
        if best < 0 or clearly_above(scores[i, partner[i]], scores[best, partner[best]]):
            best = i
    return best


@compiled
def renew_partners(scores, alive, partner, i, j):
    """Put the partners right after cluster j has gone into i and the scores of i are new."""
    partner[i] = best_later(scores, alive, i)
    for r in range(j):
        if not alive[r] or r == i:
            continue
        if partner[r] == i or partner[r] == j:
            partner[r] = best_later(scores, alive, r)
        elif r < i:
            new, old = scores[r, i], scores[r, partner[r]]
            if clearly_above(new, old) or (i < partner[r] and not clearly_above(old, new)):
                partner[r] = i


@compiled
def final_clusters(into, alive):
    """Clusters numbered in the order of their first records; -1 for records of a cluster that is gone.

    `into[j]` is the earlier cluster that j went into, or j.
    """
    label = np.full(len(into), -1, np.int64)
    count = 0
    for i in range(len(into)):
        if into[i] != i:
            label[i] = label[into[i]]
        elif alive[i]:
            label[i] = count
            count += 1
    return label

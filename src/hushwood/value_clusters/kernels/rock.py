"""Records that have equal values, the search for the best pair of clusters to merge, and ROCK's merging; by numba.

Scores are in the upper triangle of a matrix; a cluster goes by its first record, and of pairs with equal scores the
first is taken. `partner[i]` is the best later cluster for cluster i, -1 if there is none. CORE merges with the same
search.
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


@compiled
def equal_values(one, other):
    """In how many attributes two records are equal."""
    count = 0
    for a in range(len(one)):
        if one[a] == other[a]:
            count += 1
    return count


@compiled
def all_neighbours(values, least):
    """Which pairs are equal in at least `least` attributes; a record is its own neighbour."""
    count = len(values)
    near = np.zeros((count, count), np.bool_)
    for i in range(count):
        near[i, i] = True
        for j in range(i):
            near[i, j] = near[j, i] = equal_values(values[i], values[j]) >= least
    return near


@compiled
def best_by_neighbours(values, known, weight, cluster, factor, least):
    """For every record the cluster of largest factor · neighbours; without any, that of the most similar record."""
    label = np.empty(len(values), np.int64)
    votes = np.zeros(len(factor), np.float64)
    for i in range(len(values)):
        votes[:] = 0
        nearest, most = 0, -1
        for j in range(len(known)):
            equal = equal_values(values[i], known[j])
            if equal > most:
                nearest, most = j, equal
            if equal >= least:
                votes[cluster[j]] += weight[j]
        best = cluster[nearest]
        if most >= least:
            best = 0
            for c in range(len(factor)):
                if clearly_above(votes[c] * factor[c], votes[best] * factor[best]):
                    best = c
        label[i] = best
    return label


@compiled
def _goodness(links, one, other, exponent):
    if links <= 0:
        return 0.0
    return links / ((one + other) ** exponent - one**exponent - other**exponent)


@compiled
def _scores(links, size, exponent):
    count = len(size)
    scores = np.zeros((count, count))
    for i in range(count):
        for j in range(i + 1, count):
            scores[i, j] = _goodness(links[i, j], size[i], size[j], exponent)
    return scores


@compiled
def _merge(links, scores, size, alive, exponent, i, j):
    alive[j] = False
    size[i] += size[j]
    for x in range(len(size)):
        if alive[x] and x != i:
            links[i, x] += links[j, x]
            links[x, i] = links[i, x]
            scores[min(i, x), max(i, x)] = _goodness(links[i, x], size[i], size[x], exponent)


@compiled
def _weed(size, alive, least):
    """Take out the clusters of too few records, unless all are."""
    largest = 0.0
    for i in range(len(size)):
        if alive[i]:
            largest = max(largest, size[i])
    for i in range(len(size)):
        if alive[i] and size[i] < least <= largest:
            alive[i] = False


@compiled
def merge_by_links(links, size, exponent, weed_at, least, k):
    """Merge the pair of the largest goodness until k clusters are left or no links between them.

    When `weed_at` clusters are left, or no links, those of fewer than `least` records are taken out. Links and sizes
    are used up. Gives the cluster of every tuple, -1 for those taken out.
    """
    scores = _scores(links, size, exponent)
    alive = np.ones(len(size), np.bool_)
    into = np.arange(len(size))
    for weeded in (False, True):
        goal = k if weeded else weed_at
        partner = all_partners(scores, alive)
        while alive.sum() > goal:
            i = best_first(scores, alive, partner)
            if i < 0 or scores[i, partner[i]] <= 0:
                break
            j = partner[i]
            into[j] = i
            _merge(links, scores, size, alive, exponent, i, j)
            renew_partners(scores, alive, partner, i, j)
        if not weeded:
            _weed(size, alive, least)
    return final_clusters(into, alive)

"""ROCK's merging, compiled by numba; `rock` prepares its arguments."""

from __future__ import annotations

import numpy as np

from hushwood.kernels.compiling import compiled
from hushwood.value_clusters.kernels.merging import (
    all_partners,
    best_first,
    final_clusters,
    renew_partners,
)


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

"""CORE's merging and labelling, compiled by numba; `core` prepares the arguments.

The values of a cluster are a chain: `first[c]`, then `after[...]` to -1, where link n stands for value `value[n]`.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from hushwood.kernels.compiling import compiled
from hushwood.value_clusters.kernels.merging import (
    all_partners,
    best_first,
    clearly_above,
    final_clusters,
    renew_partners,
)

Chains = namedtuple("Chains", "first after value size")
Sparse = namedtuple("Sparse", "data indices indptr")


@compiled
def _chains(values):
    count, attributes = values.shape
    after = np.arange(1, count * attributes + 1)
    after[attributes - 1 :: attributes] = -1
    return Chains(np.arange(count) * attributes, after, values.copy().reshape(-1), np.full(count, attributes))


@compiled
def _correlations(chains, correlation, c, sums):
    """For every value, the sum of its correlations with the values of a cluster."""
    sums[:] = 0
    n = chains.first[c]
    while n >= 0:
        value = chains.value[n]
        for at in range(correlation.indptr[value], correlation.indptr[value + 1]):
            sums[correlation.indices[at]] += correlation.data[at]
        n = chains.after[n]


@compiled
def _mean(chains, c, sums, size):
    """Mean correlation of a cluster's values with those of the cluster behind the sums."""
    total = 0.0
    n = chains.first[c]
    while n >= 0:
        total += sums[chains.value[n]]
        n = chains.after[n]
    return total / (chains.size[c] * size)


@compiled
def _all_scores(chains, correlation, sums):
    count = len(chains.first)
    scores = np.zeros((count, count))
    for i in range(count):
        _correlations(chains, correlation, i, sums)
        for j in range(i + 1, count):
            scores[i, j] = _mean(chains, j, sums, chains.size[i])
    return scores


@compiled
def _unite(chains, i, j, seen):
    """Append the values of j that i lacks to those of i."""
    last, n = -1, chains.first[i]
    while n >= 0:
        seen[chains.value[n]] = True
        last, n = n, chains.after[n]
    n = chains.first[j]
    while n >= 0:
        following = chains.after[n]
        if not seen[chains.value[n]]:
            chains.after[last] = n
            chains.after[n] = -1
            chains.size[i] += 1
            last = n
        n = following
    n = chains.first[i]
    while n >= 0:
        seen[chains.value[n]] = False
        n = chains.after[n]


@compiled
def merge_by_correlation(values, correlation, delta, k):
    """Merge the two clusters of largest mean correlation until k are left or none is above delta."""
    chains = _chains(values)
    width = len(correlation.indptr) - 1
    sums, seen = np.zeros(width), np.zeros(width, np.bool_)
    scores = _all_scores(chains, correlation, sums)
    alive = np.ones(len(values), np.bool_)
    into = np.arange(len(values))
    partner = all_partners(scores, alive)
    for _ in range(len(values) - k):
        i = best_first(scores, alive, partner)
        if i < 0 or not clearly_above(scores[i, partner[i]], delta):
            break
        j = partner[i]
        into[j], alive[j] = i, False
        _unite(chains, i, j, seen)
        _correlations(chains, correlation, i, sums)
        for x in range(len(values)):
            if alive[x] and x != i:
                scores[min(i, x), max(i, x)] = _mean(chains, x, sums, chains.size[i])
        renew_partners(scores, alive, partner, i, j)
    return final_clusters(into, alive)


@compiled
def label_by_correlation(values, nearness):
    """For every record the cluster whose values correlate most with its own; `nearness[v, c]` says how much each."""
    label = np.empty(len(values), np.int64)
    sums = np.zeros(nearness.shape[1])
    for i in range(len(values)):
        sums[:] = 0
        for value in values[i]:
            sums += nearness[value]
        best = 0
        for c in range(1, len(sums)):
            if clearly_above(sums[c], sums[best]):
                best = c
        label[i] = best
    return label

"""The loops of CORE and COOLCAT over records and clusters, compiled by numba.

The values of a cluster of CORE are a chain: `first[c]`, then `after[...]` to -1, where link n stands for value
`value[n]`.
"""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from hushwood.kernels.compiling import compiled
from hushwood.value_clusters.kernels.rock import (
    all_partners,
    best_first,
    clearly_above,
    equal_values,
    final_clusters,
    renew_partners,
)

Chains = namedtuple("Chains", "first after value size")
Sparse = namedtuple("Sparse", "data indices indptr")
_ROUNDING = 1e-14


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


@compiled
def far_records(values, k):
    """The pair of records with the most different values, then always the record farthest from those chosen.

    Two records that differ in d attributes have an entropy of d bits. Of equally far ones the first is taken.
    """
    count, attributes = values.shape
    chosen = np.zeros(k, np.int64)
    most = 0
    for i in range(count):
        for j in range(i + 1, count):
            different = attributes - equal_values(values[i], values[j])
            if different > most:
                most, chosen[0], chosen[1] = different, i, j
    nearest = np.full(count, attributes + 1, np.int64)
    for c in range(k):
        if c > 1:
            chosen[c] = np.argmax(nearest)
        for i in range(count):
            different = attributes - equal_values(values[i], values[chosen[c]])
            nearest[i] = min(nearest[i], different)
    return chosen


@compiled
def _x_log_x(x):
    return x * np.log2(x) if x > 0 else 0.0


@compiled
def growth(counts, size, record, weight):
    """By how much size · entropy of a cluster grows when `weight` equal records join it."""
    grown = len(record) * (_x_log_x(size + weight) - _x_log_x(size))
    for value in record:
        grown -= _x_log_x(counts[value] + weight) - _x_log_x(counts[value])
    return grown


@compiled
def least_growth(counts, size, record, weight):
    """The cluster that a record leaves with the least expected entropy; the first of equal ones."""
    # A growth is the difference of numbers as large as the whole, so that is what its rounding is relative to.
    slack = _ROUNDING * len(record) * _x_log_x(size.sum() + weight)
    best, least = 0, growth(counts[0], size[0], record, weight)
    for c in range(1, len(size)):
        grown = growth(counts[c], size[c], record, weight)
        if grown < least - slack:
            best, least = c, grown
    return best


@compiled
def _put(counts, size, record, weight):
    for value in record:
        counts[value] += weight
    size[0] += weight


@compiled
def _fit(counts, size, record):
    """Logarithm of the product of the record's frequencies in its cluster; rounded, so that equal fits are equal."""
    total = 0.0
    for value in record:
        total += np.log2(counts[value] / size)
    return np.round(total * 1e9)


@compiled
def _place(values, weight, which, cluster, counts, size):
    for i in which:
        c = least_growth(counts, size, values[i], weight[i])
        _put(counts[c], size[c : c + 1], values[i], weight[i])
        cluster[i] = c


@compiled
def _worst(values, which, cluster, counts, size, share):
    """The share of the records that fit their clusters worst, in their order; of equal fits the later ones."""
    fit = np.empty(len(which), np.float64)
    for n in range(len(which)):
        i = which[n]
        fit[n] = _fit(counts[cluster[i]], size[cluster[i]], values[i])
    found, wanted = 0, int(share * len(which) + 1e-9)
    worst = np.empty(wanted, np.int64)
    for n in range(len(which)):
        worse = 0
        for other in range(len(which)):
            if fit[other] < fit[n] or (fit[other] == fit[n] and other > n):
                worse += 1
        if worse < wanted:
            worst[found] = which[n]
            found += 1
    return worst


@compiled
def place_in_batches(values, weight, starts, width, batch, share):
    """Cluster of every record, counts of values in the clusters, and their sizes.

    The starts are one cluster each. After every batch the records that fit worst are taken out and placed again.
    """
    cluster = np.full(len(values), -1, np.int64)
    counts, size = np.zeros((len(starts), width)), np.zeros(len(starts))
    for c in range(len(starts)):
        cluster[starts[c]] = c
        _put(counts[c], size[c : c + 1], values[starts[c]], weight[starts[c]])
    rest = np.flatnonzero(cluster < 0)
    for begin in range(0, len(rest), batch):
        which = rest[begin : begin + batch]
        _place(values, weight, which, cluster, counts, size)
        again = _worst(values, which, cluster, counts, size, share)
        for i in again:
            c = cluster[i]
            _put(counts[c], size[c : c + 1], values[i], -weight[i])
        _place(values, weight, again, cluster, counts, size)
    return cluster, counts, size


@compiled
def label_by_growth(values, counts, size):
    """The cluster of least expected entropy for every record on its own."""
    label = np.empty(len(values), np.int64)
    for i in range(len(values)):
        label[i] = least_growth(counts, size, values[i], 1.0)
    return label

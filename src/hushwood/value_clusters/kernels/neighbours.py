"""The loops over pairs of records that count equal values, compiled by numba; `neighbours` wraps them."""

from __future__ import annotations

import numpy as np

from hushwood.kernels.compiling import compiled
from hushwood.value_clusters.kernels.merging import clearly_above


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

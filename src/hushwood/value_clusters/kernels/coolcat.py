"""The loops of COOLCAT over records and clusters, compiled by numba; `coolcat` prepares their arguments."""

from __future__ import annotations

import numpy as np

from hushwood.kernels.compiling import compiled
from hushwood.value_clusters.kernels.neighbours import equal_values

_ROUNDING = 1e-14


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

"""The scan of a level for See5's numeric cuts, compiled by numba (docs/trees.md).

Orders, entries and levels are those of `kernels.scan`, whose scan of categorical attributes serves See5 too.
"""

from __future__ import annotations

import math

import numpy as np

from hushwood.kernels.compiling import compiled as _compile
from hushwood.trees.kernels.scan import ENTRY, xlogx

MOST_A_SIDE = 25.0
LEFT_TOLERANCE = 1e-5


@_compile
def pack_order(rows, entries, codes, classes, class_bits, order):
    """Write the order of one numeric attribute over some records, given in ascending order with their entries."""
    for i in range(len(rows)):
        head = np.int64(codes[rows[i]]) << class_bits | np.int64(classes[rows[i]])
        order[i] = head << 32 | entries[i]


@_compile
def _spread(weights, table):
    """T of the weights: total times entropy, the classes added up in their order."""
    total, mass = 0.0, 0.0
    for c in range(len(weights)):
        total += weights[c]
        mass += xlogx(weights[c], table)
    return xlogx(total, table) - mass


@_compile
def _record_cut(found, node, gap, gain, tries, left, known, total, table):
    """Store the best cut of a node after paying for its threshold; `gap`: all values' range in gaps at the cut."""
    gain = np.float32(gain - math.log2(min(float(tries), gap)) / total)
    if gain <= 0.0:
        return
    found.gain[node] = gain
    mass = xlogx(max(total - known, 0.0), table) + xlogx(left, table) + xlogx(max(known - left, 0.0), table)
    found.info[node] = (xlogx(total, table) - mass) / total


@_compile
def scan_cuts(order, start, level, values, table, rule, found):
    """Best cut of one numeric attribute in every node: gain (-1: none), split information, ranks around the cut.

    `values` are the attribute's values in single precision: no cut lies between ranks that are equal there.
    Sums of fractions depend on their order; only there must a cut be better by a slack.
    """
    complete = len(table) > 0
    class_count = level.counts.shape[1]
    bits = 32 + rule.class_bits
    mask = (np.int64(1) << rule.class_bits) - 1
    left, right = np.zeros(class_count), np.zeros(class_count)
    for node in range(len(start) - 1):
        begin, end = start[node], start[node + 1]
        left[:], right[:] = 0.0, 0.0
        for i in range(begin, end):
            right[order[i] >> 32 & mask] += 1.0 if complete else level.weights[order[i] & ENTRY]
        known, total = right.sum(), level.total[node]
        if end == begin or known < 2.0 * rule.min_leaf - rule.slack:
            continue
        side = max(rule.min_leaf, min(MOST_A_SIDE, 0.1 * known / class_count))
        base = _spread(right, table) / known
        slack = 0.0 if complete else rule.slack
        left_weight, tries, least, best_left = 0.0, 0, np.inf, 0.0
        for i in range(begin, end - 1):
            c = order[i] >> 32 & mask
            weight = 1.0 if complete else level.weights[order[i] & ENTRY]
            left[c] += weight
            right[c] = max(right[c] - weight, 0.0)
            left_weight += weight
            rank, after = order[i] >> bits, order[i + 1] >> bits
            if rank == after or left_weight < side - LEFT_TOLERANCE:
                continue
            if known - left_weight < side - slack:
                break
            if not values[after] > values[rank]:
                continue
            tries += 1
            parts = _spread(left, table) + _spread(right, table)
            if parts < least - slack:
                least, best_left = parts, left_weight
                found.below[node], found.above[node] = rank, after
        gain = (known / total) * (base - least / known) if tries > 0 else 0.0
        if gain > 0.0:
            low, high = values[order[begin] >> bits], values[order[end - 1] >> bits]
            gap = np.float64(high - low) / np.float64(values[found.above[node]] - values[found.below[node]])
            _record_cut(found, node, gap, gain, tries, best_left, known, total, table)

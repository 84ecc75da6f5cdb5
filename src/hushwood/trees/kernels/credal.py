"""The scan of a level for splits by imprecise information gain, compiled by numba; `credal.growth` calls it.

Orders, entries and levels are those of `kernels.scan`. A gain is the weight with a known value, times what the upper
entropy of its class falls by, over the weight of the node. It can be negative.
"""

from __future__ import annotations

import math

import numpy as np

from hushwood.kernels.compiling import compiled as _compile
from hushwood.trees.kernels.scan import ENTRY, SMALLEST_GAP

MASS = 1.0  # s of the imprecise Dirichlet model: records that nobody has seen


@_compile
def _xlogx(x: float) -> float:
    return x * math.log2(x) if x > 0.0 else 0.0


@_compile
def upper_spread(counts):
    """Weight of the counts times the highest entropy that the imprecise Dirichlet model allows.

    The highest has the mass on the smallest counts, filled up to one level. The level is found from above: classes
    that reach it get nothing, and without them it is lower.
    """
    total, filled = 0.0, 0.0
    for c in range(len(counts)):
        total += counts[c]
    if total <= 0.0:
        return 0.0
    level, number = (total + MASS) / len(counts), len(counts)
    while True:
        filled, below = MASS, 0
        for c in range(len(counts)):
            if counts[c] < level:
                filled += counts[c]
                below += 1
        if below >= number:  # rounding may let a count that just reaches the level join again
            break
        number = below
        level = filled / number
    mass = 0.0
    for c in range(len(counts)):
        mass += _xlogx(max(counts[c], level))
    return total * (_xlogx(total + MASS) - mass) / (total + MASS)


@_compile
def scan_cuts(order, start, level, values, reach_bits, rule, found):
    """Best cut of one numeric attribute in every node: its gain (-1: none is allowed) and the ranks around it."""
    complete = len(level.weights) == 0
    bits = 32 + rule.class_bits
    mask = (np.int64(1) << rule.class_bits) - 1
    left, right = np.zeros(level.counts.shape[1]), np.zeros(level.counts.shape[1])
    least = rule.min_leaf - rule.slack
    for node in range(len(start) - 1):
        begin, end = start[node], start[node + 1]
        left[:], right[:] = 0.0, 0.0
        for i in range(begin, end):
            right[order[i] >> 32 & mask] += 1.0 if complete else level.weights[order[i] & ENTRY]
        left_weight, right_weight = 0.0, right.sum()
        whole, lowest = upper_spread(right), np.inf
        step = rule.improvement * level.total[node]
        for i in range(begin, end - 1):
            c = order[i] >> 32 & mask
            weight = 1.0 if complete else level.weights[order[i] & ENTRY]
            left[c] += weight
            right[c] = max(right[c] - weight, 0.0)
            left_weight += weight
            right_weight -= weight
            rank, after = order[i] >> bits >> reach_bits, order[i + 1] >> bits >> reach_bits
            if rank == after or left_weight < least:
                continue
            if right_weight < least:
                break
            if values[after] - values[rank] <= SMALLEST_GAP:
                continue
            parts = upper_spread(left) + upper_spread(right)
            if parts < lowest - step:
                lowest = parts
                found.below[node], found.above[node] = rank, after
        if lowest < np.inf:
            found.gain[node] = (whole - lowest) / level.total[node]


@_compile
def scan_values(codes, branches, skip, level, rule, found):
    """Gain (-1: not allowed) of one categorical attribute, a branch per value, in every node."""
    complete = len(level.weights) == 0
    histogram = np.zeros((branches, level.counts.shape[1]))
    seen, touched = np.zeros(branches, np.bool_), np.empty(branches, np.int64)
    for node in range(len(level.start) - 1):
        if skip[node]:
            continue
        used = 0
        for entry in range(level.start[node], level.start[node + 1]):
            code = codes[level.rows[entry]]
            if code < 0:
                continue
            if not seen[code]:
                seen[code] = True
                touched[used] = code
                used += 1
            histogram[code, level.classes[entry]] += 1.0 if complete else level.weights[entry]
        known = np.zeros(histogram.shape[1])
        better, large = 0.0, 0
        for j in range(used):
            code = touched[j]
            large += histogram[code].sum() >= rule.min_leaf - rule.slack
            better -= upper_spread(histogram[code])
            known += histogram[code]
            histogram[code] = 0.0
            seen[code] = False
        if large >= 2:
            found.gain[node] = (better + upper_spread(known)) / level.total[node]

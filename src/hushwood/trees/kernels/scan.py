"""The loops that scan a level of a tree for splits, compiled by numba; `kernels.divide` then divides it.

A level's nodes lie one after the other. Its *entries* are (record, weight) pairs, grouped by node; a record without a
value for a tested attribute has an entry in several nodes. A numeric attribute's *order* lists its known entries, node
by node in ascending rank, packed as ((rank << reach bits | reach) << class bits | class) << 32 | entry, so that a scan
reads nothing else; `reach` is the distance in ranks to the next value that a threshold can separate. With complete data
all weights are 1 and x·log2(x) comes from a table. Where records have survey weights, `shares` say how much of each
record an entry is: least sizes count people. No fastmath: which split wins must not depend on how a sum was reordered.

Credal trees scan by imprecise information gain: the weight with a known value, times what the upper entropy of its
class falls by, over the weight of the node. It can be negative.
"""

from __future__ import annotations

import math
from collections import namedtuple

import numpy as np

from hushwood.arrays import Floats
from hushwood.kernels.compiling import compiled as _compile

ENTRY = np.int64(0xFFFFFFFF)  # the low half of a packed number
SMALLEST_GAP = 1e-5
REACH_BLOCK = 64

Level = namedtuple("Level", "start rows weights classes counts total shares", defaults=(np.empty(0),))
Rule = namedtuple("Rule", "min_leaf slack improvement both_sides gini class_bits")
Found = namedtuple("Found", "gain info below above")
MASS = 1.0  # s of the imprecise Dirichlet model: records that nobody has seen


@_compile
def xlogx(x: float, table: Floats) -> float:
    """x·log2(x), from the table unless that is empty."""
    if len(table) > 0:
        return table[int(x)]
    return x * math.log2(x) if x > 0.0 else 0.0


@_compile
def _mass(x: float, table: Floats, gini: bool) -> float:
    return x * x if gini else xlogx(x, table)


@_compile
def _impurity(mass: float, total: float, table: Floats, gini: bool) -> float:
    """Weight times entropy (or weight times Gini index) of a part, from the sum of its classes' masses."""
    if total <= 0.0:
        return 0.0
    return total - mass / total if gini else xlogx(total, table) - mass


@_compile
def reach_of_ranks(values, most):
    """For every rank the distance to the next value that is more than SMALLEST_GAP larger, at most `most`.

    Ranks are compared with those 1, 2, 3, ... above them, a block at a time and as long as any is near: nothing in
    the inner loop has to be guessed, unlike in a walk with two fingers.
    """
    reach = np.full(len(values), min(most, 1), np.uint8)
    for begin in range(0, len(values), REACH_BLOCK):
        near = True
        for distance in range(1, most):
            low = values[begin : min(begin + REACH_BLOCK, len(values) - distance)]
            if not near or begin + distance >= len(values):
                break
            high, own, close = values[begin + distance :], reach[begin:], 0
            for i in range(len(low)):
                own[i] += high[i] - low[i] <= SMALLEST_GAP
                close += int(high[i] - low[i] <= SMALLEST_GAP)
            near = close > 0
    return reach


@_compile
def pack_order(rows, codes, classes, class_bits, reach, reach_bits, order):
    """Write the order of one numeric attribute over all records, given its rows in ascending order."""
    for i in range(len(rows)):
        record = rows[i]
        code = codes[record]
        head = (np.int64(code) << reach_bits | np.int64(reach[code])) << class_bits | np.int64(
            classes[record]
        )
        order[i] = head << 32 | record


@_compile
def apart(head, rank, after, values, reach_bits):
    """Whether a threshold fits between two ranks; `head` is the lower one's item without entry and class."""
    most = (np.int64(1) << reach_bits) - 1
    reach = head & most
    if reach < most:
        return after - rank >= reach
    return values[after] - values[rank] > SMALLEST_GAP


@_compile
def least_side(known, entries, class_count, rule):
    """The weight that each side of a cut must have, or -1 if the node is too small for any cut."""
    share = 0.1 * known / class_count
    least = rule.min_leaf if share <= rule.min_leaf + rule.slack else min(share, 25.0)
    needed = rule.min_leaf if rule.both_sides else least
    return -1.0 if (known if rule.both_sides else entries) < 2.0 * needed - rule.slack else least


@_compile
def record_cut(found, node, best, tries, left, known, total, table, rule):
    """Store the best cut of a node after paying for the choice of its threshold."""
    if not rule.gini:
        best -= math.log2(tries) / total
    if best <= rule.improvement:
        return
    found.gain[node] = best
    rest = xlogx(max(total - known, 0.0), table) + xlogx(left, table) + xlogx(max(known - left, 0.0), table)
    found.info[node] = (xlogx(total, table) - rest) / total


@_compile
def scan_numeric(order, start, level, values, reach_bits, table, rule, found):
    """Best cut of one numeric attribute in every node: gain (-1: none), split information, ranks around the cut."""
    class_count, weighted = level.counts.shape[1], len(level.shares) > 0
    bits = 32 + rule.class_bits
    mask = (np.int64(1) << rule.class_bits) - 1
    left, right = np.zeros(class_count), np.zeros(class_count)
    for node in range(len(start) - 1):
        begin, end = start[node], start[node + 1]
        left[:], right[:] = 0.0, 0.0
        people = 0.0
        for i in range(begin, end):
            right[order[i] >> 32 & mask] += level.weights[order[i] & ENTRY]
            if weighted:
                people += level.shares[order[i] & ENTRY]
        known, total = right.sum(), level.total[node]
        people = people if weighted else known
        least = least_side(people, end - begin, class_count, rule)
        if least < 0.0:
            continue
        left_mass, right_mass = 0.0, 0.0
        for c in range(class_count):
            right_mass += _mass(right[c], table, rule.gini)
        whole = _impurity(right_mass, known, table, rule.gini)
        left_weight, right_weight = 0.0, known
        left_people, right_people = 0.0, people
        tries, best, best_left = 0, 0.0, 0.0
        for i in range(begin, end - 1):
            c = order[i] >> 32 & mask
            weight = level.weights[order[i] & ENTRY]
            remaining = max(right[c] - weight, 0.0)
            left_mass += _mass(left[c] + weight, table, rule.gini) - _mass(left[c], table, rule.gini)
            right_mass += _mass(remaining, table, rule.gini) - _mass(right[c], table, rule.gini)
            left[c] += weight
            right[c] = remaining
            left_weight += weight
            right_weight -= weight
            share = level.shares[order[i] & ENTRY] if weighted else weight
            left_people += share
            right_people -= share
            head = order[i] >> bits
            rank, after = head >> reach_bits, order[i + 1] >> bits >> reach_bits
            if rank == after or left_people < least - rule.slack:
                continue
            if right_people < least - rule.slack:
                break
            if not apart(head, rank, after, values, reach_bits):
                continue
            tries += 1
            if rule.both_sides and min(left_people, right_people) < rule.min_leaf - rule.slack:
                continue
            parts = _impurity(left_mass, left_weight, table, rule.gini)
            parts += _impurity(right_mass, right_weight, table, rule.gini)
            candidate = (whole - parts) / total
            if candidate > best + rule.improvement:
                best, best_left = candidate, left_weight
                found.below[node], found.above[node] = rank, after
        if best > 0.0:
            record_cut(found, node, best, tries, best_left, known, total, table, rule)


@_compile
def scan_categorical(codes, branches, skip, level, table, rule, found):
    """Gain (-1: not allowed) and split information of one categorical attribute, a branch per value, in every node."""
    complete, weighted = len(table) > 0, len(level.shares) > 0
    class_count = level.counts.shape[1]
    histogram = np.zeros((branches, class_count))
    weight_of, people_of = np.zeros(branches), np.zeros(branches)
    seen = np.zeros(branches, np.bool_)
    touched = np.empty(branches, np.int64)
    of_class = np.zeros(class_count)
    for node in range(len(level.start) - 1):
        if skip[node]:
            continue
        of_class[:] = 0.0
        used = 0
        for entry in range(level.start[node], level.start[node + 1]):
            code = codes[level.rows[entry]]
            if code < 0:
                continue
            if not seen[code]:
                seen[code] = True
                touched[used] = code
                used += 1
            weight = 1.0 if complete else level.weights[entry]
            histogram[code, level.classes[entry]] += weight
            weight_of[code] += weight
            people_of[code] += level.shares[entry] if weighted else weight
            of_class[level.classes[entry]] += weight
        total = level.total[node]
        known = of_class.sum()
        mass = 0.0
        for c in range(class_count):
            mass += _mass(of_class[c], table, rule.gini)
        better = _impurity(mass, known, table, rule.gini)
        spread = xlogx(total, table) - xlogx(max(total - known, 0.0), table)
        large = 0
        for j in range(used):
            code = touched[j]
            mass = 0.0
            for c in range(class_count):
                mass += _mass(histogram[code, c], table, rule.gini)
                histogram[code, c] = 0.0
            better -= _impurity(mass, weight_of[code], table, rule.gini)
            spread -= xlogx(weight_of[code], table)
            large += people_of[code] >= rule.min_leaf - rule.slack
            weight_of[code], people_of[code] = 0.0, 0.0
            seen[code] = False
        if large >= 2:
            found.gain[node] = max(better / total, 0.0)
            found.info[node] = spread / total


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

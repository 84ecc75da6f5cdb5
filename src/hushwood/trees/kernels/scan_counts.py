"""`scan_numeric` for entropy on complete data, compiled by numba: weights are counts, x·log2(x) comes from a table.

Orders, levels and rules are those of `kernels.scan`. With two classes most cuts are never looked at. What is left to
know after a cut, parts(ones, zeros), is concave in the class counts on its left, so over all cuts in a block of an
order it is lowest in a corner of the box that the counts pass through. A block whose four corners are no better than
the best cut so far is only counted: every threshold that could be chosen must be paid for.
"""

from __future__ import annotations

import math
from collections import namedtuple

import numpy as np

from hushwood.kernels.compiling import compiled
from hushwood.trees.kernels.scan import SMALLEST_GAP, apart, least_side, record_cut

SMALLEST_BLOCK, LARGEST_BLOCK = 8, 256
# Twice what rounding can make of two values of `parts`, as a share of the largest number in them.
ROUNDING = 1e-14

# One node of one attribute: its items, the records that a cut counted in `tries` has and one that may win has at least
# on both sides, how many records are of the second class, by how much a later cut must be better.
_Node = namedtuple("_Node", "items first allowed all_ones values reach_bits table step")


@compiled
def _parts(ones, zeros, node):
    """Weight times entropy of both sides of a cut with that many records of each class on its left."""
    table, at, size = node.table, ones + zeros, len(node.items)
    left_mass = table[ones] + table[zeros]
    right_mass = table[node.all_ones - ones] + table[size - node.all_ones - zeros]
    return table[at] - left_mass + table[size - at] - right_mass


@compiled
def _may_win(at, node):
    """Whether a threshold fits there, with enough records on both sides."""
    if min(at, len(node.items) - at) < node.allowed:
        return False
    head, above = node.items[at - 1] >> 33, node.items[at] >> 33 >> node.reach_bits
    return apart(head, head >> node.reach_bits, above, node.values, node.reach_bits)


@compiled
def _count_ones(items):
    """How many of the items are of the second of two classes."""
    ones = 0
    for i in range(len(items)):
        ones += items[i] >> 32 & 1
    return ones


@compiled
def _count_cuts(items, reach_bits, values):
    """How many thresholds fit between neighbours among the items."""
    most = (np.int64(1) << reach_bits) - 1
    cuts, unsure = 0, 0
    below, above = items[:-1], items[1:]
    for i in range(len(below)):
        head = below[i] >> 33
        reach, distance = head & most, (above[i] >> 33 >> reach_bits) - (head >> reach_bits)
        cuts += int(distance >= reach)
        unsure += int((distance >= reach) & (reach == most))
    if unsure == 0:
        return cuts
    cuts = 0
    for i in range(len(below)):
        rank, after = below[i] >> 33 >> reach_bits, above[i] >> 33 >> reach_bits
        cuts += int(values[after] - values[rank] > SMALLEST_GAP)
    return cuts


@compiled
def _block_size(size):
    """How many cuts are judged together: the larger the node, the less they differ."""
    block = SMALLEST_BLOCK
    while block < LARGEST_BLOCK and 16 * block * block < size:
        block *= 2
    return block


@compiled
def _survey(node, block, ones, bound):
    """Into `ones` and `bound`, for every block: ones before it, and what no cut in it can get below.

    Return the lowest parts of the cuts at the ends of blocks, and how many cuts there are in all.
    """
    begin, last = node.first - 1, len(node.items) - node.first
    lowest, tries = np.inf, 0
    ones[0] = _count_ones(node.items[:begin])
    before = _parts(ones[0], begin - ones[0], node)
    for number in range(len(bound)):
        end = min(begin + block, last)
        tries += _count_cuts(node.items[begin : end + 1], node.reach_bits, node.values)
        low = ones[number]
        high = low + _count_ones(node.items[begin:end])
        after = _parts(high, end - high, node)
        corners = min(_parts(high, begin - low, node), _parts(low, end - high, node))
        bound[number] = min(corners, before, after)
        if after < lowest and _may_win(end, node):
            lowest = after
        ones[number + 1], before, begin = high, after, end
    return lowest, tries


@compiled
def _walk(node, block, ones, bound, lowest, sure):
    """The cut that wins when all are compared in turn, and its parts; -1 if none is a step lower than `lowest`.

    If it is not `sure` which cut was ahead before, only that its parts were no less than `lowest`, a cut must be a
    step lower than all before it to win. From there on it is sure.
    """
    best_at, rounding = -1, ROUNDING * node.table[len(node.items)]
    for number in range(len(bound)):
        if bound[number] >= lowest + rounding - (node.step if sure else 0.0):
            continue
        begin, left = node.first - 1 + number * block, ones[number]
        for i in range(begin, min(begin + block, len(node.items) - node.first)):
            left += node.items[i] >> 32 & 1
            parts = _parts(left, i + 1 - left, node)
            if parts >= lowest or not _may_win(i + 1, node):
                continue
            if parts < lowest - node.step:
                lowest, best_at, sure = parts, i + 1, True
            elif not sure:
                lowest = parts
    return lowest, best_at


@compiled
def _scan_two(node, whole):
    """The best cut of a node of two classes: what is left to know after it, its place (-1: none), all tries."""
    size = len(node.items)
    block = _block_size(size)
    blocks = max((size - 2 * node.first + block) // block, 0)
    ones, bound = np.empty(blocks + 1, np.int64), np.empty(blocks)
    ceiling, tries = _survey(node, block, ones, bound)
    # Cuts that are a step above another cut need not be looked at, unless it depends on them which of two wins that
    # are less than a step apart.
    highest = ceiling + node.step + 2 * ROUNDING * node.table[size]
    sure = highest >= whole
    lowest, best_at = _walk(node, block, ones, bound, min(highest, whole), sure)
    if best_at < 0 and not sure:
        lowest, best_at = _walk(node, block, ones, bound, whole, not sure)
    return lowest, best_at, tries


@compiled
def _scan_many(node, whole, right, class_bits):
    """The same for any number of classes; `right` are their counts, and are used up."""
    items, values, reach_bits, table = node.items, node.values, node.reach_bits, node.table
    size, bits = len(items), 32 + class_bits
    mask = (np.int64(1) << class_bits) - 1
    left, left_mass, right_mass = np.zeros(len(right), np.int64), 0.0, 0.0
    for c in range(len(right)):
        right_mass += table[right[c]]
    lowest, best_at, tries = whole, -1, 0
    item = items[0]
    for at in range(1, size - node.first + 1):
        c = item >> 32 & mask
        x, y = left[c], right[c]
        left_mass += table[x + 1] - table[x]
        right_mass -= table[y] - table[y - 1]
        left[c], right[c] = x + 1, y - 1
        following = items[at]
        head = item >> bits
        rank, after = head >> reach_bits, following >> bits >> reach_bits
        item = following
        if rank == after or at < node.first or not apart(head, rank, after, values, reach_bits):
            continue
        tries += 1
        rest = size - at
        parts = table[at] - left_mass + table[rest] - right_mass
        if parts < lowest - node.step and min(at, rest) >= node.allowed:
            lowest, best_at = parts, at
    return lowest, best_at, tries


@compiled
def scan_complete(order, start, level, values, reach_bits, table, rule, found):
    """Best cut of one numeric attribute in every node: gain (-1: none), split information, ranks around the cut."""
    class_count = level.counts.shape[1]
    bits = 32 + rule.class_bits + reach_bits
    counts = np.empty(class_count, np.int64)
    for i in range(len(start) - 1):
        items = order[start[i] : start[i + 1]]
        size = len(items)
        least = least_side(float(size), size, class_count, rule)
        if least < 0.0:
            continue
        mass = 0.0
        for c in range(class_count):
            counts[c] = np.int64(level.counts[i, c])
            mass += table[counts[c]]
        whole = table[size] - mass
        first = np.int64(math.ceil(least - rule.slack))
        allowed = np.int64(math.ceil(rule.min_leaf - rule.slack)) if rule.both_sides else first
        node = _Node(items, first, allowed, counts[-1], values, reach_bits, table, rule.improvement * size)
        if class_count == 2:
            lowest, at, tries = _scan_two(node, whole)
        else:
            lowest, at, tries = _scan_many(node, whole, counts, rule.class_bits)
        if at > 0:
            found.below[i], found.above[i] = items[at - 1] >> bits, items[at] >> bits
            best = (whole - lowest) / size
            record_cut(found, i, best, tries, float(at), float(size), float(size), table, rule)

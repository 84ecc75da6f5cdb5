"""See5's loops over records (docs/trees.md): the scan of a level for cuts, local and global pruning; compiled by numba.

Orders, entries and levels are those of `kernels.scan`, whose scan of categorical attributes serves See5 too. Nodes,
records and estimates are those of `kernels.prune`. A child's number is always larger than its parent's.
"""

from __future__ import annotations

import math
from collections import namedtuple

import numpy as np

from hushwood.kernels.compiling import compiled as _compile
from hushwood.trees.kernels.prune import (
    GAIN_OF_A_SMALLER_TREE,
    add_on_trial,
    branch_of,
    count_classes,
    divide_records,
    leaf_errors,
)
from hushwood.trees.kernels.scan import ENTRY, xlogx

MOST_A_SIDE = 25.0
LEFT_TOLERANCE = 1e-5
DIGITS = 1e8  # fractions of records are rounded so that the order of sums cannot decide
# Inner nodes in the order of the walk, and for each the place of the first of its own that was walked before it.
Walk = namedtuple("Walk", "nodes begin")
# By node: whether it is still in the tree as an inner node, may be cut, errors as a leaf and below, leaves, parent.
State = namedtuple("State", "inner free as_leaf errors leaves parent")
KEEP, CUT = -1, -2  # what `judge` says; else it is the branch to raise
RAISED_SHARE = 0.1  # a branch to be raised holds at least this share
# `pool` marks branches too light to be judged alone, `empty` those that get nothing.
Limits = namedtuple("Limits", "pool empty")
# Working space to send records down a subtree on trial: class weights and errors per node, and which nodes have any.
Trial = namedtuple("Trial", "extra errors marked touched none")


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


@_compile
def extra_of(node, state):
    """Training errors that a leaf in its place would add."""
    return np.floor((state.as_leaf[node] - state.errors[node]) * DIGITS + 0.5) / DIGITS


@_compile
def cheapest(walk, state, budget, found):
    """Places in the walk of the nodes that cost the fewest errors per leaf saved, into `found`; return how many.

    The least cost is kept in single precision, costs are not: that decides which equal costs are ties.
    """
    places = len(walk.nodes)
    least_at, size_at = np.empty(places, np.float32), np.empty(places, np.int64)
    least, size = np.float32(np.inf), 0
    for place in range(places):
        least_at[place], size_at[place] = least, size
        node = walk.nodes[place]
        if not state.inner[node] or not state.free[node]:
            continue
        extra, saved = extra_of(node, state), state.leaves[node] - 1
        if extra > budget or saved < 1:
            continue
        cost, before = extra / saved, walk.begin[place]
        if cost < np.float64(least) or (cost <= np.float64(least) and cost < np.float64(least_at[before])):
            found[0], size, least = place, 1, np.float32(cost)
        elif cost <= np.float64(least):
            size = min(size, size_at[before])
            found[size] = place
            size += 1
    return size


@_compile
def cut_globally(walk, state, budget):
    """Make leaves of the cheapest nodes as long as the budget of errors lasts."""
    found = np.empty(len(walk.nodes), np.int64)
    while budget > 0.0:
        size = cheapest(walk, state, budget, found)
        price = 0.0
        for i in range(size):
            price += extra_of(walk.nodes[found[i]], state)
        if size == 0 or price > budget:
            return
        for i in range(size):
            node = walk.nodes[found[i]]
            more, fewer = state.as_leaf[node] - state.errors[node], state.leaves[node] - 1
            for place in range(walk.begin[found[i]], found[i] + 1):
                state.inner[walk.nodes[place]] = False
            while node >= 0:
                state.errors[node] += more
                state.leaves[node] -= fewer
                node = state.parent[node]
        budget -= price


@_compile
def _weight(counts):
    total = 0.0
    for c in range(len(counts)):
        total += counts[c]
    return total


@_compile
def divide_node(node, rows, weights, low, high, top, start, nodes, records, how, limits):
    """Send a node's records to its branches, from `top` on; children get their class weights, leaves their errors.

    An empty branch becomes a leaf without weight.
    """
    divide_records(node, rows, weights, low, high, top, start, nodes, records, how)
    none = np.zeros(nodes.counts.shape[1])
    for b in range(nodes.branches[node]):
        child = nodes.first_child[node] + b
        counts = nodes.counts[child]
        count_classes(child, rows, weights, start[b], start[b + 1], nodes, records, how)
        if _weight(counts) < limits.empty:
            nodes.attribute[child] = -1
            for c in range(len(counts)):
                counts[c] = 0.0
        if nodes.attribute[child] < 0:
            nodes.errors[child] = leaf_errors(counts, none, how)


@_compile
def _sum_with_pool(node, with_own, nodes, trial, how, limits):
    """Errors to expect of a node's branches, the light ones pooled; on trial, unless `trial` is untouched."""
    total, class_count = 0.0, nodes.counts.shape[1]
    pool, pooled = np.zeros(class_count), False
    for child in range(nodes.first_child[node], nodes.first_child[node] + nodes.branches[node]):
        weight = _weight(trial.extra[child])
        if with_own:
            weight += _weight(nodes.counts[child])
        if weight <= 0.0:
            continue
        if weight >= limits.pool:
            total += trial.errors[child] if trial.marked[child] else nodes.errors[child]
            continue
        pooled = True
        for c in range(class_count):
            pool[c] += trial.extra[child, c] + (nodes.counts[child, c] if with_own else 0.0)
    return total + leaf_errors(pool, trial.none, how) if pooled else total


@_compile
def _send_known(child, rows, low, high, used, trial, nodes, records):
    """Send the records [low, high) down a subtree on trial, all their values known."""
    for i in range(low, high):
        node, record_class = child, records.classes[rows[i]]
        used = add_on_trial(node, record_class, 1.0, used, trial)
        while nodes.attribute[node] >= 0:
            node = nodes.first_child[node] + branch_of(node, rows[i], nodes, records)
            used = add_on_trial(node, record_class, 1.0, used, trial)
    return used


@_compile
def _send_shares(child, given_rows, given_weights, trial, nodes, records, how, limits):
    """Send records down a subtree on trial, unknown values in shares; return how many nodes have some."""
    rows, weights = np.append(given_rows, given_rows), np.append(given_weights, given_weights)
    waiting = [(np.int64(child), np.int64(0), np.int64(len(given_rows)))]
    start = np.empty(nodes.branches.max() + 1, np.int64)
    used = 0
    while len(waiting) > 0:
        # The last in line has its records at the end, so that the space above them is free.
        node, low, high = waiting.pop()
        for i in range(low, high):
            used = add_on_trial(node, records.classes[rows[i]], weights[i], used, trial)
        if nodes.attribute[node] < 0:
            continue
        needed = high + (high - low) * nodes.branches[node]
        if needed > len(rows):
            rows, weights = np.append(rows, np.empty(needed, np.int32)), np.append(weights, np.empty(needed))
        divide_records(node, rows, weights, low, high, high, start, nodes, records, how)
        for b in range(nodes.branches[node]):
            if start[b + 1] > start[b] and _weight(weights[start[b] : start[b + 1]]) >= limits.empty:
                waiting.append((nodes.first_child[node] + b, start[b], start[b + 1]))
    return used


@_compile
def _end_trial(child, used, with_own, trial, nodes, how, limits):
    """Errors to expect of a subtree after a trial; the working space is left empty."""
    touched = np.sort(trial.touched[:used])
    for i in range(used - 1, -1, -1):
        node = touched[i]
        if nodes.attribute[node] >= 0:
            trial.errors[node] = _sum_with_pool(node, with_own, nodes, trial, how, limits)
        else:
            own = nodes.counts[node] if with_own else trial.none
            trial.errors[node] = leaf_errors(own, trial.extra[node], how)
    errors = trial.errors[child] if used > 0 else nodes.errors[child]
    for i in range(used):
        trial.marked[touched[i]] = False
        for c in range(trial.extra.shape[1]):
            trial.extra[touched[i], c] = 0.0
    return errors


@_compile
def _candidate(node, nodes, how):
    """The heaviest branch, the first on ties, that could take its parent's place, or KEEP."""
    best, heaviest = KEEP, 0.0
    least = RAISED_SHARE * _weight(nodes.counts[node]) - how.slack
    for b in range(nodes.branches[node]):
        child = nodes.first_child[node] + b
        weight = _weight(nodes.counts[child])
        if nodes.attribute[child] < 0 or weight < least:
            continue
        if nodes.cut[node] >= 0 and nodes.attribute[child] == nodes.attribute[node]:
            continue
        if best < 0 or weight > heaviest + how.slack:
            best, heaviest = b, weight
    return best


@_compile
def judge(node, rows, weights, low, high, start, trial, nodes, records, how, limits):
    """Whether a node is kept, cut (made a leaf) or which branch is raised; its errors are stored."""
    as_tree = _sum_with_pool(node, True, nodes, trial, how, limits)
    as_leaf = leaf_errors(nodes.counts[node], trial.none, how)
    nodes.errors[node] = as_tree
    if nodes.forced[node]:
        return KEEP
    branch, as_branch = _candidate(node, nodes, how), np.inf
    if branch >= 0:
        child = nodes.first_child[node] + branch
        if how.complete:
            # The branch's own records are in its leaves already; only the others have to be sent down.
            used = _send_known(child, rows, start[0], start[branch], 0, trial, nodes, records)
            end = start[nodes.branches[node]]
            used = _send_known(child, rows, start[branch + 1], end, used, trial, nodes, records)
        else:
            used = _send_shares(child, rows[low:high], weights[low:high], trial, nodes, records, how, limits)
        as_branch = _end_trial(child, used, how.complete, trial, nodes, how, limits)
    if as_leaf <= as_branch + GAIN_OF_A_SMALLER_TREE and as_leaf <= as_tree + GAIN_OF_A_SMALLER_TREE:
        nodes.attribute[node] = -1
        nodes.errors[node] = as_leaf
        return CUT
    return branch if as_branch <= as_tree + GAIN_OF_A_SMALLER_TREE else KEEP

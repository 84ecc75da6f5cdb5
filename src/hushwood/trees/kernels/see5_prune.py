"""The loops of See5's local pruning over records, compiled by numba (docs/trees.md); `see5.prune` walks the tree.

Nodes, records and estimates are those of `kernels.prune`. A child's number is always larger than its parent's.
"""

from __future__ import annotations

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

KEEP, CUT = -1, -2  # what `judge` says; else it is the branch to raise
RAISED_SHARE = 0.1  # a branch to be raised holds at least this share

# `pool` marks branches too light to be judged alone, `empty` those that get nothing.
Limits = namedtuple("Limits", "pool empty")
# Working space to send records down a subtree on trial: class weights and errors per node, and which nodes have any.
Trial = namedtuple("Trial", "extra errors marked touched none")


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

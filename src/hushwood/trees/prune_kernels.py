"""Error-based pruning, compiled by numba (algorithms 1.3): a walk over the tree, children first, without recursion.

Works in place on a tree numbered level by level; `prune` wraps it. The records of the nodes on the way from the root
lie one node after the other in a buffer that is used as a stack. (Numba's cache cannot hold recursive functions.)
"""

from __future__ import annotations

import math
from collections import namedtuple

import numba
import numpy as np

Nodes = namedtuple("Nodes", "attribute cut threshold first_child branches counts errors forced")
Records = namedtuple("Records", "codes classes")
Estimate = namedtuple("Estimate", "confidence z2 j48 slack share_slack complete")

GAIN_OF_A_SMALLER_TREE = 0.1

_compile = numba.njit(cache=True, nogil=True)


@_compile
def extra_errors(weight, errors, how):
    """How many errors beyond those seen a leaf must be expected to make."""
    if weight <= 0.0:
        return 0.0
    certain = weight * (1.0 - how.confidence ** (1.0 / weight))
    if errors < (1e-300 if how.j48 else 1e-6):
        return certain
    # Between no error and one C4.5 interpolates; the value at one error is what the general case gives.
    at = 1.0 if errors < 1.0 else errors
    if at + 0.5 >= weight:
        rest = weight - at
        general = max(rest, 0.0) if how.j48 else 0.67 * rest
    else:
        e = at + 0.5
        root = math.sqrt(how.z2 * (e * (1.0 - e / weight) + how.z2 / 4.0))
        general = weight * (e + how.z2 / 2.0 + root) / (weight + how.z2) - at
    return certain + errors * (general - certain) if errors < 1.0 else general


@_compile
def _leaf_errors(counts, how):
    weight = counts.sum()
    errors = max(weight - counts.max(), 0.0)
    return errors + extra_errors(weight, errors, how)


@_compile
def _branch(node, row, nodes, records):
    """The branch a record follows, or -1 if its value is unknown."""
    code = records.codes[nodes.attribute[node], row]
    if code < 0 or nodes.cut[node] < 0:
        return code
    return np.int32(code > nodes.cut[node])


@_compile
def _shares(weight_of, how):
    """Turn the known weight of every branch into the share of the unknown records that it gets."""
    known = weight_of.sum()
    for b in range(len(weight_of)):
        share = weight_of[b] / known if known > 0.0 else 1.0 / len(weight_of)
        weight_of[b] = share if share > how.share_slack else 0.0


@_compile
def _deal(node, rows, weights, low, high, top, start, nodes, records, how):
    """Copy a node's records, grouped by branch, to `top` and on; `start` gets where every branch begins.

    A record with an unknown value goes down every branch in shares.
    """
    branches = nodes.branches[node]
    share = np.zeros(branches)
    start[: branches + 1] = 0
    unknown = 0
    for i in range(low, high):
        b = _branch(node, rows[i], nodes, records)
        if b < 0:
            unknown += 1
        else:
            start[b + 1] += 1
            share[b] += weights[i]
    _shares(share, how)
    start[0] = top
    for b in range(branches):
        start[b + 1] += start[b] + (unknown if share[b] > 0.0 else 0)
    cursor = start[:branches].copy()
    for i in range(low, high):
        b = _branch(node, rows[i], nodes, records)
        if b >= 0:
            rows[cursor[b]], weights[cursor[b]] = rows[i], weights[i]
            cursor[b] += 1
            continue
        for other in range(branches):
            if share[other] > 0.0:
                rows[cursor[other]], weights[cursor[other]] = rows[i], weights[i] * share[other]
                cursor[other] += 1


@_compile
def _errors_with(child, rows, counts, nodes, records, how):
    """Errors to expect of a subtree when these records come on top of its own; all their values are known.

    `counts` is as large as the nodes' and all zero, also afterwards.
    """
    errors = nodes.errors[child]
    touched = np.empty(len(rows), np.int64)
    used = 0
    for row in rows:
        node = child
        while nodes.attribute[node] >= 0:
            node = nodes.first_child[node] + _branch(node, row, nodes, records)
        if counts[node].sum() == 0.0:
            touched[used] = node
            used += 1
        counts[node, records.classes[row]] += 1.0
    for leaf in touched[:used]:
        errors += _leaf_errors(nodes.counts[leaf] + counts[leaf], how) - _leaf_errors(nodes.counts[leaf], how)
        counts[leaf] = 0.0
    return errors


@_compile
def _errors_alone(child, rows, weights, nodes, records, how):
    """Errors to expect of a subtree when these records, and only these, are sent down it, level by level."""
    errors = 0.0
    counts = np.zeros((len(nodes.attribute), nodes.counts.shape[1]))
    known = np.zeros(len(nodes.attribute))
    at = np.full(len(rows), child)
    while len(rows) > 0:
        size = 0
        for i in range(len(rows)):
            node = at[i]
            if nodes.attribute[node] < 0:
                counts[node, records.classes[rows[i]]] += weights[i]
                continue
            b = _branch(node, rows[i], nodes, records)
            size += 1 if b >= 0 else nodes.branches[node]
            if b >= 0:
                known[nodes.first_child[node] + b] += weights[i]
        next_rows, next_weights = np.empty(size, rows.dtype), np.empty(size)
        next_at = np.empty(size, np.int64)
        size = 0
        for i in range(len(rows)):
            node = at[i]
            if nodes.attribute[node] < 0:
                continue
            first = nodes.first_child[node]
            b = _branch(node, rows[i], nodes, records)
            if b >= 0:
                next_rows[size], next_weights[size], next_at[size] = rows[i], weights[i], first + b
                size += 1
                continue
            share = known[first : first + nodes.branches[node]].copy()
            _shares(share, how)
            for other in range(len(share)):
                if share[other] > 0.0:
                    next_rows[size], next_weights[size] = rows[i], weights[i] * share[other]
                    next_at[size] = first + other
                    size += 1
        rows, weights, at = next_rows[:size], next_weights[:size], next_at[:size]
    for node in range(len(counts)):
        if nodes.attribute[node] < 0:
            errors += _leaf_errors(counts[node], how)
    return errors


@_compile
def _raise(node, child, nodes):
    """Put a child in its parent's place."""
    nodes.attribute[node] = nodes.attribute[child]
    nodes.cut[node] = nodes.cut[child]
    nodes.threshold[node] = nodes.threshold[child]
    nodes.branches[node] = nodes.branches[child]
    nodes.first_child[node] = nodes.first_child[child]


@_compile
def _decide(node, largest, as_leaf, as_tree, as_branch, nodes, how):
    """Make the node a leaf or its largest branch if that is expected to err no more; whether it was raised."""
    margin = GAIN_OF_A_SMALLER_TREE + (how.slack if how.j48 else 0.0)
    nodes.errors[node] = as_tree
    if as_leaf <= as_branch + margin and as_leaf <= as_tree + margin:
        nodes.attribute[node] = -1
        nodes.errors[node] = as_leaf
    elif as_branch <= as_tree + margin:
        _raise(node, largest, nodes)
        return True
    return False


@_compile
def _errors_raised(child, rows, weights, part, extra, nodes, records, how):
    """Errors to expect of the largest branch if all records of its parent were sent down it.

    `rows` are the parent's, grouped by branch, and `part` is where the largest branch's own lie.
    """
    if how.complete:
        others = np.concatenate((rows[: part[0]], rows[part[1] :]))
        return _errors_with(child, others, extra, nodes, records, how)
    return _errors_alone(child, rows, weights, nodes, records, how)


@_compile
def _largest(start, weights, branches, how):
    """The branch with the most weight, the last one on ties."""
    best, largest = -1.0, 0
    for b in range(branches):
        weight = weights[start[b] : start[b + 1]].sum()
        if weight >= best - how.slack:
            best, largest = weight, b
    return largest


@_compile
def prune_tree(nodes, records, how):
    """Prune the whole tree, children first; class weights are counted anew where records moved."""
    total, deepest = len(records.classes), len(nodes.attribute) + 1
    rows, weights = np.empty(2 * total, np.int32), np.empty(2 * total)
    rows[:total], weights[:total] = np.arange(total), 1.0
    extra = np.zeros_like(nodes.counts)
    # A frame per node on the way from the root: its records [low, high), the free room from `top` on, the next branch.
    frames = np.zeros((deepest, 6), np.int64)
    as_tree = np.zeros(deepest)
    start = np.empty(nodes.branches.sum() + deepest, np.int64)
    frames[0] = (0, 0, total, total, 0, 0)
    recount = np.zeros(deepest, np.bool_)
    recount[0] = not how.complete
    at, entering = 0, True
    while at >= 0:
        node, low, high, top, following, place = frames[at]
        own = start[place:]
        if entering:
            if recount[at]:
                nodes.counts[node] = 0.0
                for i in range(low, high):
                    nodes.counts[node, records.classes[rows[i]]] += weights[i]
            nodes.errors[node] = _leaf_errors(nodes.counts[node], how)
            if nodes.attribute[node] < 0:
                at, entering = at - 1, False
                continue
            needed = top + (high - low) * (1 if how.complete else nodes.branches[node])
            if needed > len(rows):
                rows = np.concatenate((rows, np.empty(needed, np.int32)))
                weights = np.concatenate((weights, np.empty(needed)))
            _deal(node, rows, weights, low, high, top, own, nodes, records, how)
            as_tree[at], following = 0.0, 0
        else:
            as_tree[at] += nodes.errors[nodes.first_child[node] + following - 1]
        if following < nodes.branches[node]:
            frames[at, 4] = following + 1
            last = own[nodes.branches[node]]
            child = nodes.first_child[node] + following
            frames[at + 1] = (
                child,
                own[following],
                own[following + 1],
                last,
                0,
                place + nodes.branches[node] + 1,
            )
            recount[at + 1] = recount[at]
            at, entering = at + 1, True
            continue
        entering = False
        nodes.errors[node] = as_tree[at]
        if not nodes.forced[node]:
            as_leaf = _leaf_errors(nodes.counts[node], how)
            largest = _largest(own, weights, nodes.branches[node], how)
            child = nodes.first_child[node] + largest
            part = (own[largest] - top, own[largest + 1] - top)
            all_rows = rows[top : own[nodes.branches[node]]] if how.complete else rows[low:high]
            as_branch = _errors_raised(child, all_rows, weights[low:high], part, extra, nodes, records, how)
            if _decide(node, child, as_leaf, as_tree[at], as_branch, nodes, how):
                recount[at], entering = True, True
                continue
        at -= 1

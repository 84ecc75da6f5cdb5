"""The recursion of error-based pruning, compiled by numba (algorithms 1.3).

Works in place on a tree numbered level by level; `prune` wraps it.
"""

from __future__ import annotations

import math
from collections import namedtuple

import numba
import numpy as np

Nodes = namedtuple("Nodes", "attribute cut threshold first_child branches counts forced")
Records = namedtuple("Records", "codes classes")
Estimate = namedtuple("Estimate", "confidence z2 j48 slack share_slack")

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
def _count(rows, weights, records, class_count):
    counts = np.zeros(class_count)
    for i in range(len(rows)):
        counts[records.classes[rows[i]]] += weights[i]
    return counts


@_compile
def _leaf_errors(counts, how):
    weight = counts.sum()
    errors = max(weight - counts.max(), 0.0)
    return errors + extra_errors(weight, errors, how)


@_compile
def _deal(node, rows, weights, nodes, records, how):
    """Rows and weights grouped by branch (start positions first); unknown values go down every branch in shares."""
    branches = nodes.branches[node]
    codes = records.codes[nodes.attribute[node]]
    cut = nodes.cut[node]
    size = np.zeros(branches + 1, np.int64)
    weight_of = np.zeros(branches)
    unknown = 0
    branch_of = np.empty(len(rows), np.int32)
    for i in range(len(rows)):
        code = codes[rows[i]]
        if code < 0:
            branch_of[i] = -1
            unknown += 1
            continue
        branch = code if cut < 0 else np.int32(code > cut)
        branch_of[i] = branch
        size[branch + 1] += 1
        weight_of[branch] += weights[i]
    known = weight_of.sum()
    for b in range(branches):
        share = weight_of[b] / known if known > 0.0 else 1.0 / branches
        weight_of[b] = share
        if share > how.share_slack:
            size[b + 1] += unknown
        size[b + 1] += size[b]
    cursor = size[:-1].copy()
    new_rows = np.empty(size[-1], rows.dtype)
    new_weights = np.empty(size[-1])
    for i in range(len(rows)):
        if branch_of[i] >= 0:
            new_rows[cursor[branch_of[i]]] = rows[i]
            new_weights[cursor[branch_of[i]]] = weights[i]
            cursor[branch_of[i]] += 1
            continue
        for b in range(branches):
            if weight_of[b] > how.share_slack:
                new_rows[cursor[b]] = rows[i]
                new_weights[cursor[b]] = weights[i] * weight_of[b]
                cursor[b] += 1
    return size, new_rows, new_weights, weight_of


@_compile
def _estimate(node, rows, weights, nodes, records, how):
    """Errors to expect of a subtree when these records are sent down it; nothing is changed."""
    if len(rows) == 0:
        return 0.0
    if nodes.attribute[node] < 0:
        return _leaf_errors(_count(rows, weights, records, nodes.counts.shape[1]), how)
    start, new_rows, new_weights, _ = _deal(node, rows, weights, nodes, records, how)
    errors = 0.0
    for b in range(nodes.branches[node]):
        part = slice(start[b], start[b + 1])
        errors += _estimate(
            nodes.first_child[node] + b, new_rows[part], new_weights[part], nodes, records, how
        )
    return errors


@_compile
def prune_node(node, rows, weights, nodes, records, how):
    """Prune the subtree at a node that holds these records, and return its estimated errors."""
    counts = _count(rows, weights, records, nodes.counts.shape[1])
    nodes.counts[node] = counts
    as_leaf = _leaf_errors(counts, how)
    if nodes.attribute[node] < 0:
        return as_leaf
    start, new_rows, new_weights, share = _deal(node, rows, weights, nodes, records, how)
    first = nodes.first_child[node]
    as_tree = 0.0
    largest = 0
    for b in range(nodes.branches[node]):
        part = slice(start[b], start[b + 1])
        as_tree += prune_node(first + b, new_rows[part], new_weights[part], nodes, records, how)
        if share[b] >= share[largest] - how.slack:
            largest = b
    if nodes.forced[node]:
        return as_tree
    as_branch = _estimate(first + largest, rows, weights, nodes, records, how)
    margin = GAIN_OF_A_SMALLER_TREE + (how.slack if how.j48 else 0.0)
    if as_leaf <= as_branch + margin and as_leaf <= as_tree + margin:
        nodes.attribute[node] = -1
        return as_leaf
    if as_branch <= as_tree + margin:
        child = first + largest
        nodes.attribute[node] = nodes.attribute[child]
        nodes.cut[node] = nodes.cut[child]
        nodes.threshold[node] = nodes.threshold[child]
        nodes.branches[node] = nodes.branches[child]
        nodes.first_child[node] = nodes.first_child[child]
        return prune_node(node, rows, weights, nodes, records, how)
    return as_tree

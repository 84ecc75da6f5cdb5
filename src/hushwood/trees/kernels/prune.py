"""Error-based pruning, compiled by numba (docs/trees.md): a walk over the tree, children first, without recursion.

Works in place on a tree numbered level by level; `c45.prune` wraps it. The records of the nodes on the way from the
root lie one node after the other in a buffer that is used as a stack. (Numba's cache cannot hold recursive functions.)
"""

from __future__ import annotations

import math
from collections import namedtuple

import numpy as np

from hushwood.kernels.compiling import compiled as _compile
from hushwood.kernels.compiling import copied

Nodes = namedtuple("Nodes", "attribute cut threshold first_child branches counts errors forced")
Records = namedtuple("Records", "codes classes weights", defaults=(np.empty(0),))  # no weights: all 1
# Working space to send records down a subtree on trial: added class weights, which leaves have any, known weights.
Trial = namedtuple("Trial", "extra marked touched known none")
Estimate = namedtuple("Estimate", "confidence z2 j48 slack share_slack complete see5")

GAIN_OF_A_SMALLER_TREE = 0.1
# A plain 0 among the arguments is a type of its own for numba, which would compile the function once more.
_NONE = np.int64(0)


@_compile
def extra_errors(weight, errors, how):
    """How many errors beyond those seen a leaf must be expected to make."""
    if weight <= 0.0:
        return 0.0
    certain = weight * (1.0 - how.confidence ** (1.0 / weight))
    if errors < (1e-300 if how.j48 else 1e-6):
        return certain
    # Between no error and one C4.5 interpolates; the value at one error is what the general case gives.
    between = errors < 0.9999 and weight > 1.0 if how.see5 else errors < 1.0
    at = 1.0 if between else errors
    if at + 0.5 >= weight:
        rest = weight - at
        general = max(rest, 0.0) if how.j48 else 0.67 * rest
    else:
        e = at + 0.5
        root = math.sqrt(how.z2 * (e * (1.0 - e / weight) + how.z2 / 4.0))
        general = weight * (e + how.z2 / 2.0 + root) / (weight + how.z2) - at
    return certain + errors * (general - certain) if between else general


@_compile
def leaf_errors(counts, extra, how):
    """Errors to expect of a leaf that holds both these class weights."""
    weight, largest = 0.0, 0.0
    for c in range(len(counts)):
        weight += counts[c] + extra[c]
        largest = max(largest, counts[c] + extra[c])
    errors = max(weight - largest, 0.0)
    return errors + extra_errors(weight, errors, how)


@_compile
def branch_of(node, row, nodes, records):
    """The branch a record follows, or -1 if its value is unknown."""
    code = records.codes[nodes.attribute[node], row]
    if code < 0 or nodes.cut[node] < 0:
        return code
    return np.int32(code > nodes.cut[node])


@_compile
def _share(branch, weight_of, how):
    """The share of the unknown records that a branch gets, from the known weight of all branches."""
    known = 0.0
    for b in range(len(weight_of)):
        known += weight_of[b]
    share = weight_of[branch] / known if known > 0.0 else 1.0 / len(weight_of)
    return share if share > how.share_slack else 0.0


@_compile
def divide_records(node, rows, weights, low, high, top, start, nodes, records, how):
    """Copy a node's records, grouped by branch, to `top` and on; `start` gets where every branch begins.

    A record with an unknown value goes down every branch in shares.
    """
    branches = nodes.branches[node]
    weight_of, share, cursor = np.zeros(branches), np.zeros(branches), np.zeros(branches, np.int64)
    went = np.empty(high - low, np.int32)
    codes, cut = records.codes[nodes.attribute[node]], nodes.cut[node]
    unknown = 0
    for i in range(low, high):
        b = codes[rows[i]]
        if b >= 0 and cut >= 0:
            b = np.int32(b > cut)
        went[i - low] = b
        if b < 0:
            unknown += 1
        else:
            cursor[b] += 1
            if not how.complete:
                weight_of[b] += weights[i]
    start[0] = top
    for b in range(branches):
        share[b] = _share(b, weight_of, how) if unknown > 0 else 0.0
        start[b + 1] = start[b] + cursor[b] + (unknown if share[b] > 0.0 else 0)
        cursor[b] = start[b]
    for i in range(low, high):
        b = went[i - low]
        if b >= 0:
            rows[cursor[b]] = rows[i]
            if not how.complete:
                weights[cursor[b]] = weights[i]
            cursor[b] += 1
            continue
        for other in range(branches):
            if share[other] > 0.0:
                rows[cursor[other]], weights[cursor[other]] = rows[i], weights[i] * share[other]
                cursor[other] += 1


@_compile
def count_classes(node, rows, weights, low, high, nodes, records, how):
    """Count the class weights of the node that holds the records [low, high)."""
    counts = nodes.counts[node]
    for c in range(len(counts)):
        counts[c] = 0.0
    for i in range(low, high):
        counts[records.classes[rows[i]]] += 1.0 if how.complete else weights[i]


@_compile
def add_on_trial(node, record_class, weight, used, trial):
    """Give a node some more weight on trial; return how many nodes have some."""
    if not trial.marked[node]:
        trial.marked[node] = True
        trial.touched[used] = node
        used += 1
    trial.extra[node, record_class] += weight
    return used


@_compile
def _send_known(child, rows, low, high, used, trial, nodes, records):
    """Send the records [low, high) down a subtree on trial, all their values known."""
    for i in range(low, high):
        node = child
        while nodes.attribute[node] >= 0:
            node = nodes.first_child[node] + branch_of(node, rows[i], nodes, records)
        used = add_on_trial(node, records.classes[rows[i]], 1.0, used, trial)
    return used


@copied
def _send_shares(child, rows, weights, used, trial, nodes, records, how):
    """Send records down a subtree on trial, level by level, unknown values in shares of what is known here."""
    at = np.full(len(rows), child)
    while len(rows) > 0:
        size = 0
        for i in range(len(rows)):
            node = at[i]
            if nodes.attribute[node] < 0:
                used = add_on_trial(node, records.classes[rows[i]], weights[i], used, trial)
                continue
            b = branch_of(node, rows[i], nodes, records)
            size += 1 if b >= 0 else nodes.branches[node]
            if b >= 0:
                trial.known[nodes.first_child[node] + b] += weights[i]
        next_rows, next_weights, next_at = np.empty(size, np.int32), np.empty(size), np.empty(size, np.int64)
        size = 0
        for i in range(len(rows)):
            node = at[i]
            if nodes.attribute[node] < 0:
                continue
            first, branches = nodes.first_child[node], nodes.branches[node]
            b = branch_of(node, rows[i], nodes, records)
            for other in range(branches):
                share = 1.0 if b == other else 0.0
                if b < 0:
                    share = _share(other, trial.known[first : first + branches], how)
                if share > 0.0:
                    next_rows[size], next_weights[size] = rows[i], weights[i] * share
                    next_at[size] = first + other
                    size += 1
        for i in range(len(rows)):
            if nodes.attribute[at[i]] >= 0:
                first = nodes.first_child[at[i]]
                for other in range(nodes.branches[at[i]]):
                    trial.known[first + other] = 0.0
        rows, weights, at = next_rows[:size], next_weights[:size], next_at[:size]
    return used


@_compile
def _end_trial(errors, used, trial, nodes, how):
    """Errors to expect after the trial, beginning with `errors`; the working space is left empty.

    With complete data the leaves keep what they hold already.
    """
    for i in range(used):
        leaf = trial.touched[i]
        if how.complete:
            errors -= leaf_errors(nodes.counts[leaf], trial.none, how)
            errors += leaf_errors(nodes.counts[leaf], trial.extra[leaf], how)
        else:
            errors += leaf_errors(trial.none, trial.extra[leaf], how)
        trial.marked[leaf] = False
        for c in range(trial.extra.shape[1]):
            trial.extra[leaf, c] = 0.0
    return errors


@_compile
def take_test(node, child, nodes):
    """Put a child in its parent's place: its test and its children."""
    nodes.attribute[node] = nodes.attribute[child]
    nodes.cut[node] = nodes.cut[child]
    nodes.threshold[node] = nodes.threshold[child]
    nodes.branches[node] = nodes.branches[child]
    nodes.first_child[node] = nodes.first_child[child]


@copied
def _decide(node, largest, as_leaf, as_tree, as_branch, nodes, how):
    """Make the node a leaf or its largest branch if that is expected to err no more; whether it was raised."""
    margin = GAIN_OF_A_SMALLER_TREE + (how.slack if how.j48 else 0.0)
    nodes.errors[node] = as_tree
    if as_leaf <= as_branch + margin and as_leaf <= as_tree + margin:
        nodes.attribute[node] = -1
        nodes.errors[node] = as_leaf
    elif as_branch <= as_tree + margin:
        take_test(node, largest, nodes)
        return True
    return False


@copied
def _largest(start, weights, branches, how):
    """The branch with the most weight, the last one on ties."""
    best, largest = -1.0, 0
    for b in range(branches):
        weight = float(start[b + 1] - start[b])
        if not how.complete:
            weight = 0.0
            for i in range(start[b], start[b + 1]):
                weight += weights[i]
        if weight >= best - how.slack:
            best, largest = weight, b
    return largest


@copied
def _reduced(node, rows, weights, low, high, top, start, as_tree, trial, nodes, records, how):
    """Try the node as a leaf and as its largest branch, and take the better one; whether it was raised."""
    branches = nodes.branches[node]
    largest = _largest(start, weights, branches, how)
    child = nodes.first_child[node] + largest
    if how.complete:
        # The branch's own records are in its leaves already; only the others have to be sent down.
        used = _send_known(child, rows, top, start[largest], _NONE, trial, nodes, records)
        used = _send_known(child, rows, start[largest + 1], start[branches], used, trial, nodes, records)
        as_branch = _end_trial(nodes.errors[child], used, trial, nodes, how)
    else:
        used = _send_shares(child, rows[low:high], weights[low:high], _NONE, trial, nodes, records, how)
        as_branch = _end_trial(0.0, used, trial, nodes, how)
    as_leaf = leaf_errors(nodes.counts[node], trial.none, how)
    return _decide(node, child, as_leaf, as_tree, as_branch, nodes, how)


@_compile
def _longer(numbers, more):
    """The same numbers with room for more at the end."""
    longer = np.empty(len(numbers) + more, numbers.dtype)
    for i in range(len(numbers)):
        longer[i] = numbers[i]
    return longer


@_compile
def prune_subtree(root, own_rows, below_done, nodes, records, how, trial):
    """Prune the subtree at `root`, which holds these records, children first.

    Class weights are counted again where records moved. With `below_done` the children are pruned already.
    """
    total, deepest = len(own_rows), len(nodes.attribute) + 1
    rows, weights = np.empty(2 * total, np.int32), np.empty(0 if how.complete else 2 * total)
    for i in range(total):
        rows[i] = own_rows[i]
        if not how.complete:
            weights[i] = records.weights[own_rows[i]] if len(records.weights) > 0 else 1.0
    # One place per node on the way from the root: its records [low, high), free space from `top` on, its next branch,
    # where its branches' records begin (from `begin` on in `start`), whether records have moved into it.
    places = np.zeros((6, deepest), np.int64)
    node_of, low, high = places[0], places[1], places[2]
    top, following, begin = places[3], places[4], places[5]
    as_tree, recount = np.zeros(deepest), np.zeros(deepest, np.bool_)
    start = np.empty(len(nodes.attribute) + 2 * deepest, np.int64)
    node_of[0], high[0], top[0], recount[0] = root, total, total, not how.complete
    at, entering = 0, True
    while at >= 0:
        node = node_of[at]
        branches, own = nodes.branches[node], start[begin[at] :]
        if entering:
            if recount[at]:
                count_classes(node, rows, weights, low[at], high[at], nodes, records, how)
            nodes.errors[node] = leaf_errors(nodes.counts[node], trial.none, how)
            if nodes.attribute[node] < 0:
                at, entering = at - 1, False
                continue
            needed = top[at] + (high[at] - low[at]) * (1 if how.complete else branches)
            if needed > len(rows):
                rows, weights = _longer(rows, needed), _longer(weights, 0 if how.complete else needed)
            divide_records(node, rows, weights, low[at], high[at], top[at], own, nodes, records, how)
            as_tree[at], following[at] = 0.0, 0
            if below_done and at == 0:
                below_done = False
                following[0] = branches
                for b in range(branches):
                    as_tree[0] += nodes.errors[nodes.first_child[node] + b]
        else:
            as_tree[at] += nodes.errors[nodes.first_child[node] + following[at] - 1]
        if following[at] < branches:
            b = following[at]
            following[at] += 1
            at, entering = at + 1, True
            node_of[at], low[at], high[at] = nodes.first_child[node] + b, own[b], own[b + 1]
            top[at], begin[at], recount[at] = own[branches], begin[at - 1] + branches + 1, recount[at - 1]
            continue
        nodes.errors[node] = as_tree[at]
        entering = not nodes.forced[node] and _reduced(
            node, rows, weights, low[at], high[at], top[at], own, as_tree[at], trial, nodes, records, how
        )
        if entering:
            recount[at] = True
        else:
            at -= 1

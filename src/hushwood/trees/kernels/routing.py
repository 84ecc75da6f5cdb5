"""The loops of routing records through a tree, compiled by numba; `routing` wraps them."""

from __future__ import annotations

import numpy as np

from hushwood.kernels.compiling import compiled as _compile


@_compile
def _branch(value, numeric, threshold, branches):
    """Number of the branch that a value follows, or -1 if it is unknown."""
    if np.isnan(value):
        return -1
    if numeric:
        return 0 if value <= threshold else 1
    return int(value) if 0 <= value < branches else -1


@_compile
def route(columns, column_of, numeric, threshold, branch_start, branches, missing_to, leaves):
    """The leaf of every record, into `leaves`; unknown values follow `missing_to`.

    All records take a step, then all that are not in a leaf take the next. A record that went down alone would wait
    for the processor at every turn that it guesses wrong; here no turn is guessed. Indices are unsigned, because numba
    looks for negative ones otherwise.
    """
    waiting, nodes = np.empty(len(leaves), np.uint32), np.empty(len(leaves), np.uint32)
    count = np.uint64(0)
    if column_of[0] >= 0:
        for row in range(len(leaves)):
            waiting[row], nodes[row] = row, 0
        count = np.uint64(len(leaves))
    else:
        leaves[:] = 0
    while count > 0:
        still = np.uint64(0)
        for place in range(count):
            row, node = waiting[place], nodes[place]
            value = columns[np.uint64(column_of[node]), row]
            first = np.uint64(branch_start[node])
            ways = np.int64(branch_start[node + np.uint64(1)]) - np.int64(first)
            plain = (value == value) & ~numeric[node]
            branch = np.int64(value if plain else 0.0) + np.int64(numeric[node] & (value > threshold[node]))
            known = (value == value) & (branch >= 0) & (branch < ways)
            child = np.uint32(branches[first + np.uint64(branch) * np.uint64(known)])
            child = child if known else np.uint32(missing_to[node])
            leaves[row] = child
            waiting[still], nodes[still] = row, child
            still += np.uint64(column_of[child] >= 0)
        count = still


@_compile
def collect(matrix, attribute, numeric, threshold, branch_start, branches, share_of, own, out):
    """Add up the leaves' distributions for every row; unknown values go down all branches in their shares."""
    nodes, shares = np.empty(len(own) + 1, np.int64), np.empty(len(own) + 1)
    for row in range(len(matrix)):
        waiting = 1
        nodes[0], shares[0] = 0, 1.0
        while waiting > 0:
            waiting -= 1
            node, share = nodes[waiting], shares[waiting]
            if attribute[node] < 0:
                for c in range(out.shape[1]):
                    out[row, c] += share * own[node, c]
                continue
            first, last = branch_start[node], branch_start[node + 1]
            b = _branch(matrix[row, attribute[node]], numeric[node], threshold[node], last - first)
            if b >= 0:
                nodes[waiting], shares[waiting] = branches[first + b], share
                waiting += 1
                continue
            for i in range(first, last):
                if share_of[i] > 0.0:
                    nodes[waiting], shares[waiting] = branches[i], share * share_of[i]
                    waiting += 1

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
def route(matrix, column_of, numeric, threshold, branch_start, branches, missing_to, leaves):
    """The leaf of every row of a matrix, into `leaves`; unknown values follow `missing_to`."""
    for row in range(len(leaves)):
        node = 0
        while column_of[node] >= 0:
            first, last = branch_start[node], branch_start[node + 1]
            b = _branch(matrix[row, column_of[node]], numeric[node], threshold[node], last - first)
            node = missing_to[node] if b < 0 else branches[first + b]
        leaves[row] = node


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

"""The loop that sends records through a tree of a forest.json, compiled by numba; `certifying.routes` wraps it.

Written apart from the trees' own router, which it checks. Indices are unsigned, because numba looks for negative ones
otherwise, which takes a third of the time.
"""

from __future__ import annotations

import numpy as np

from hushwood.kernels.compiling import compiled, copied

LEAF = np.uint32(2**32 - 1)  # in place of the number of a column


@copied
def _child(node, value, numeric, threshold, start, children):
    """Where a value leads: the places are at most, above, missing; or missing, every known text, any other text."""
    if numeric[node]:
        step = np.uint64(value > threshold[node]) + np.uint64(2) * np.uint64(value != value)
    else:
        step = np.uint64(np.int64(value))
    return children[start[node] + step]


@compiled
def _leaf(node, values, row, column_of, numeric, threshold, start, children):
    """The leaf that a record reaches from a node."""
    while column_of[node] != LEAF:
        node = _child(node, values[column_of[node], row], numeric, threshold, start, children)
    return node


@compiled
def follow(before, after, column_of, numeric, threshold, start, children, left, reached):
    """The leaves of all records, before into `left` and after into `reached`.

    Both go down together as long as they go the same way: the processor guesses the second turn right.
    """
    for row in range(np.uint64(len(left))):
        node = other = np.uint32(0)
        while node == other and column_of[node] != LEAF:
            value, new = before[column_of[node], row], after[column_of[node], row]
            other = _child(node, new, numeric, threshold, start, children)
            node = _child(node, value, numeric, threshold, start, children)
        if node != other:
            node = _leaf(node, before, row, column_of, numeric, threshold, start, children)
            other = _leaf(other, after, row, column_of, numeric, threshold, start, children)
        left[row], reached[row] = node, other

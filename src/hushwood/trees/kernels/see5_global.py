"""The search for the cheapest nodes in See5's global pruning, compiled by numba (docs/trees.md)."""

from __future__ import annotations

from collections import namedtuple

import numpy as np

from hushwood.kernels.compiling import compiled as _compile

DIGITS = 1e8  # fractions of records are rounded so that the order of sums cannot decide

# Inner nodes in the order of the walk, and for each the place of the first of its own that was walked before it.
Walk = namedtuple("Walk", "nodes begin")
# By node: whether it is still in the tree as an inner node, may be cut, errors as a leaf and below, leaves, parent.
State = namedtuple("State", "inner free as_leaf errors leaves parent")


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

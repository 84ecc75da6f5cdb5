"""The walk over sorted ranks that pairs them, compiled by numba; `rank_swapping` sorts and assigns the values.

A binary indexed tree holds the ranks that are still free, so the m-th is found in log n steps, however wide the
window is.
"""

from __future__ import annotations

import numpy as np

from hushwood.kernels.compiling import compiled


@compiled
def swapped_ranks(start, window, u):
    """The rank that every rank changes places with, itself if none; segment s has ranks start[s] to start[s + 1].

    From the lowest rank on, a free rank i takes the m-th of the c free ranks in (i, i + window], m = floor(u[i] · c).
    """
    partner = np.arange(len(u))
    longest = 0
    for s in range(len(start) - 1):
        longest = max(longest, start[s + 1] - start[s])
    tree = np.empty(longest + 1, np.int32)
    for s in range(len(start) - 1):
        if window[s] > 0:
            begin, end = start[s], start[s + 1]
            _walk(partner[begin:end], u[begin:end], window[s], begin, tree)
    return partner


@compiled
def _walk(partner, u, window, begin, tree):
    """Pair the ranks of one segment; `tree` counts the free ones, `free` those inside the window."""
    size = len(partner)
    for node in range(1, size + 1):
        tree[node] = node & -node
    taken = np.zeros(size, np.bool_)
    free = min(window, size)  # ranks 0 to window - 1, before the walk has reached rank 0
    for i in range(size):
        if i + window < size:
            free += 1
        if taken[i]:
            continue
        free -= 1
        _remove(tree, i, size)
        if free == 0:
            continue
        j = _nth_free(tree, int(u[i] * free), size)
        _remove(tree, j, size)
        free -= 1
        taken[j] = True
        partner[i], partner[j] = begin + j, begin + i


@compiled
def _remove(tree, rank, size):
    node = rank + 1
    while node <= size:
        tree[node] -= 1
        node += node & -node


@compiled
def _nth_free(tree, n, size):
    """The free rank with n free ones before it; all that the walk has passed are no longer free."""
    step = 1
    while 2 * step <= size:
        step *= 2
    node = 0
    while step > 0:
        if node + step <= size and tree[node + step] <= n:
            node += step
            n -= tree[node]
        step //= 2
    return node

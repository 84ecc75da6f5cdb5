"""Compiled loops of the binary split search: one node and one attribute at a time, one score over all cuts.

Scores are computed from counts (or exact sums) alone, so equal partitions have equal scores to the last bit, in the
original as in the released table. Which node is searched and which split wins is decided in `growth`.
"""

from __future__ import annotations

import numpy as np

from hushwood.kernels.compiling import compiled as _compile
from hushwood.trees.kernels.records import ROW_BITS, ROW_MASK

INFORMATION_GAIN, GAIN_RATIO, GINI, VARIANCE = 0, 1, 2, 3
LEFT, RIGHT, ABSENT = 0, 1, 2


@_compile
def split_score(left, total, n_left, n, criterion, x_log_x):
    """The score of splitting `total` into `left` and the rest: larger is better, comparable within a node.

    `left` and `total` are records per class; for the variance, one sum of responses.
    """
    n_right = n - n_left
    if criterion == VARIANCE:
        rest = total[0] - left[0]
        return left[0] * left[0] / n_left + rest * rest / n_right
    if criterion == GINI:
        of_left, of_right = 0.0, 0.0
        for c in range(len(total)):
            of_left += left[c] * left[c]
            of_right += (total[c] - left[c]) * (total[c] - left[c])
        return of_left / n_left + of_right / n_right
    of_left, of_right = -x_log_x[n_left], -x_log_x[n_right]
    for c in range(len(total)):
        of_left += x_log_x[int(left[c])]
        of_right += x_log_x[int(total[c] - left[c])]
    if criterion == INFORMATION_GAIN:
        return of_left + of_right
    before = -x_log_x[n]
    for c in range(len(total)):
        before += x_log_x[int(total[c])]
    spread = x_log_x[n] - x_log_x[n_left] - x_log_x[n_right]
    return (of_left + of_right - before) / spread


@_compile
def node_total(rows, response, criterion, total):
    """Add up the node's records per class, or its responses."""
    for row in rows:
        if criterion == VARIANCE:
            total[0] += response[row]
        else:
            total[int(response[row])] += 1.0


@_compile
def scan_numbers(ordered, response, total, min_leaf, criterion, x_log_x):
    """Best cut between the ranks of a node's records: its score and the ranks around it (-1 where there is none)."""
    left = np.zeros_like(total)
    best, below, above = -np.inf, -1, -1
    n = len(ordered)
    rank = ordered[0] >> ROW_BITS
    for i in range(n - 1):
        row = ordered[i] & ROW_MASK
        if criterion == VARIANCE:
            left[0] += response[row]
        else:
            left[int(response[row])] += 1.0
        following = ordered[i + 1] >> ROW_BITS
        if following != rank:
            n_left = i + 1
            if n_left >= min_leaf and n - n_left >= min_leaf:
                score = split_score(left, total, n_left, n, criterion, x_log_x)
                if score > best:
                    best, below, above = score, rank, following
            rank = following
    return best, below, above


@_compile
def value_totals(rows, codes, response, criterion, held, sizes):
    """Add up the records of every category of a node, per class, or their responses."""
    for row in rows:
        code = codes[row]
        sizes[code] += 1
        if criterion == VARIANCE:
            held[code, 0] += response[row]
        else:
            held[code, int(response[row])] += 1.0


@_compile
def scan_values(rows, codes, fixed, response, total, min_leaf, criterion, x_log_x, sides):
    """Best division of a node's categories in the order of their keys: its score, and how many records go left.

    `sides` receives where each category goes. Keys are the `fixed` ones or, if there are none, the share of the last
    class (the mean response) at this node.
    Categories of equal key are never separated: either side would be as good.
    """
    held, sizes = np.zeros((len(sides), len(total))), np.zeros(len(sides), np.int64)
    value_totals(rows, codes, response, criterion, held, sizes)
    present = np.flatnonzero(sizes)
    keys = np.empty(len(present))
    for j in range(len(present)):
        code = present[j]
        keys[j] = fixed[code] if len(fixed) else held[code, len(total) - 1] / sizes[code]
    ascending = np.argsort(keys, kind="mergesort")
    left, n_left, n = np.zeros_like(total), 0, len(rows)
    best, last, below = -np.inf, -1, 0
    for j in range(len(present) - 1):
        code = present[ascending[j]]
        n_left += sizes[code]
        for c in range(len(total)):
            left[c] += held[code, c]
        apart = keys[ascending[j]] < keys[ascending[j + 1]]
        if apart and n_left >= min_leaf and n - n_left >= min_leaf:
            score = split_score(left, total, n_left, n, criterion, x_log_x)
            if score > best:
                best, last, below = score, j, n_left
    sides[:] = ABSENT
    for j in range(len(present)):
        sides[present[ascending[j]]] = LEFT if j <= last else RIGHT
    if len(fixed) and last >= 0:
        # All categories are divided at the same place of the order, so that groups stay contiguous in it.
        for code in range(len(sides)):
            sides[code] = LEFT if fixed[code] <= keys[ascending[last]] else RIGHT
    return best, below


@_compile
def mark_numbers(rows, ranks, below, goes_left):
    """Note for every record of a node whether its rank is at most `below`; return how many are."""
    count = 0
    for row in rows:
        goes = ranks[row] <= below
        goes_left[row] = goes
        count += goes
    return count


@_compile
def mark_values(rows, codes, sides, goes_left):
    """Note for every record of a node whether its category goes left; return how many do."""
    count = 0
    for row in rows:
        goes = sides[codes[row]] == LEFT
        goes_left[row] = goes
        count += goes
    return count

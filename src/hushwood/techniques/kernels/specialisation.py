"""The loops of top-down specialisation over all records, compiled by numba; `specialisation` chooses the steps."""

from __future__ import annotations

import numpy as np

from hushwood.kernels.compiling import compiled


@compiled
def sizes_after(groups, ranks, child_of, children, count):
    """Records of every group and child, [group · children + child]; groups that are not parted are at child 0."""
    sizes = np.zeros(count * children, np.int64)
    for row in range(len(groups)):
        sizes[groups[row] * children + max(child_of[ranks[row]], 0)] += 1
    return sizes


@compiled
def smallest_of(sizes):
    """The smallest size that is not 0."""
    smallest = np.iinfo(np.int64).max
    for size in sizes:
        if 0 < size < smallest:
            smallest = size
    return smallest


@compiled
def renumber(groups, ranks, child_of, children, sizes):
    """Give every group and child that has records a number of its own, in place of the old groups; how many."""
    number = np.empty(len(sizes), np.int64)
    made = 0
    for place in range(len(sizes)):
        number[place] = made
        made += sizes[place] > 0
    for row in range(len(groups)):
        groups[row] = number[groups[row] * children + max(child_of[ranks[row]], 0)]
    return made

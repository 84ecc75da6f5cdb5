"""The loop that divides the records of a binary tree's node, compiled by numba; `trees.binary.growth` calls it."""

from __future__ import annotations

from hushwood.kernels.compiling import compiled

# An item of an order holds its row in the low bits; what stands above them (a rank, or nothing) is the caller's.
ROW_BITS = 32
ROW_MASK = (1 << ROW_BITS) - 1


@compiled
def divide(order, lo, hi, goes_left, spare):
    """Move the items of rows that go left before the others, both in the order they had."""
    at, kept = lo, 0
    for i in range(lo, hi):
        item = order[i]
        if goes_left[item & ROW_MASK]:
            order[at] = item
            at += 1
        else:
            spare[kept] = item
            kept += 1
    order[at:hi] = spare[:kept]

"""Numbers handed out by rank: the slot with the i-th smallest proposal gets the i-th smallest number of its group."""

from __future__ import annotations

import numpy as np

from hushwood.arrays import Array, Codes, Flags
from hushwood.random_streams import group_order
from hushwood.techniques.kernels.hand_out import by_rank
from hushwood.techniques.sequential.slots import Slots


def numbers_by_rank(
    slots: Slots, name: str, draw: int, own: Codes, proposed: Array, there: Flags | None = None
) -> Codes:
    """Codes for every slot; `own` are those of the original records. Ties of proposals are broken at random.

    With `there`, only these slots get a number, and code 0, a missing number, is handed out to the others: every group
    must have as many slots there as numbers.
    """
    out = np.zeros(slots.count, np.int32)
    order, held = slots.in_random_order(name, draw), slots.by_group()
    start = slots.start
    if there is not None:
        order, held = order[there[order]], held[own[held] > 0]
        sizes = np.bincount(slots.groups[order], minlength=slots.group_count)
        start = np.concatenate([[0], np.cumsum(sizes)])
    # Whole numbers become floats, so that the loop is compiled for one kind of proposals only.
    values, wanted = own[held], np.asarray(proposed, np.float64)

    def work(first: int, last: int) -> None:
        by_rank(order, start, wanted, values, first, last, out)

    slots.for_groups(work)
    return out


def permuted(slots: Slots, name: str, draw: int, own: Codes) -> Codes:
    """The codes of every group, permuted at random over its slots."""
    out = np.empty(slots.count, np.int32)
    out[slots.in_random_order(name, draw)] = own[group_order(slots.groups)]
    return out

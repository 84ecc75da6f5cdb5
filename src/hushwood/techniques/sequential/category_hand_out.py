"""Categories handed out by proposals: a slot takes its proposal while its group has that value left.

Slots whose proposal is gone draw again, eight rounds in all; what is left then goes to the slots that are left, at
random. The counts of every group stay exact. A group's levels are kept as a list of cells, never as a matrix.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from hushwood.arrays import Codes, Integers
from hushwood.tables.frames.storage import dense_codes
from hushwood.techniques.kernels.hand_out import take_proposals, take_the_rest
from hushwood.techniques.sequential.slots import Slots

ROUNDS = 8


@dataclass(frozen=True, slots=True)
class _Cells:
    """The levels of every group, ascending, and how many of each are left."""

    start: Integers
    level: Codes
    left: Integers

    @classmethod
    def of(cls, groups: Integers, group_count: int, codes: Codes, levels: int) -> _Cells:
        keys, place = dense_codes(groups * levels + codes)
        left = np.bincount(place, minlength=len(keys))
        start = np.searchsorted(keys, np.arange(group_count + 1) * levels)
        return cls(start, (keys % levels).astype(np.int32), left)


def categories_by_proposal(
    slots: Slots, name: str, draw: int, own: Codes, levels: int, propose: Callable[[int], Codes]
) -> Codes:
    """Codes for every slot; `own` are those of the original records, `propose` gives every slot's proposal of a round.

    Draw numbers `draw` and `draw + 1` order the slots.
    """
    cells = _Cells.of(slots.groups, slots.group_count, own, levels)
    out = np.full(slots.count, -1, np.int32)
    order = slots.in_random_order(name, draw)
    for number in range(ROUNDS):
        proposed = propose(number)

        def take(first: int, last: int, proposed: Codes = proposed) -> int:
            return int(
                take_proposals(
                    order, slots.start, proposed, cells.start, cells.level, cells.left, first, last, out
                )
            )

        if not sum(slots.for_groups(take)):
            return out
    rest = slots.in_random_order(name, draw + 1)
    slots.for_groups(
        lambda first, last: take_the_rest(
            rest, slots.start, cells.start, cells.level, cells.left, first, last, out
        )
    )
    return out

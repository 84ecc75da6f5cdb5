"""Classes handed out by a teacher's probabilities, with the exact counts of every group.

The probabilities of a group are fitted to its counts; then the classes are drawn from the rarest on, by systematic
sampling.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from hushwood.arrays import Array, Codes, Floats, check_indices
from hushwood.techniques.kernels.hand_out import classes_by_chance
from hushwood.techniques.sequential.slots import Slots

FITTING_ROUNDS = 15
SLOTS_AT_ONCE = 1 << 17  # whose probabilities are held in memory together


def classes_by_teacher(
    slots: Slots, name: str, own: Codes, classes: int, chances: Callable[[Array], Floats]
) -> Codes:
    """A class for every slot; `own` are those of the original records, `chances` gives [slot, class] of some slots."""
    check_indices("Classes", own, classes)
    cells = np.bincount(slots.groups * classes + own, minlength=slots.group_count * classes)
    counts = cells.reshape(slots.group_count, classes)
    ranked = np.argsort(counts, axis=1, kind="stable")
    order = slots.in_random_order(name, 0)
    starts = np.stack(
        [slots.streams.uniform(slots.purpose, name, 1 + c, range(slots.group_count)) for c in range(classes)],
        axis=1,
    )
    out = np.full(slots.count, -1, np.int32)
    first = 0
    while first < slots.group_count:
        last = int(np.searchsorted(slots.start, slots.start[first] + SLOTS_AT_ONCE, side="right")) - 1
        last = max(last, first + 1)
        begin, end = slots.start[first], slots.start[last]
        here = order[begin:end]
        part = np.full(end - begin, -1, np.int32)
        classes_by_chance(
            np.arange(end - begin),
            slots.start[first : last + 1] - begin,
            chances(here),
            counts[first:last],
            ranked[first:last],
            starts[first:last],
            FITTING_ROUNDS,
            0,
            last - first,
            part,
        )
        out[here] = part
        first = last
    return out

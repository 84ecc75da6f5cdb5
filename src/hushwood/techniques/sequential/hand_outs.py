"""The empty records of a release, and how the values of a group are handed out to them.

A group's slots are interchangeable. Whatever order they are served in is drawn by the key, never taken from the row.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from hushwood.arrays import Array, Codes, Flags, Floats, Integers, check_indices
from hushwood.random_streams import Rows, Streams, group_order, keyed_order
from hushwood.tables.frames.storage import dense_codes

Result = TypeVar("Result")
FITTING_ROUNDS = 15
SLOTS_AT_ONCE = 1 << 17  # whose probabilities are held in memory together
ROUNDS = 8


@dataclass(frozen=True, slots=True)
class Slots:
    """The group of every slot, and random numbers for (column, draw, slot)."""

    groups: Integers
    start: Integers
    rows: Rows
    streams: Streams
    purpose: str
    threads: int = 1

    @classmethod
    def of(cls, segment_ids: Array, rows: Rows, streams: Streams, purpose: str, threads: int = 1) -> Slots:
        """The slots of all segments."""
        groups = np.asarray(segment_ids, np.int64)
        start = np.concatenate([[0], np.cumsum(np.bincount(groups))])
        return cls(groups, start, rows, streams, purpose, threads)

    @property
    def count(self) -> int:
        """The number of slots."""
        return len(self.groups)

    @property
    def group_count(self) -> int:
        """The number of groups."""
        return len(self.start) - 1

    def uniform(self, name: str, draw: int, part: slice = slice(None)) -> Floats:
        """A random number for every slot, or for those of a part."""
        return self.streams.uniform(self.purpose, name, draw, self.rows[part])

    def in_random_order(self, name: str, draw: int) -> Integers:
        """The slots sorted by group, and inside a group at random."""
        return keyed_order(self.streams.words(self.purpose, name, draw, self.rows), self.groups)

    def by_group(self) -> Integers:
        """The records sorted by group."""
        return group_order(self.groups)

    def for_groups(self, work: Callable[[int, int], Result]) -> list[Result]:
        """Do the work for stretches of groups, given as first and last, on several threads."""
        pieces = min(max(self.threads, 1) * 4, max(self.count // 10_000, 1))
        wanted = np.arange(1, pieces) * self.count // pieces
        limits = np.unique(np.concatenate([[0], np.searchsorted(self.start, wanted), [self.group_count]]))
        stretches = list(zip(limits[:-1].tolist(), limits[1:].tolist(), strict=True))
        if len(stretches) == 1:
            return [work(*stretches[0])]
        with ThreadPoolExecutor(max(self.threads, 1)) as pool:
            return list(pool.map(lambda stretch: work(*stretch), stretches))


def numbers_by_rank(
    slots: Slots, name: str, draw: int, own: Codes, proposed: Array, there: Flags | None = None
) -> Codes:
    """Codes for every slot; `own` are those of the original records. Ties of proposals are broken at random.

    With `there`, only these slots get a number, and code 0, a missing number, is handed out to the others: every group
    must have as many slots there as numbers.
    """
    from hushwood.techniques.kernels.sequential import by_rank

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


def classes_by_teacher(
    slots: Slots, name: str, own: Codes, classes: int, chances: Callable[[Array], Floats]
) -> Codes:
    """A class for every slot; `own` are those of the original records, `chances` gives [slot, class] of some slots.

    The probabilities of a group are fitted to its counts; then the classes are drawn from the rarest on, by systematic
    sampling, so the counts of every group stay exact.
    """
    from hushwood.techniques.kernels.sequential import classes_by_chance

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


@dataclass(frozen=True, slots=True)
class _LevelsLeft:
    """The levels of every group, ascending, and how many of each are left."""

    start: Integers
    level: Codes
    left: Integers

    @classmethod
    def of(cls, groups: Integers, group_count: int, codes: Codes, levels: int) -> _LevelsLeft:
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
    from hushwood.techniques.kernels.sequential import take_proposals, take_the_rest

    cells = _LevelsLeft.of(slots.groups, slots.group_count, own, levels)
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

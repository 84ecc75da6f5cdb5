"""The empty records of a release, or of a part of it: each belongs to a segment, and no more.

A group's slots are interchangeable. Whatever order they are served in is drawn by the key, never taken from the row.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from hushwood.arrays import Array, Floats, Integers
from hushwood.random_streams import Rows, Streams, group_order, keyed_order

Result = TypeVar("Result")


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

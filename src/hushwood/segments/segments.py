"""Segments as data: which records belong together, and the box that their rules describe."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from hushwood.arrays import Array, Codes, Flags, Floats, Integers
from hushwood.tables.domains import Intervals


@dataclass(frozen=True, slots=True)
class Allowed:
    """Category sets of one attribute: `sets[i]` marks the categories (last: missing), `of_segment` picks a set."""

    sets: Flags
    of_segment: Codes


@dataclass(frozen=True, slots=True)
class Segments:
    """The segment of every record, and the sub-domain of every attribute in every segment.

    Numeric attributes have `intervals`, categorical ones `allowed` category sets; `influential[name]` marks the
    segments whose rules test the attribute. `sampled` says that the records are a sample of a longer table.
    """

    ids: Codes
    count: int
    intervals: Mapping[str, Intervals]
    allowed: Mapping[str, Allowed]
    influential: Mapping[str, Flags]
    sampled: bool = False

    @property
    def sizes(self) -> Integers:
        """The number of records in every segment."""
        return np.bincount(self.ids, minlength=self.count)


def expected_changes(codes: Array, segment_ids: Array) -> Floats:
    """E(N): how many records of each segment change their class, on average, when its classes are permuted at random.

    N - sum of n_c²/N, for any number of classes (errata A6).

    >>> expected_changes(np.array([0] * 6 + [1] * 3 + [2] * 2), np.zeros(11, int)).round(3).tolist()
    [6.545]
    """
    codes = np.asarray(codes, np.int64) - min(int(np.min(codes, initial=0)), 0)
    width = int(codes.max(initial=0)) + 1
    cells, counts = np.unique(np.asarray(segment_ids, np.int64) * width + codes, return_counts=True)
    sizes = np.bincount(segment_ids).astype(np.float64)
    squares = np.bincount(cells // width, counts.astype(np.float64) ** 2, minlength=len(sizes))
    return sizes - np.divide(squares, sizes, out=np.zeros_like(sizes), where=sizes > 0)

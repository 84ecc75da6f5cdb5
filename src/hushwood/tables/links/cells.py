"""Counts of all pairs of levels of two categorical columns, and which empty cells are no accident."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from hushwood.arrays import Flags, Floats
from hushwood.tables.links.evidence import ACCIDENT, log_chance_of_none
from hushwood.tables.links.levels import Levels

MOST_NAMES = 64  # levels of a column whose pairs are looked at
MOST_WORK = 2e9  # records times pairs of columns
EXPECTED = 12.0  # records from which a cell says how rare its combination is
RARE = 0.1  # cells with fewer than this share of what is expected show a habit, not a rule


@dataclass(frozen=True, slots=True)
class Pairs:
    """Columns, and how often every level of one meets every level of the other."""

    columns: tuple[Levels, ...]
    rows: int
    _known: dict[tuple[int, int], Floats] = field(default_factory=dict, repr=False)

    def of(self, one: int, other: int) -> Floats:
        """The table of two columns; it is counted once."""
        if one > other:
            return self.of(other, one).T
        if (one, other) not in self._known:
            first, second = self.columns[one], self.columns[other]
            shape = len(first.counts), len(second.counts)
            found = np.bincount(first.codes * shape[1] + second.codes, minlength=shape[0] * shape[1])
            self._known[one, other] = found.reshape(shape).astype(np.float64)
        return self._known[one, other]


def pairs_of(columns: Sequence[Levels], rows: int) -> tuple[Pairs, int]:
    """The columns of which all tables of two can be counted; and how many columns were too many."""
    most = int((2 * MOST_WORK / max(rows, 1)) ** 0.5)
    return Pairs(tuple(columns[:most]), rows), max(0, len(columns) - most)


def expected(table: Floats) -> Floats:
    """How many records each cell would have if the columns had nothing to do with each other."""
    return np.asarray(np.outer(table.sum(axis=1), table.sum(axis=0)) / max(float(table.sum()), 1.0))


def impossible(table: Floats, tried: int) -> Flags:
    """Empty cells that are no accident, and no end of a habit either.

    Where a row or a column also has cells that are merely rare, an empty one may be rare, too.
    """
    usual = expected(table)
    rows, columns = table.sum(axis=1), table.sum(axis=0)
    chance = log_chance_of_none(rows[:, None], columns[None, :], int(table.sum()))
    empty = np.asarray((table == 0) & (chance + np.log(max(tried, 1)) < np.log(ACCIDENT)))
    rare = np.asarray((table > 0) & (usual >= EXPECTED) & (table < RARE * usual))
    habit = np.logical_or.outer(rare.any(axis=1), rare.any(axis=0))
    return np.asarray(empty & ~habit)

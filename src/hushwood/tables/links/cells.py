"""Counts of all pairs of levels of all categorical columns at once, and which empty cells are no accident."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hushwood.arrays import Flags, Floats
from hushwood.tables.links.evidence import ACCIDENT, log_chance_of_none
from hushwood.tables.links.levels import Levels

MOST_NAMES = 64  # levels of a column whose pairs are looked at
MOST_LEVELS = 4000  # of all columns together
MOST_WORK = 1e11  # records times squared levels
_CELLS = 1 << 23  # of the matrix of marks, at a time
EXPECTED = 12.0  # records from which a cell says how rare its combination is
RARE = 0.1  # cells with fewer than this share of what is expected show a habit, not a rule


@dataclass(frozen=True, slots=True)
class Pairs:
    """Columns, and how often every level of one meets every level of the other."""

    columns: tuple[Levels, ...]
    starts: tuple[int, ...]
    counts: Floats
    rows: int

    def of(self, one: int, other: int) -> Floats:
        """The table of two columns."""
        a, b = self.starts[one], self.starts[other]
        return self.counts[a : a + len(self.columns[one].counts), b : b + len(self.columns[other].counts)]


def pairs_of(columns: Sequence[Levels], rows: int) -> tuple[Pairs, int]:
    """All tables of two columns, by one product of matrices; and how many columns were too many."""
    fitting: list[Levels] = []
    total = 0
    for each in columns:
        size = total + len(each.counts)
        if size <= MOST_LEVELS and rows * size**2 <= MOST_WORK:
            fitting.append(each)
            total = size
    starts = tuple(np.cumsum([0, *(len(each.counts) for each in fitting)])[:-1].tolist())
    counts = np.zeros((total, total))
    step = max(1, _CELLS // max(total, 1))
    for first in range(0, rows, step):
        last = min(first + step, rows)
        marks = np.zeros((last - first, total), np.float32)
        for start, each in zip(starts, fitting, strict=True):
            marks[np.arange(last - first), start + each.codes[first:last]] = 1.0
        counts += marks.T @ marks
    return Pairs(tuple(fitting), starts, counts, rows), len(columns) - len(fitting)


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

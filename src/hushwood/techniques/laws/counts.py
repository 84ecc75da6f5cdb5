"""The law by which counts give away who was in the table, and the smallest segment that follows from it.

Whoever knows a list of candidates compares their counts with the released ones inside a person's segment. Of D free
counts that a segment of n people can fill, with a share f of the candidates outside of the table and counts whose
noise has v times the variance of sampling, the advantage (members named less others named) is

    2 Phi(d / 2) - 1,    d^2 = D / (n (f + v)).

Exact counts (v = 0) give everything away to an intruder who knows everybody else (f = 0), whatever the segment. The law
knows of counts of single columns alone: trees and teachers that were learnt from the people add a few points
(docs/findings.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import ceil, exp, sqrt
from statistics import NormalDist

import numpy as np

from hushwood.arrays import Array, Floats, Integers
from hushwood.tables.table import Table, missing_values

LISTED = 1 / 3  # of the candidates on an intruder's list were not in the table
AIM = 0.1  # the advantage that segments are made for; measured ones are lower where segments are large (findings.md)
FEWEST, STEP = 50, 50  # k is public, so it is rounded: the number of counts depends on the people
BOOTSTRAP = 1.0  # the noise of drawing the people first
DIFFERENT = 1 - exp(-1)  # of many people, the share that is drawn at least once
COMPARED = 5_000  # records that tell which columns follow from others
FEWEST_PER_LEVEL = 5  # of them, on average: or every column would follow from one of unique values
_TENTHS = 10


def advantage(cells: int, people: float, outside: float, noise: float) -> float:
    """The advantage over a segment of that many people.

    >>> round(advantage(75, 133, 1 / 3, 0.0), 2), advantage(75, 133, 0.0, 0.0)
    (0.48, 1.0)
    """
    spread = people * (outside + noise)
    if spread <= 0:
        return 1.0 if cells else 0.0
    return 2 * NormalDist().cdf(sqrt(max(cells, 0) / spread) / 2) - 1


def people_needed(cells: int, noise: float, aim: float = AIM, outside: float = LISTED) -> int:
    """How many people a segment needs for an advantage of at most `aim`.

    >>> people_needed(75, 2.0), people_needed(75, 2.0, 0.08)
    (509, 797)
    """
    distance = 2 * NormalDist().inv_cdf((1 + aim) / 2)
    return ceil(cells / (distance**2 * (outside + noise)))


def column_shares(table: Table, names: Iterable[str] | None = None, blurred: bool = True) -> list[Floats]:
    """The share of every level of every column, the class included; missing is a level.

    Numbers are cut into tenths, unless they are released unblurred. A column that follows from another has no counts of
    its own.
    """
    wanted = [a.name for a in table.schema.kept] if names is None else names
    levels = [_levels(np.asarray(table.columns[name]), blurred) for name in wanted]
    some = [np.unique(own[:COMPARED], return_inverse=True)[1] for own in levels]
    led = [own for place, own in enumerate(levels) if not _follows(place, some)]
    return [np.bincount(own) / max(table.rows, 1) for own in led]


def free_cells(shares: Iterable[Floats], people: float) -> int:
    """The free counts of a segment of that many people: of levels of which it expects half a person at least."""
    return sum(max(int(np.count_nonzero(own * people >= 0.5)) - 1, 0) for own in shares)


def smallest_segment(shares: Iterable[Floats], records: int, redraw: float) -> int:
    """The different people that a segment needs: fewer records fill fewer counts, so it takes a few rounds.

    Of the people that records could be copies of, DIFFERENT are drawn.
    """
    known, needed = list(shares), records
    for _ in range(3):
        needed = people_needed(free_cells(known, min(needed, records)), BOOTSTRAP + redraw)
    return max(FEWEST, ceil(DIFFERENT * needed / STEP) * STEP)


def _levels(column: Array, blurred: bool = True) -> Integers:
    """The level of every record, from 0 on."""
    gone = missing_values(column)
    if column.dtype.kind != "f":
        return np.where(gone, 0, column + 1)
    known = column[~gone]
    if not blurred:
        return np.where(gone, 0, np.searchsorted(np.unique(known), column) + 1)
    edges = np.unique(np.quantile(known, np.arange(1, _TENTHS) / _TENTHS)) if len(known) else known
    return np.where(gone, 0, np.searchsorted(edges, column) + 1)


def _follows(place: int, columns: Sequence[Integers]) -> bool:
    """Whether another column says which level a record has; of two that say so of each other the first counts."""
    own = columns[place]
    width = int(own.max(initial=0)) + 1
    for other, codes in enumerate(columns):
        levels = int(codes.max(initial=0)) + 1
        if other == place or width == 1 or len(own) < FEWEST_PER_LEVEL * levels:
            continue
        pairs = np.count_nonzero(np.bincount(codes * width + own, minlength=1))
        if pairs == levels and (levels > width or other < place):
            return True
    return False

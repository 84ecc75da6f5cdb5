"""How many levels of its attribute's taxonomy a released cell was lifted: what minimal distortion MD counts.

`generalisation_loss` adds them up.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hushwood.tables.generalised import Generalised
from hushwood.tables.interval_texts import read_interval
from hushwood.tables.taxonomies import ROOT, Taxonomy

Levels = NDArray[np.int64]


def category_levels(texts: Sequence[str], covers: NDArray[np.bool_], taxonomy: Taxonomy) -> Levels:
    """Level of each released category; the first of them are the original's, one per column of `covers`.

    A group of the taxonomy has its own level, any other set that of the narrowest group around it.
    """
    ways = [_way(text, taxonomy) for text in texts[: covers.shape[1]]]
    group = np.array([[way[level] for way in ways] for level in range(taxonomy.height + 1)], dtype=object)
    return np.array([_level(text, row, group) for text, row in zip(texts, covers, strict=True)], np.int64)


def numeric_levels(cells: Generalised, taxonomy: Taxonomy | None) -> Levels:
    """Level of each row of a numeric column; without a taxonomy a number is on 0, a range on 1, everything on 2."""
    if cells.low is None or cells.high is None:
        return np.zeros(len(cells.suppressed), np.int64)
    ranges = cells.high > cells.low
    if taxonomy is None or taxonomy.height == 0:
        return np.where(cells.suppressed, 2, ranges.astype(np.int64))
    found = np.where(ranges, taxonomy.height, 0)
    for level in range(taxonomy.height - 1, 0, -1):
        found[ranges & _within_groups(cells.low, cells.high, taxonomy, level)] = level
    return np.where(cells.suppressed, taxonomy.height, found)


def _way(value: str, taxonomy: Taxonomy) -> tuple[str, ...]:
    """The way up from a value; one that the taxonomy does not know goes straight to the root."""
    return taxonomy.levels.get(value, (value, *(ROOT for _ in range(taxonomy.height))))


def _level(text: str, covered: NDArray[np.bool_], group: NDArray[np.object_]) -> int:
    inside = group[:, covered]
    if not inside.shape[1]:
        return 0
    named = np.flatnonzero(inside[:, 0] == text)
    if len(named):
        return int(named[0])
    around = [level for level in range(len(inside)) if len(set(inside[level])) == 1]
    return around[0] if around else len(inside) - 1


def _within_groups(
    low: NDArray[np.float64], high: NDArray[np.float64], taxonomy: Taxonomy, level: int
) -> NDArray[np.bool_]:
    """Whether each interval lies within one group of a level; the groups of a level do not overlap."""
    names = {way[level] for way in taxonomy.levels.values()}
    ends = np.array(sorted(found for name in names if (found := read_interval(name))), np.float64)
    if not len(ends):
        return np.zeros(len(low), bool)
    nearest = np.searchsorted(ends[:, 0], low, side="right") - 1
    return np.asarray((nearest >= 0) & (ends[nearest, 1] >= high), bool)

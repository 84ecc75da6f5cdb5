"""How much of its attribute's domain each cell of a released column may stand for, and by how many taxonomy levels it
was generalised: what minimal distortion MD counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hushwood.arrays import Array, Flags, Floats, Integers
from hushwood.tables.domains import whole_domain
from hushwood.tables.recoding.cells import Generalised
from hushwood.tables.recoding.taxonomies import ROOT, Taxonomy
from hushwood.tables.recoding.texts import read_interval
from hushwood.tables.schema import Attribute
from hushwood.tables.table import missing_values


@dataclass(frozen=True, slots=True)
class ColumnLoss:
    """The loss of one column.

    `open` is the LM of every cell that can be read: 0 for one value, 1 for the whole domain. `most` is the ILoss of
    the whole domain, so that ILoss is LM times `most`. `newly_missing` cells are missing beyond the original's
    share, `unknown` ones hold texts of unknown meaning and are ignored.
    """

    open: Floats
    most: float
    suppressed: int
    newly_missing: int
    unknown: int

    @property
    def cells(self) -> int:
        """The number of cells that the means are taken over."""
        return len(self.open) + self.newly_missing

    @property
    def lm(self) -> float:
        """Mean LM; a value that became missing counts like a suppressed one."""
        lost = float(self.open.sum()) + (self.newly_missing if self.most > 0 else 0)
        return lost / self.cells if self.cells else 0.0

    @property
    def iloss(self) -> float:
        """Mean ILoss, without a weight."""
        return self.lm * self.most


def column_loss(
    attribute: Attribute, original: Array, released: Array, cells: Generalised | None
) -> ColumnLoss:
    """The loss of one column; without `cells` every released cell stands for itself."""
    known = ~missing_values(released)
    gone = _newly_missing(~known, missing_values(original))
    hidden = 0 if cells is None else int((cells.suppressed & known).sum())
    if attribute.kind == "numeric":
        return ColumnLoss(_numeric(attribute, known, cells), _most_numeric(attribute), hidden, gone, 0)
    covers = None if cells is None else cells.covers
    if covers is None:
        size = len(attribute.categories)
        return ColumnLoss(np.zeros(int(known.sum())), _most(size), hidden, gone, 0)
    covered = covers.sum(axis=1)[released[known]]
    read, size = covered[covered > 0], covers.shape[1]
    return ColumnLoss((read - 1) / max(size - 1, 1), _most(size), hidden, gone, len(covered) - len(read))


def _newly_missing(released: Flags, original: Flags) -> int:
    """Missing cells beyond the original's share: noise may move missing values, suppression adds some."""
    expected = float(original.mean()) * len(released) if len(original) else 0.0
    return max(int(released.sum()) - int(np.ceil(expected - 1e-9)), 0)


def _numeric(attribute: Attribute, known: Flags, cells: Generalised | None) -> Floats:
    """(U - L) / (max - min), for the part of the interval inside the domain (errata S7)."""
    low, high = attribute.low or 0.0, attribute.high or 0.0
    if cells is None or cells.low is None or cells.high is None or high <= low:
        return np.zeros(int(known.sum()))
    width = np.clip(cells.high[known], low, high) - np.clip(cells.low[known], low, high)
    return width / (high - low)


def _most_numeric(attribute: Attribute) -> float:
    """On a grid the domain is a number of values, on reals a range."""
    if attribute.low is None or attribute.high is None or attribute.high <= attribute.low:
        return 0.0
    return _most(float(whole_domain(attribute).width[0])) if attribute.precision is not None else 1.0


def _most(size: float) -> float:
    return (size - 1) / size if size > 0 else 0.0


def category_levels(texts: Sequence[str], covers: Flags, taxonomy: Taxonomy) -> Integers:
    """Level of each released category; the first are the original's, one per column of `covers`.

    A group of the taxonomy has its own level, any other set that of the narrowest group around it.
    """
    ways = [_way(text, taxonomy) for text in texts[: covers.shape[1]]]
    group = np.array([[way[level] for way in ways] for level in range(taxonomy.height + 1)], dtype=object)
    return np.array([_level(text, row, group) for text, row in zip(texts, covers, strict=True)], np.int64)


def numeric_levels(cells: Generalised, taxonomy: Taxonomy | None) -> Integers:
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


def _level(text: str, covered: Flags, group: NDArray[np.object_]) -> int:
    inside = group[:, covered]
    if not inside.shape[1]:
        return 0
    named = np.flatnonzero(inside[:, 0] == text)
    if len(named):
        return int(named[0])
    around = [level for level in range(len(inside)) if len(set(inside[level])) == 1]
    return around[0] if around else len(inside) - 1


def _within_groups(low: Floats, high: Floats, taxonomy: Taxonomy, level: int) -> Flags:
    """Whether each interval lies within one group of a level; the groups of a level do not overlap."""
    names = {way[level] for way in taxonomy.levels.values()}
    ends = np.array(sorted(found for name in names if (found := read_interval(name))), np.float64)
    if not len(ends):
        return np.zeros(len(low), bool)
    nearest = np.searchsorted(ends[:, 0], low, side="right") - 1
    return np.asarray((nearest >= 0) & (ends[nearest, 1] >= high), bool)

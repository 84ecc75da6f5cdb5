"""Cells of EX-DETECTIVE divided by their numbers, with scikit-learn's k-means inside every cell.

Numbers are measured in standard deviations of the whole table; a missing one counts as the mean. The search starts at
the means of equal slices along the widest column, so it involves no chance.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from hushwood.arrays import Array, Flags, Floats, Integers, one_thread
from hushwood.random_streams import group_order
from hushwood.tables.table import Table
from hushwood.value_clusters.protocol import Columns


@dataclass(frozen=True, slots=True)
class NumericParts:
    """How numbers become points, and the centres [cell, part, column] of every cell; infinite where there is none."""

    names: tuple[str, ...]
    mean: Floats
    scale: Floats
    centres: Floats

    def of_cells(self, which: Flags) -> NumericParts:
        """The same for some of the cells."""
        return replace(self, centres=self.centres[which])

    def points(self, columns: Columns) -> Floats:
        """Every record as a point."""
        if not self.names:
            return np.zeros((len(next(iter(columns.values()))), 0))
        values = np.stack([np.asarray(columns[name], np.float64) for name in self.names], axis=1)
        return np.where(np.isnan(values), 0.0, (values - self.mean) / self.scale)

    def part_of(self, cell: Array, columns: Columns) -> Integers:
        """The part of its cell whose centre is nearest to every record, the first of equally near ones."""
        if self.centres.shape[1] == 1 or not self.names:
            return np.zeros(len(cell), np.int64)
        away = self.points(columns)[:, None, :] - self.centres[cell]
        return np.asarray(np.argmin((away * away).sum(axis=2), axis=1))


def numeric_parts(table: Table, cell: Array, names: Sequence[str], parts: int, least: int) -> NumericParts:
    """Divide the cells that hold at least `least` records."""
    columns = [np.asarray(table.columns[name], np.float64) for name in names]
    known = [column[~np.isnan(column)] for column in columns]
    mean = np.array([values.mean() if len(values) else 0.0 for values in known])
    spread = np.array([values.std() if len(values) else 0.0 for values in known])
    centres = np.full((int(cell.max(initial=-1)) + 1, parts, len(names)), np.inf)
    centres[:, 0] = 0
    found = NumericParts(tuple(names), mean, np.where(spread > 0, spread, 1.0), centres)
    if parts > 1 and names:
        _find_centres(found.points(table.columns), cell, centres, least)
    return found


def _find_centres(points: Floats, cell: Array, centres: Floats, least: int) -> None:
    """Write the centres of the cells that are large enough and hold different points."""
    from sklearn.cluster import KMeans

    size = np.bincount(cell, minlength=len(centres))
    rows = np.split(group_order(cell), np.cumsum(size)[:-1])
    # One thread: with more, sums are taken in any order and the last digits change from run to run.
    with one_thread("openmp"):
        for large in np.flatnonzero(size >= least).tolist():
            mine = points[rows[large]]
            begin = _slices(mine, min(centres.shape[1], len(np.unique(mine, axis=0))))
            if len(begin) > 1:
                found = KMeans(len(begin), init=begin, n_init=1, random_state=0).fit(mine)
                centres[large, : len(begin)] = found.cluster_centers_


def _slices(points: Floats, count: int) -> Floats:
    """The means of equal slices of the points, in the order of the column that varies most."""
    order = np.argsort(points[:, np.argmax(points.var(axis=0))], kind="stable")
    return np.array([points[part].mean(axis=0) for part in np.array_split(order, count)])

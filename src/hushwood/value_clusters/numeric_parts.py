"""Cells of records parted by their numbers: k-means of scikit-learn inside every cell of EX-DETECTIVE.

Numbers are measured in standard deviations of the whole table; a missing one counts as the mean. It begins at the
means of equal slices along the widest column, so no chance is needed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushwood.random_streams import group_order
from hushwood.tables.table import Table
from hushwood.value_clusters.protocol import Columns

Points = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class NumericParts:
    """How numbers become points, and the centres [cell, part, column] of every cell; infinite where there is none."""

    names: tuple[str, ...]
    mean: Points
    scale: Points
    centres: Points

    def of_cells(self, which: NDArray[np.bool_]) -> NumericParts:
        """The same for some of the cells."""
        return replace(self, centres=self.centres[which])

    def points(self, columns: Columns) -> Points:
        """Every record as a point."""
        if not self.names:
            return np.zeros((len(next(iter(columns.values()))), 0))
        values = np.stack([np.asarray(columns[name], np.float64) for name in self.names], axis=1)
        return np.where(np.isnan(values), 0.0, (values - self.mean) / self.scale)

    def part_of(self, cell: NDArray[Any], columns: Columns) -> NDArray[np.int64]:
        """The part of its cell whose centre is nearest to every record, the first of equally near ones."""
        if self.centres.shape[1] == 1 or not self.names:
            return np.zeros(len(cell), np.int64)
        away = self.points(columns)[:, None, :] - self.centres[cell]
        return np.asarray(np.argmin((away * away).sum(axis=2), axis=1))


def numeric_parts(
    table: Table, cell: NDArray[Any], names: Sequence[str], parts: int, least: int
) -> NumericParts:
    """Part the cells that hold at least so many records."""
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


def _find_centres(points: Points, cell: NDArray[Any], centres: Points, least: int) -> None:
    """Write the centres of the cells that are large enough and hold different points."""
    from sklearn.cluster import KMeans
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    size = np.bincount(cell, minlength=len(centres))
    rows = np.split(group_order(cell), np.cumsum(size)[:-1])
    # One thread: with more, sums are taken in any order and the last digits change from run to run.
    with threadpool_limits(1, "openmp"):
        for large in np.flatnonzero(size >= least).tolist():
            mine = points[rows[large]]
            begin = _slices(mine, min(centres.shape[1], len(np.unique(mine, axis=0))))
            if len(begin) > 1:
                found = KMeans(len(begin), init=begin, n_init=1, random_state=0).fit(mine)
                centres[large, : len(begin)] = found.cluster_centers_


def _slices(points: Points, count: int) -> Points:
    """The means of equal slices of the points, in the order of the column that varies most."""
    order = np.argsort(points[:, np.argmax(points.var(axis=0))], kind="stable")
    return np.array([points[part].mean(axis=0) for part in np.array_split(order, count)])

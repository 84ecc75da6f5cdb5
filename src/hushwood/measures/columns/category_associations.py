"""How strongly categorical columns are associated with each other (Cramér's V) and with numeric ones (η).

Both coefficients grow with the number of categories even if columns are independent; corrected, they are then 0 on
average, so that noise cannot pass for a kept pattern.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushwood.arrays import Array, Floats, Integers
from hushwood.measures.columns.numeric_correlations import ROUNDING


@dataclass(frozen=True, slots=True)
class Indicators:
    """Categorical columns as a sparse matrix of records by categories with one 1 per known value.

    The categories of column a are those of `first[a]` up to `first[a + 1]`; `owner` is the column of every category.
    """

    matrix: Any
    first: Integers
    owner: Integers

    @property
    def columns(self) -> int:
        """How many categorical columns there are."""
        return len(self.first) - 1


def indicators(columns: Sequence[NDArray[np.integer]]) -> Indicators:
    """One column per category that occurs; missing values have no 1."""
    from scipy.sparse import csr_array

    rows, places, sizes = [], [], list[int]()
    for codes in columns:
        there = np.flatnonzero(codes >= 0)
        values, place = np.unique(codes[there], return_inverse=True)
        rows.append(there)
        places.append(place + sum(sizes))
        sizes.append(len(values))
    ones = np.ones(sum(map(len, rows)))
    shape = (len(columns[0]), sum(sizes))
    matrix = csr_array((ones, (np.concatenate(rows), np.concatenate(places))), shape=shape)
    owner = np.repeat(np.arange(len(sizes)), sizes)
    return Indicators(matrix, np.concatenate([[0], np.cumsum(sizes)]), owner)


def cramers_v(table: Indicators, corrected: bool = True) -> Floats:
    """Cramér's V of every pair of columns; NaN where one of the two does not vary.

    With `corrected`, by Bergsma (2013): φ² − (k−1)(r−1)/(n−1), with k and r lowered in the same manner.
    """
    found = np.full((table.columns, table.columns), np.nan)
    by_category = table.matrix.T.tocsr()
    for column in range(table.columns):
        own = by_category[table.first[column] : table.first[column + 1]]
        joint = (own @ table.matrix).tocoo()
        found[column] = _v_with_all(joint.row, joint.col, joint.data, table, corrected)
    return np.asarray(np.triu(found) + np.triu(found, 1).T)  # (a, b) and (b, a) alike, despite rounding


def _v_with_all(row: Array, place: Array, counts: Floats, table: Indicators, corrected: bool) -> Floats:
    """V of one column with all, from the counts of its categories (`row`) together with all others (`place`)."""
    width = table.columns
    other = table.owner[place]
    cell = row * width + other
    height = int(row.max(initial=-1)) + 1
    own_totals = np.bincount(cell, counts, minlength=height * width)
    totals = np.bincount(place, counts, minlength=len(table.owner))
    records = np.bincount(other, counts, minlength=width)
    share = counts * counts / (own_totals[cell] * totals[place])
    phi = np.maximum(np.bincount(other, share, minlength=width) - 1.0, 0.0)
    own_size = (own_totals.reshape(height, width) > 0).sum(axis=0)
    size = np.bincount(table.owner, totals > 0, minlength=width)
    return _v(phi, own_size.astype(float), size.astype(float), records.astype(float), corrected)


def _v(phi: Floats, first: Floats, second: Floats, records: Floats, corrected: bool) -> Floats:
    if corrected:
        freedom = np.maximum(records - 1, 1)
        phi = np.maximum(phi - (first - 1) * (second - 1) / freedom, 0.0)
        first, second = (k - (k - 1) ** 2 / freedom for k in (first, second))
    least = np.minimum(first, second) - 1
    found = np.full(len(phi), np.nan)
    # With as many categories as records there is no answer; rounding may give slightly more than zero.
    np.divide(phi, least, out=found, where=least > ROUNDING * records)
    return np.asarray(np.sqrt(np.minimum(found, 1.0)))


def correlation_ratios(table: Indicators, numbers: Sequence[Floats], corrected: bool = True) -> Floats:
    """η of every numeric (row) and categorical (column) pair; NaN where one of the two does not vary.

    η² is the share of the variance that lies between the categories; with `corrected` it is Kelley's
    ε² = 1 − (1 − η²)(n − 1)/(n − k). The numbers are centred.
    """
    block = np.column_stack(numbers)
    there = np.isfinite(block)
    zeroed = np.where(there, block, 0.0)
    by_category = table.matrix.T.tocsr()
    counts, sums, squares = (
        np.asarray(by_category @ values) for values in (there.astype(float), zeroed, zeroed * zeroed)
    )
    between = np.divide(sums * sums, counts, out=np.zeros_like(sums), where=counts > 0)
    size, total, square, inside, filled = (
        _per_column(values, table) for values in (counts, sums, squares, between, counts > 0)
    )
    mean_square = total * total / np.maximum(size, 1)
    spread = square - mean_square
    varies = (spread > ROUNDING * square) & (filled > 1)
    share = np.divide(inside - mean_square, spread, out=np.full(spread.shape, np.nan), where=varies)
    if corrected:
        freedom = size - filled
        factor = np.divide(size - 1, freedom, out=np.full(size.shape, np.nan), where=freedom > 0)
        share = 1 - (1 - share) * factor
    return np.asarray(np.sqrt(np.clip(share, 0.0, 1.0)).T)


def _per_column(values: Array, table: Indicators) -> Floats:
    """Sums over the categories of every column."""
    sums = np.zeros((table.columns, values.shape[1]))
    np.add.at(sums, table.owner, values)
    return sums

"""How strongly all pairs of a table's columns are associated, counted batch by batch.

Pearson's coefficient for numbers, Cramér's V for categories, η for one of each. The last two grow with the number of
categories even if columns are independent; corrected, they are then 0 on average, so that noise cannot pass for a kept
pattern.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushwood.arrays import Array, Flags, Floats, Integers
from hushwood.measures.columns.column_tallies import common_unit, label_count, weight_of
from hushwood.measures.columns.numeric_correlations import (
    ROUNDING,
    PairMoments,
    PairTally,
    about_mean,
    correlations,
)
from hushwood.tables.schema import Schema
from hushwood.tables.table import Table, label_columns

MOST_CELLS = 1 << 21  # of all pairs of columns together that are held between batches
# Sorting is cheaper than a counting table that is more than this many times as long as the columns.
_SPARSEST = 8
# Cells of a pair of columns that occur, ascending, and the records in each, or the sums of their survey weights.
_Cells = tuple[Integers, Integers | Floats]
_Batch = tuple[Sequence[NDArray[np.integer]], Floats | None]


@dataclass(frozen=True, slots=True)
class Associations:
    """The coefficients of all pairs of columns, NaN where there is none, and the moments of the numeric ones."""

    matrix: Floats
    moments: PairMoments | None


@dataclass(slots=True)
class PairAssociations:
    """What all coefficients of one table follow from."""

    names: Sequence[str]
    numeric: Flags
    categories: CategoryPairs
    numbers: PairTally | None = None
    by_category: CategoryMoments | None = None
    rows: int = 0
    weight: float = 0.0

    @classmethod
    def empty(cls, schema: Schema, names: Sequence[str]) -> PairAssociations:
        """Nothing counted yet."""
        numeric = np.array([schema[name].kind == "numeric" for name in names], bool)
        sizes = [label_count(schema[name]) for name, number in zip(names, numeric, strict=True) if not number]
        return cls(names, numeric, CategoryPairs(sizes))

    def add(self, table: Table) -> None:
        """Count more records."""
        if not table.rows:
            return
        self.rows += table.rows
        self.weight += weight_of(table)
        weights = table.weights
        columns = label_columns(table.schema, table.columns)
        numbers, codes = (
            [columns[name] for name, number in zip(self.names, self.numeric, strict=True) if number == wanted]
            for wanted in (True, False)
        )
        units = np.array([common_unit(values) for values in numbers])
        centred = [about_mean(values, unit) for values, unit in zip(numbers, units, strict=True)]
        own, centres = [values for values, _ in centred], np.array([centre for _, centre in centred])
        if own:
            self._merge_numbers(PairTally.of_centred(own, centres, units, weights))
        if codes:
            self.categories.add(codes, weights)
        if own and codes:
            coded = indicators(codes, self.categories.sizes)
            self._merge_by_category(CategoryMoments.of(coded, own, centres, units, weights))

    def merge(self, other: PairAssociations) -> None:
        """Add the records of another tally."""
        self.rows += other.rows
        self.weight += other.weight
        self.categories.merge(other.categories)
        if other.numbers is not None:
            self._merge_numbers(other.numbers)
        if other.by_category is not None:
            self._merge_by_category(other.by_category)

    def _merge_numbers(self, more: PairTally) -> None:
        if self.numbers is None:
            self.numbers = more
        else:
            self.numbers.merge(more)

    def _merge_by_category(self, more: CategoryMoments) -> None:
        if self.by_category is None:
            self.by_category = more
        else:
            self.by_category.merge(more)

    @property
    def overfull(self) -> bool:
        """Whether categories occur together in too many ways to count."""
        return self.categories.overfull

    @property
    def units(self) -> Floats:
        """The unit of every number."""
        return np.ones(int(self.numeric.sum())) if self.numbers is None else self.numbers.units

    def found(self, units: Floats, corrected: bool) -> Associations:
        """All coefficients; moments are in these units."""
        numeric, matrix = self.numeric, np.full((len(self.names), len(self.names)), np.nan)
        # Survey weights are scaled to a mean of 1: corrections ask how many records there are.
        scale = self.rows / self.weight if self.weight else 1.0
        moments = None if self.numbers is None else self.numbers.times(scale).moments(units)
        if moments is not None:
            matrix[np.ix_(numeric, numeric)] = correlations(moments)
        if self.rows and not numeric.all():
            matrix[np.ix_(~numeric, ~numeric)] = cramers_v(self.categories, corrected, scale)
        if self.by_category is not None and self.numbers is not None:
            sizes = self.categories.sizes
            owner = np.repeat(np.arange(len(sizes)), sizes)
            means = np.diag(self.numbers.means)
            ratios = self.by_category.times(scale).ratios(owner, len(sizes), means, corrected)
            if moments is not None:  # where a number does not vary, its means differ by rounding alone
                ratios[np.diag(moments.variances) == 0] = np.nan
            matrix[np.ix_(numeric, ~numeric)] = ratios
            matrix[np.ix_(~numeric, numeric)] = ratios.T
        np.fill_diagonal(matrix, np.where(np.isnan(np.diag(matrix)), np.nan, 1.0))
        return Associations(matrix, moments)


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


def indicators(columns: Sequence[NDArray[np.integer]], sizes: Sequence[int] | None = None) -> Indicators:
    """One column per category, as many as `sizes` says; missing values have no 1."""
    from scipy.sparse import csr_array

    sizes = _sizes(columns) if sizes is None else sizes
    first = np.concatenate([[0], np.cumsum(sizes, dtype=np.int64)])
    rows = [np.flatnonzero(codes >= 0) for codes in columns]
    places = [codes[there] + begin for codes, there, begin in zip(columns, rows, first[:-1], strict=True)]
    ones = np.ones(sum(map(len, rows)))
    shape = (len(columns[0]), int(first[-1]))
    matrix = csr_array((ones, (np.concatenate(rows), np.concatenate(places))), shape=shape)
    return Indicators(matrix, first, np.repeat(np.arange(len(sizes)), sizes))


def _sizes(columns: Sequence[NDArray[np.integer]]) -> list[int]:
    return [int(codes.max(initial=-1)) + 1 for codes in columns]


@dataclass(slots=True)
class CategoryPairs:
    """How often every two categories of every two columns occur together.

    The latest batch is kept as it is, and counted when the next one comes: of a single batch, one pair of columns is
    counted at a time. `overfull` says that more than `most` cells would have to be held.
    """

    sizes: Sequence[int]
    most: int = MOST_CELLS
    overfull: bool = False
    _batch: _Batch | None = None
    _held: dict[tuple[int, int], _Cells] = field(default_factory=dict)

    @classmethod
    def of(cls, columns: Sequence[NDArray[np.integer]]) -> CategoryPairs:
        """The pairs of one table."""
        return cls(_sizes(columns), _batch=(columns, None))

    def add(self, columns: Sequence[NDArray[np.integer]], weights: Floats | None = None) -> None:
        """Count more records."""
        self._settle()
        self._batch = columns, weights

    def merge(self, other: CategoryPairs) -> None:
        """Add the records of another tally."""
        self._settle()
        other._settle()
        self.overfull = self.overfull or other.overfull
        for pair, cells in other._held.items():
            self._held[pair] = _both(self._held.get(pair), cells)
        self._check()

    def _settle(self) -> None:
        if self._batch is not None and not self.overfull:
            self._held = {pair: self.together(*pair) for pair in self.pairs}
            self._check()
        self._batch = None

    def _check(self) -> None:
        self.overfull = self.overfull or sum(len(cells) for cells, _ in self._held.values()) > self.most
        if self.overfull:
            self._held = {}

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """All pairs of columns, each with itself as well."""
        return list(combinations_with_replacement(range(len(self.sizes)), 2))

    def together(self, one: int, other: int) -> _Cells:
        """The records of two columns by their categories: cell = category of one * size of the other + its own."""
        held = self._held.get((one, other))
        if self._batch is None:
            return held or (np.empty(0, np.int64), np.empty(0, np.int64))
        columns, weights = self._batch
        first, second = columns[one], columns[other]
        both = (first >= 0) & (second >= 0)
        cells = first[both].astype(np.int64) * self.sizes[other] + second[both]
        own = None if weights is None else weights[both]
        return _both(held, _counted(cells, self.sizes[one] * self.sizes[other], own))


def _counted(cells: Integers, size: int, weights: Floats | None) -> _Cells:
    if weights is not None:
        there, place = np.unique(cells, return_inverse=True)
        return there, np.bincount(place, weights, minlength=len(there))
    if size > _SPARSEST * max(len(cells), 1 << 12):
        return np.unique(cells, return_counts=True)
    counts = np.bincount(cells, minlength=size)
    there = np.flatnonzero(counts)
    return there, counts[there]


def _both(held: _Cells | None, more: _Cells) -> _Cells:
    if held is None:
        return more
    cells, place = np.unique(np.concatenate([held[0], more[0]]), return_inverse=True)
    counts = np.bincount(place, np.concatenate([held[1], more[1]]), minlength=len(cells))
    return cells, counts.astype(np.result_type(held[1], more[1]) if len(cells) else np.int64)


def cramers_v(pairs: CategoryPairs, corrected: bool = True, scale: float = 1.0) -> Floats:
    """Cramér's V of every pair of columns; NaN where one of the two does not vary.

    With `corrected`, by Bergsma (2013): φ² − (k−1)(r−1)/(n−1), with k and r lowered in the same manner. Survey weights
    are multiplied by `scale` to be records.
    """
    width = len(pairs.sizes)
    facts = np.zeros((4, width, width))
    for one, other in pairs.pairs:
        facts[:, one, other] = _phi(*pairs.together(one, other), pairs.sizes[other])
    phi, first, second, records = facts.reshape(4, -1)
    found = _v(phi, first, second, records * scale, corrected).reshape(width, width)
    return np.asarray(np.triu(found) + np.triu(found, 1).T)


def _phi(cells: Integers, counts: Integers | Floats, size: int) -> tuple[float, float, float, float]:
    """φ² of a pair of columns, how many of the categories of both occur, and the records."""
    first, second = cells // max(size, 1), cells % max(size, 1)
    own, other = (np.bincount(place, counts) for place in (first, second))
    share = counts * counts / (own[first] * other[second])
    found = max(float(share.sum()) - 1.0, 0.0)
    return found, float((own > 0).sum()), float((other > 0).sum()), float(counts.sum())


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


@dataclass(slots=True)
class CategoryMoments:
    """Numbers by category: how many, their mean and the squares about it, of every category (row) and number.

    Number j is in the unit `units[j]`.
    """

    units: Floats
    counts: Floats
    means: Floats
    squares: Floats

    @classmethod
    def of(
        cls,
        table: Indicators,
        numbers: Sequence[Floats],
        centres: Floats,
        units: Floats,
        weights: Floats | None = None,
    ) -> CategoryMoments:
        """One batch of centred numbers."""
        block = np.column_stack(numbers)
        there = np.isfinite(block)
        zeroed = np.where(there, block, 0.0)
        by_category = table.matrix.T.tocsr()
        if weights is not None:
            by_category = by_category @ _diagonal(weights)
        counts, sums, squares = (
            np.asarray(by_category @ values) for values in (there.astype(float), zeroed, zeroed * zeroed)
        )
        means = np.divide(sums, counts, out=np.zeros_like(sums), where=counts > 0)
        return cls(units, counts, means + centres, np.maximum(squares - sums * means, 0.0))

    def merge(self, other: CategoryMoments) -> None:
        """Add the records of another batch."""
        units = np.maximum(self.units, other.units)
        scale, more = self.units / units, other.units / units
        own, means = self.means * scale, other.means * more
        counts = self.counts + other.counts
        part = np.divide(other.counts, counts, out=np.zeros(counts.shape), where=counts > 0)
        gap = np.where((self.counts > 0) & (other.counts > 0), means - own, 0.0)
        self.squares = self.squares * scale**2 + other.squares * more**2 + gap * gap * self.counts * part
        self.means = np.where(self.counts > 0, own + gap * part, means)
        self.units, self.counts = units, counts

    def times(self, scale: float) -> CategoryMoments:
        """The same where every record counts that much more."""
        return CategoryMoments(self.units, self.counts * scale, self.means, self.squares * scale)

    def ratios(self, owner: Integers, columns: int, means: Floats, corrected: bool) -> Floats:
        """η of every numeric (row) and categorical (column) pair, given the means of whole columns in `units`.

        `owner` is the column of every category; some of the columns may have none.
        """
        size, filled, total, inside = (
            _per_column(values, owner, columns)
            for values in (self.counts, self.counts > 0, self.counts * self.means, self.squares)
        )
        mean = np.divide(total, size, out=np.zeros(size.shape), where=size > 0)
        away = self.means - mean[owner]
        between = _per_column(self.counts * away * away, owner, columns)
        spread = between + inside
        square = spread + size * (mean - means) ** 2
        varies = (spread > ROUNDING * square) & (filled > 1)
        share = np.divide(between, spread, out=np.full(spread.shape, np.nan), where=varies)
        if corrected:
            freedom = size - filled
            factor = np.divide(size - 1, freedom, out=np.full(size.shape, np.nan), where=freedom > 0)
            share = 1 - (1 - share) * factor
        return np.asarray(np.sqrt(np.clip(share, 0.0, 1.0)).T)


def correlation_ratios(table: Indicators, numbers: Sequence[Floats], corrected: bool = True) -> Floats:
    """η of every numeric (row) and categorical (column) pair; NaN where one of the two does not vary.

    η² is the share of the variance that lies between the categories; with `corrected` it is Kelley's
    ε² = 1 − (1 − η²)(n − 1)/(n − k). The numbers are centred.
    """
    nothing = np.zeros(len(numbers))
    found = CategoryMoments.of(table, numbers, nothing, np.ones(len(numbers)))
    return found.ratios(table.owner, len(table.first) - 1, nothing, corrected)


def _diagonal(values: Floats) -> Any:
    from scipy.sparse import diags_array

    return diags_array(values).tocsr()


def _per_column(values: Array, owner: Integers, columns: int) -> Floats:
    """Sums over the categories of every column."""
    sums = np.zeros((columns, values.shape[1]))
    np.add.at(sums, owner, values)
    return sums

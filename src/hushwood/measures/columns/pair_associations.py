"""How strongly all pairs of a table's columns are associated, counted batch by batch.

Pearson's coefficient for numbers, Cramér's V for categories, η for one of each.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hushwood.arrays import Flags, Floats
from hushwood.measures.columns.category_associations import (
    CategoryMoments,
    CategoryPairs,
    cramers_v,
    indicators,
)
from hushwood.measures.columns.column_tallies import label_count
from hushwood.measures.columns.numeric_columns import common_unit
from hushwood.measures.columns.numeric_correlations import PairMoments, PairTally, about_mean, correlations
from hushwood.measures.columns.survey_weights import weight_of
from hushwood.tables.schema import Schema
from hushwood.tables.table import Table, label_columns


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
            ratios = self.by_category.times(scale).ratios(owner, means, corrected)
            if moments is not None:  # where a number does not vary, its means differ by rounding alone
                ratios[np.diag(moments.variances) == 0] = np.nan
            matrix[np.ix_(numeric, ~numeric)] = ratios
            matrix[np.ix_(~numeric, numeric)] = ratios.T
        np.fill_diagonal(matrix, np.where(np.isnan(np.diag(matrix)), np.nan, 1.0))
        return Associations(matrix, moments)

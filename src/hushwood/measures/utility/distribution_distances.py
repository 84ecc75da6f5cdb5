"""Distribution distances: does every single column still have its distribution?

The cells are made in `columns/distributions`; what goes together is asked in
`correlations`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Any, TypedDict

import numpy as np

from hushwood.arrays import Array, Codes, Floats
from hushwood.detail_tables import DetailTable
from hushwood.measures.columns import distributions
from hushwood.measures.columns.column_tallies import (
    MOST_VALUES,
    NumberCounts,
    label_count,
    weight_of,
    with_weight,
)
from hushwood.measures.columns.distributions import NumericCells, category_counts, spread_counts
from hushwood.measures.protocol import Context, Details, Measure, Measurement, NotComputable
from hushwood.measures.publishing import PUBLIC, TWO_DECIMALS, column_table
from hushwood.tables.recoding.cells import Generalised
from hushwood.tables.schema import Attribute, Schema
from hushwood.tables.table import Table, label_columns

_MOST_IN_ALL = 1 << 22  # different numbers that are held of one table
_AVERAGED = ("total_variation", "hellinger", "kl", "chi_square_per_degree", "ks", "wasserstein")


_SHOWN = {
    "total_variation": "total variation",
    "hellinger": "Hellinger",
    "ks": "Kolmogorov-Smirnov",
    "wasserstein": "Wasserstein",
    "kl": "KL (bits)",
    "chi_square_per_degree": "chi-square per degree",
}


class ColumnDistances(TypedDict):
    """The distances of one column; outsiders see those that are shares."""

    column: Annotated[str, PUBLIC]
    kind: str
    total_variation: Annotated[float, TWO_DECIMALS]
    cells: int
    hellinger: Annotated[float, TWO_DECIMALS]
    kl: float
    chi_square: float | None
    degrees: int | None
    chi_square_per_degree: float | None
    chi_square_p: float | None
    ks: Annotated[float | None, TWO_DECIMALS]
    wasserstein: float | None
    outside: float | None
    missing_before: float
    missing_after: float


class DistanceDetails(TypedDict):
    """All columns, and the means of each distance."""

    columns: Annotated[list[ColumnDistances], PUBLIC]
    worst_column: str
    means: dict[str, float | None]


@dataclass(frozen=True, slots=True)
class DistributionDistances(Measure):
    """The mean over all columns, the class included, of the total variation between before and after."""

    name = "distribution_distances"
    title = "Distance of distributions"
    question = "What share of a column's values would have to move to restore the original distribution?"
    meaning = (
        "On average over the columns, this share of the values would have to move to restore the original "
        "distribution."
    )
    side = "utility"
    unit = "share"
    better = "lower"
    bounds = (0.0, 1.0)
    declared = DistanceDetails
    by_groups = True
    best = 0.0
    headline = 5
    yardstick = True

    of_pairs = False

    def tally(self, schema: Schema) -> ColumnCounts:
        """All columns of both tables, the class included, while they have few enough different numbers."""
        return ColumnCounts.empty(schema, _MOST_IN_ALL)

    def compute(self, original: Table, released: Table, context: Context) -> Measurement | NotComputable:
        """Compare column by column; cells are those of the original."""
        counts = ColumnCounts.empty(original.schema, None)
        counts.add(original, released)
        return counts.compared(_spread(counts, released, context.generalised), value_only=context.value_only)

    def tables(self, details: Details) -> tuple[DetailTable, ...]:
        """The distances of every column, largest first."""
        if not details:
            return ()
        says = (
            "Lower is better; the untouched table has 0 everywhere. Total variation, Hellinger and Kolmogorov-Smirnov "
            "are at most 1; Wasserstein is a share of the original's range."
        )
        title = "How far each column's distribution moved"
        return (column_table(title, says, details, _SHOWN, worst_by="total_variation"),)


_Counted = NumberCounts | Floats  # the different numbers, or records per category, the missing ones first


@dataclass(slots=True)
class ColumnCounts:
    """How often every value of every column occurs in both tables; with survey weights, sums of `weight`."""

    schema: Schema
    rows: tuple[int, int]
    columns: dict[str, tuple[_Counted, _Counted]]
    weight: tuple[float, float] = (0.0, 0.0)

    @classmethod
    def empty(cls, schema: Schema, most: int | None) -> ColumnCounts:
        """Nothing counted yet; columns of numbers may have that many different ones in all."""
        numeric = sum(attribute.kind == "numeric" for attribute in schema.measured)
        each = None if most is None else min(most // max(numeric, 1), MOST_VALUES)
        columns = {a.name: (_nothing(a, each), _nothing(a, each)) for a in schema.measured}
        return cls(schema, (0, 0), columns)

    def add(self, original: Table, released: Table, segment_ids: Codes | None = None) -> None:
        """Count more records."""
        original, released = with_weight(original), with_weight(released)
        before, after = (label_columns(table.schema, table.columns) for table in (original, released))
        own, other = original.weights, released.weights
        for name, (old, new) in self.columns.items():
            categories = label_count(self.schema[name])
            self.columns[name] = (
                _and(old, before[name], categories, own),
                _and(new, after[name], categories, other),
            )
        self.rows = self.rows[0] + original.rows, self.rows[1] + released.rows
        self.weight = self.weight[0] + weight_of(original), self.weight[1] + weight_of(released)

    def merge(self, other: ColumnCounts) -> None:
        """Add the records of another tally."""
        for name, (old, new) in self.columns.items():
            before, after = other.columns[name]
            self.columns[name] = _together(old, before), _together(new, after)
        self.rows = self.rows[0] + other.rows[0], self.rows[1] + other.rows[1]
        self.weight = self.weight[0] + other.weight[0], self.weight[1] + other.weight[1]

    def finish(self) -> Measurement | NotComputable | None:
        """The mean total variation; None where numbers were too many to count."""
        for both in self.columns.values():
            for counts in both:
                if isinstance(counts, NumberCounts):
                    counts.settle()
                    if counts.overfull:
                        return None
        return self.compared({}, value_only=False)

    def compared(self, spread: Mapping[str, Floats], *, value_only: bool) -> Measurement | NotComputable:
        """The answer; `spread` are the released cells of columns whose values stand for several."""
        if not all(self.rows):
            return NotComputable("One of the tables has no records, so it has no distribution.")
        # Weights are scaled to a mean of 1: some distances ask how many records there are.
        scale = self.rows[0] / self.weight[0], self.rows[1] / self.weight[1]
        columns = [
            _column(self.schema[name], both, spread.get(name), scale, value_only)
            for name, both in self.columns.items()
        ]
        value = float(np.mean([column["total_variation"] for column in columns]))
        if value_only:
            return Measurement(value)
        worst = max(columns, key=lambda column: column["total_variation"])
        details = {
            "columns": columns,
            "worst_column": worst["column"],
            "means": {name: _mean([column[name] for column in columns]) for name in _AVERAGED},
        }
        return Measurement(value, details)


def _nothing(attribute: Attribute, most: int | None) -> _Counted:
    return NumberCounts(most) if attribute.kind == "numeric" else np.zeros(1 + label_count(attribute))


def _and(counts: _Counted, column: Array, categories: int, weights: Floats | None) -> _Counted:
    """The counts with those of another batch."""
    if isinstance(counts, NumberCounts):
        return _together(counts, NumberCounts.of(column, weights=weights))
    return np.asarray(counts + category_counts(column, categories, weights=weights))


def _together(counts: _Counted, other: _Counted) -> _Counted:
    if isinstance(counts, NumberCounts) and isinstance(other, NumberCounts):
        counts.merge(other)
        return counts
    return np.asarray(np.asarray(counts) + np.asarray(other))


def _spread(
    counts: ColumnCounts, released: Table, generalised: Mapping[str, Generalised]
) -> dict[str, Floats]:
    """Released records per cell of the columns whose values stand for intervals or sets."""
    found: dict[str, Floats] = {}
    columns = label_columns(released.schema, released.columns)
    for name, groups in generalised.items():
        if name in counts.columns:
            before, after = counts.columns[name]
            if isinstance(before, NumberCounts):
                before.settle()
                cells = NumericCells.of_counts(before)
                found[name] = cells.counts(columns[name], groups, released.weights)
            else:
                found[name] = spread_counts(np.asarray(after).copy(), groups)
    return found


def _column(
    attribute: Attribute,
    both: tuple[_Counted, _Counted],
    spread: Floats | None,
    scale: tuple[float, float],
    value_only: bool,
) -> dict[str, Any]:
    before, after = both
    if isinstance(before, NumberCounts) and isinstance(after, NumberCounts):
        before.settle()
        after.settle()
        cells = NumericCells.of_counts(before)
        old, new = cells.counts_of(before), cells.counts_of(after)
        missing = before.missing, after.missing
    else:
        old, new = np.asarray(before), np.asarray(after)
        missing = old[0], new[0]
    rows = old.sum(), new.sum()
    old, new = old * scale[0], (new if spread is None else spread) * scale[1]
    facts: dict[str, Any] = {
        "column": attribute.name,
        "kind": attribute.kind,
        "total_variation": distributions.total_variation(old, new),
    }
    if value_only:
        return facts
    facts |= {
        "cells": int(((old > 0) | (new > 0)).sum()),
        "hellinger": distributions.hellinger(old, new),
        "kl": distributions.kl_divergence(old, new),
        **distributions.chi_square(old, new),
        "ks": None,
        "wasserstein": None,
        "outside": None,
        "missing_before": float(missing[0] / rows[0]),
        "missing_after": float(missing[1] / rows[1]),
    }
    if isinstance(before, NumberCounts) and isinstance(after, NumberCounts):
        facts |= distributions.counted_distances(before, after)
        facts["outside"] = float((new[1] + new[-1]) / new.sum()) if len(before.values) else None
    return facts


def _mean(values: list[float | None]) -> float | None:
    there = [value for value in values if value is not None]
    return float(np.mean(there)) if there else None

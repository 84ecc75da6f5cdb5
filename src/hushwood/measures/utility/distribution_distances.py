"""Distribution distances: does every single column still have its distribution?

The cells are made in `columns/distributions`; what goes together is asked in
`correlations`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hushwood.arrays import Array, Floats
from hushwood.detail_tables import DetailTable
from hushwood.measures.columns import distributions
from hushwood.measures.columns.distributions import NumericCells, category_counts
from hushwood.measures.columns.numeric_columns import known
from hushwood.measures.protocol import Context, Details, Measure, Measurement, NotComputable
from hushwood.measures.publishing.column_tables import column_table, publishable_columns
from hushwood.tables.generalised.columns import Generalised
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table, label_columns, label_names, missing_values

_AVERAGED = ("total_variation", "hellinger", "kl", "chi_square_per_degree", "ks", "wasserstein")


_SHOWN = {
    "total_variation": "total variation",
    "hellinger": "Hellinger",
    "ks": "Kolmogorov-Smirnov",
    "wasserstein": "Wasserstein",
    "kl": "KL (bits)",
    "chi_square_per_degree": "chi-square per degree",
}


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
    best = 0.0
    headline = 5
    yardstick = True

    def compute(self, original: Table, released: Table, context: Context) -> Measurement | NotComputable:
        """Compare column by column; cells are those of the original."""
        if not original.rows or not released.rows:
            return NotComputable("One of the tables has no records, so it has no distribution.")
        before, after = (label_columns(table.schema, table.columns) for table in (original, released))
        columns = [
            _column(_seen(original, name), before[name], after[name], context) for name in original.columns
        ]
        value = float(np.mean([column["total_variation"] for column in columns]))
        if context.value_only:
            return Measurement(value)
        worst = max(columns, key=lambda column: column["total_variation"])
        details = {
            "columns": columns,
            "worst_column": worst["column"],
            "means": {name: _mean([column[name] for column in columns]) for name in _AVERAGED},
        }
        return Measurement(value, details)

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

    def publishable_details(self, details: Details) -> dict[str, Any]:
        """The distances that are shares."""
        return publishable_columns(details, ("total_variation", "hellinger", "ks"))


@dataclass(frozen=True, slots=True)
class _Seen:
    """A column as it is counted: the categories of a binned class are its bins."""

    attribute: Attribute
    categories: int


def _seen(table: Table, name: str) -> _Seen:
    attribute = table.schema[name]
    return _Seen(attribute, len(attribute.categories if attribute.response else label_names(attribute)))


def _column(seen: _Seen, before: Array, after: Array, context: Context) -> dict[str, Any]:
    name, kind = seen.attribute.name, seen.attribute.kind
    groups = context.generalised.get(name)
    old, new = _counts(seen, before, after, groups)
    facts: dict[str, Any] = {
        "column": name,
        "kind": kind,
        "total_variation": distributions.total_variation(old, new),
    }
    if context.value_only:
        return facts
    facts |= {
        "cells": int(((old > 0) | (new > 0)).sum()),
        "hellinger": distributions.hellinger(old, new),
        "kl": distributions.kl_divergence(old, new),
        **distributions.chi_square(old, new),
        "ks": None,
        "wasserstein": None,
        "outside": None,
        "missing_before": float(missing_values(before).mean()),
        "missing_after": float(missing_values(after).mean()),
    }
    if kind == "numeric":
        facts |= distributions.sample_distances(known(before), known(after))
        facts["outside"] = float((new[1] + new[-1]) / new.sum()) if len(known(before)) else None
    return facts


def _counts(
    seen: _Seen, before: Array, after: Array, generalised: Generalised | None
) -> tuple[Floats, Floats]:
    if seen.attribute.kind == "numeric":
        cells = NumericCells.of(before)
        return cells.counts(before), cells.counts(after, generalised)
    size = seen.categories
    return category_counts(before, size), category_counts(after, size, generalised)


def _mean(values: list[float | None]) -> float | None:
    there = [value for value in values if value is not None]
    return float(np.mean(there)) if there else None

"""Distribution distances: does every column, taken alone, still look as it did?

The cells are made in `distribution_cells`, the distances in `divergences`; what goes together is asked in
`correlations`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from hushwood.measures.protocol import Context, Direction, Measurement, NotComputable, Side
from hushwood.measures.utility import divergences
from hushwood.measures.utility.distribution_cells import Counts, NumericCells, category_counts
from hushwood.measures.utility.numeric_columns import known
from hushwood.tables.generalised import Generalised
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Array, Table, class_labels, label_columns, missing_values

_AVERAGED = ("total_variation", "hellinger", "kl", "chi_square_per_degree", "ks", "wasserstein")


@dataclass(frozen=True, slots=True)
class DistributionDistances:
    """The mean over all columns, the class among them, of the total variation between before and after."""

    name: ClassVar[str] = "distribution_distances"
    question: ClassVar[str] = (
        "What share of a column's values would have to move to give the original's distribution?"
    )
    side: ClassVar[Side] = "utility"
    better: ClassVar[Direction] = "lower"
    bounds: ClassVar[tuple[float | None, float | None]] = (0.0, 1.0)
    best: ClassVar[float | None] = 0.0

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


@dataclass(frozen=True, slots=True)
class _Seen:
    """A column as it is counted: a class that is cut into groups has the groups for categories."""

    attribute: Attribute
    categories: int


def _seen(table: Table, name: str) -> _Seen:
    attribute = table.schema[name]
    names = class_labels(table)[1] if attribute.role == "class" else attribute.categories
    return _Seen(attribute, len(names))


def _column(seen: _Seen, before: Array, after: Array, context: Context) -> dict[str, Any]:
    name, kind = seen.attribute.name, seen.attribute.kind
    groups = context.generalised.get(name)
    old, new = _counts(seen, before, after, groups)
    facts: dict[str, Any] = {
        "column": name,
        "kind": kind,
        "total_variation": divergences.total_variation(old, new),
    }
    if context.value_only:
        return facts
    facts |= {
        "cells": int(((old > 0) | (new > 0)).sum()),
        "hellinger": divergences.hellinger(old, new),
        "kl": divergences.kl_divergence(old, new),
        **divergences.chi_square(old, new),
        "ks": None,
        "wasserstein": None,
        "outside": None,
        "missing_before": float(missing_values(before).mean()),
        "missing_after": float(missing_values(after).mean()),
    }
    if kind == "numeric":
        facts |= divergences.sample_distances(known(before), known(after))
        facts["outside"] = float((new[1] + new[-1]) / new.sum()) if len(known(before)) else None
    return facts


def _counts(
    seen: _Seen, before: Array, after: Array, generalised: Generalised | None
) -> tuple[Counts, Counts]:
    if seen.attribute.kind == "numeric":
        cells = NumericCells.of(before)
        return cells.counts(before), cells.counts(after, generalised)
    size = seen.categories
    return category_counts(before, size), category_counts(after, size, generalised)


def _mean(values: list[float | None]) -> float | None:
    there = [value for value in values if value is not None]
    return float(np.mean(there)) if there else None

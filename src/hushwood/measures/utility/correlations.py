"""Correlations: do columns that went together still do so, over all pairs of columns and inside segments?

The coefficients come from `numeric_correlations` (Pearson, Spearman) and `category_associations` (Cramér's V, η);
the covariance matrices are compared in `covariance_comparison`, segments in `segment_correlations`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from hushwood.measures.protocol import Context, Direction, Measurement, NotComputable, Side
from hushwood.measures.utility.category_associations import correlation_ratios, cramers_v, indicators
from hushwood.measures.utility.covariance_comparison import compared_covariances
from hushwood.measures.utility.learnable import nothing_to_learn
from hushwood.measures.utility.numeric_columns import Numbers, common_unit, numeric_names
from hushwood.measures.utility.numeric_correlations import (
    PairMoments,
    centred,
    correlations,
    pair_moments,
    spearman,
)
from hushwood.measures.utility.segment_correlations import segment_changes
from hushwood.tables.table import Table, label_columns
from hushwood.trees.routing import leaf_of_each

WIDEST = 60  # columns
LARGEST_CHANGES = 20  # pairs that are listed

Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Correlations:
    """The largest change of a coefficient over all pairs of columns, the class among them.

    `corrected` takes from Cramér's V and η what chance alone gives them. A pair that has no coefficient in one of
    the tables, because a column does not vary there, counts as 0 in that table; with none in both it is left out.
    """

    corrected: bool = True

    name: ClassVar[str] = "correlations"
    question: ClassVar[str] = "How much did the correlation of the worst pair of columns change?"
    side: ClassVar[Side] = "utility"
    better: ClassVar[Direction] = "lower"
    bounds: ClassVar[tuple[float | None, float | None]] = (0.0, 2.0)
    best: ClassVar[float | None] = 0.0

    def compute(self, original: Table, released: Table, context: Context) -> Measurement | NotComputable:
        """Compare the coefficients of all pairs, at most of sixty columns."""
        names = _chosen(original)
        units = {
            name: common_unit(original.columns[name], released.columns[name])
            for name in numeric_names(original)
        }
        before, after = (_side(table, names, units, self.corrected) for table in (original, released))
        known = ~(np.isnan(before.matrix) & np.isnan(after.matrix))
        np.fill_diagonal(known, False)
        if not known.any():
            return NotComputable(
                "No two columns vary over the records that have both, so nothing goes together."
            )
        change = np.where(known, np.abs(np.nan_to_num(before.matrix) - np.nan_to_num(after.matrix)), 0.0)
        value = float(change.max())
        if context.value_only:
            return Measurement(value)
        details = {
            "names": names,
            "kinds": _kinds(before.numeric),
            "before": _plain(before.matrix),
            "after": _plain(after.matrix),
            "largest_change": value,
            "mean_change": float(change[known].mean()),
            "largest": _largest(names, change, known, before, after),
            "left_out": len(original.columns) - len(names),
            "numeric": before.names,
            **_numeric_details(before, after),
            "within_segments": _inside(before, after, context),
        }
        return Measurement(value, details)


@dataclass(frozen=True, slots=True)
class _Side:
    """One of the two tables: the coefficients of all pairs, and the numeric columns, centred, with their moments."""

    matrix: Matrix
    numeric: NDArray[np.bool_]
    names: list[str]
    columns: list[Numbers]
    moments: PairMoments | None


def _side(table: Table, names: list[str], units: Mapping[str, float], corrected: bool) -> _Side:
    columns = label_columns(table.schema, table.columns)
    numeric = np.array([name in units for name in names])
    numbers = [centred(columns[name], units[name]) for name in names if name in units]
    matrix = np.full((len(names), len(names)), np.nan)
    moments = pair_moments(numbers) if numbers and table.rows else None
    if moments is not None:
        matrix[np.ix_(numeric, numeric)] = correlations(moments)
    categories = [columns[name] for name in names if name not in units]
    if categories and table.rows:
        coded = indicators(categories)
        matrix[np.ix_(~numeric, ~numeric)] = cramers_v(coded, corrected)
        if numbers:
            ratios = correlation_ratios(coded, numbers, corrected)
            matrix[np.ix_(numeric, ~numeric)] = ratios
            matrix[np.ix_(~numeric, numeric)] = ratios.T
    np.fill_diagonal(matrix, np.where(np.isnan(np.diag(matrix)), np.nan, 1.0))
    return _Side(matrix, numeric, [name for name in names if name in units], numbers, moments)


def _chosen(table: Table) -> list[str]:
    """All columns, or the first of a very wide table and its class."""
    names = list(table.columns)
    target = table.schema.class_attribute
    if len(names) <= WIDEST:
        return names
    kept = names[:WIDEST]
    if target is not None and target.name not in kept:
        kept[-1] = target.name
    return kept


def _kinds(numeric: NDArray[np.bool_]) -> list[list[str]]:
    """Which coefficient every pair has."""
    kind = {2: "pearson", 1: "eta", 0: "cramers_v"}
    return [[kind[int(first) + int(second)] for second in numeric] for first in numeric]


def _plain(matrix: Matrix) -> list[list[float | None]]:
    return [[None if value != value else value for value in row] for row in matrix.tolist()]


def _largest(
    names: list[str], change: Matrix, known: NDArray[np.bool_], before: _Side, after: _Side
) -> list[dict[str, Any]]:
    first, second = np.nonzero(np.triu(known, 1))
    order = np.argsort(-change[first, second], kind="stable")[:LARGEST_CHANGES]
    old, new, kinds = _plain(before.matrix), _plain(after.matrix), _kinds(before.numeric)
    return [
        {
            "first": names[i],
            "second": names[j],
            "kind": kinds[i][j],
            "before": old[i][j],
            "after": new[i][j],
            "change": float(change[i, j]),
        }
        for i, j in zip(first[order].tolist(), second[order].tolist(), strict=True)
    ]


def _numeric_details(before: _Side, after: _Side) -> dict[str, Any]:
    """Spearman's coefficients and the covariances of the numeric columns; None with fewer than two of them."""
    if len(before.names) < 2 or before.moments is None or after.moments is None:
        return {"spearman": None, "covariance": None}
    ranks = {"before": _plain(spearman(before.columns)), "after": _plain(spearman(after.columns))}
    return {"spearman": ranks, "covariance": compared_covariances(before.moments, after.moments)}


def _inside(before: _Side, after: _Side, context: Context) -> dict[str, Any] | None:
    """Changes within the release's segments or, where these are not known, the leaves of the original's tree."""
    pairs = context.paired_rows()
    ids, of = context.segment_ids, "segments"
    if pairs is None or (ids is None and nothing_to_learn(context)):
        return None
    if ids is None:
        grown, table = context.original_grown.tree, context.original_grown.table
        ids, of = leaf_of_each(grown.trees[0], grown, table.columns), "leaves of the original's tree"
    rows, partners = pairs
    old, new = [values[rows] for values in before.columns], [values[partners] for values in after.columns]
    found = segment_changes(old, new, ids[rows])
    return None if found is None else {"of": of, **found}

"""Correlations: are columns still correlated as before, over all pairs of columns and inside segments?

The coefficients come from `numeric_correlations` (Pearson, Spearman) and `category_associations` (Cramér's V, η),
those inside segments from `segment_correlations`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hushwood.arrays import Flags, Floats
from hushwood.measures.columns.category_associations import correlation_ratios, cramers_v, indicators
from hushwood.measures.columns.numeric_columns import common_unit, numeric_names
from hushwood.measures.columns.numeric_correlations import (
    PairMoments,
    centred,
    compared_covariances,
    correlations,
    pair_moments,
    spearman,
)
from hushwood.measures.columns.segment_correlations import segment_changes
from hushwood.measures.protocol import Context, Details, Measure, Measurement, NotComputable
from hushwood.measures.publishing.small_counts import chosen, two_decimals
from hushwood.tables.table import Table, label_columns
from hushwood.trees.routing import leaf_of_each

WIDEST = 60  # columns
LARGEST_CHANGES = 20  # pairs that are listed


@dataclass(frozen=True, slots=True)
class Correlations(Measure):
    """The largest change of a coefficient over all pairs of columns, the class included.

    `corrected` subtracts from Cramér's V and η what chance alone gives. A pair without a coefficient in one of the
    tables, because a column is constant there, counts as 0 in that table; a pair without any is ignored.
    """

    corrected: bool = True

    name = "correlations"
    title = "Largest change of a correlation"
    question = "How much did the correlation of the most affected pair of columns change?"
    meaning = (
        "The correlation of one pair of columns changed by this much, and no other pair's changed more; 1 "
        "is a complete correlation."
    )
    side = "utility"
    unit = "number"
    better = "lower"
    bounds = (0.0, 2.0)
    best = 0.0
    headline = 4
    yardstick = True

    def compute(self, original: Table, released: Table, context: Context) -> Measurement | NotComputable:
        """Compare the coefficients of all pairs of at most sixty columns."""
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
                "No two columns vary over the records that have both, so there is no correlation."
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

    def publishable_details(self, details: Details) -> dict[str, Any]:
        """The matrices, rounded, and the mean changes."""
        inside = details.get("within_segments")
        return {
            **chosen(details, ("names", "kinds")),
            "before": [[two_decimals(value) for value in row] for row in details["before"]],
            "after": [[two_decimals(value) for value in row] for row in details["after"]],
            "mean_change": two_decimals(details.get("mean_change")),
            "within_segments": {"mean_change": two_decimals(inside["mean_change"])} if inside else None,
        }


@dataclass(frozen=True, slots=True)
class _Side:
    """One of the two tables: the coefficients of all pairs, and the numeric columns, centred, with their moments."""

    matrix: Floats
    numeric: Flags
    names: list[str]
    columns: list[Floats]
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
    """All columns, or the first columns of a very wide table and its class."""
    names = list(table.columns)
    target = table.schema.class_attribute
    if len(names) <= WIDEST:
        return names
    kept = names[:WIDEST]
    if target is not None and target.name not in kept:
        kept[-1] = target.name
    return kept


def _kinds(numeric: Flags) -> list[list[str]]:
    """Which coefficient every pair has."""
    kind = {2: "pearson", 1: "eta", 0: "cramers_v"}
    return [[kind[int(first) + int(second)] for second in numeric] for first in numeric]


def _plain(matrix: Floats) -> list[list[float | None]]:
    return [[None if value != value else value for value in row] for row in matrix.tolist()]


def _largest(
    names: list[str], change: Floats, known: Flags, before: _Side, after: _Side
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
    """Spearman's coefficients and the covariances of the numeric columns; None if there are fewer than two."""
    if len(before.names) < 2 or before.moments is None or after.moments is None:
        return {"spearman": None, "covariance": None}
    ranks = {"before": _plain(spearman(before.columns)), "after": _plain(spearman(after.columns))}
    return {"spearman": ranks, "covariance": compared_covariances(before.moments, after.moments)}


def _inside(before: _Side, after: _Side, context: Context) -> dict[str, Any] | None:
    """Changes within the release's segments or, if these are not known, the leaves of the original's tree."""
    pairs = context.paired_rows()
    ids, of = context.segment_ids, "segments"
    if pairs is None or (ids is None and context.nothing_to_learn()):
        return None
    if ids is None:
        grown, table = context.original_grown.tree, context.original_grown.table
        ids, of = leaf_of_each(grown.trees[0], grown, table.columns), "leaves of the original's tree"
    rows, partners = pairs
    old, new = [values[rows] for values in before.columns], [values[partners] for values in after.columns]
    found = segment_changes(old, new, ids[rows])
    return None if found is None else {"of": of, **found}


Matrix = Sequence[Sequence[float | None]]


@dataclass(frozen=True, slots=True)
class Matrices:
    """The coefficients of all pairs of columns before and after, and of which kind each is."""

    names: Sequence[str]
    kinds: Sequence[Sequence[str]]
    before: Matrix
    after: Matrix


def matrices(details: Details) -> Matrices | None:
    """The matrices behind the measure's number, if its details have them."""
    if not details:
        return None
    return Matrices(details["names"], details["kinds"], details["before"], details["after"])


def mean_changes(details: Details) -> str:
    """How much pairs of columns changed on average, over the whole table and inside segments."""
    mean, inside = details.get("mean_change"), details.get("within_segments")
    said = (
        []
        if mean is None
        else [f"On average over all pairs of columns, the correlation changed by {mean:.2f}."]
    )
    if inside:
        said.append(
            "Inside the segments, where values change, correlations of numbers changed by "
            f"{inside['mean_change']:.2f} on average."
        )
    return " ".join(said)

"""Correlations: are columns still correlated as before, over all pairs of columns and inside segments?

The coefficients come from `numeric_correlations` (Pearson, Spearman) and `category_associations` (Cramér's V, η),
those inside segments from `segment_correlations`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, TypedDict

import numpy as np

from hushwood.arrays import Codes, Flags, Floats
from hushwood.measures.columns.column_tallies import numeric_names, with_weight
from hushwood.measures.columns.numeric_correlations import (
    centred,
    compared_covariances,
    segment_changes,
    spearman,
)
from hushwood.measures.columns.pair_associations import Associations, PairAssociations
from hushwood.measures.protocol import Context, Details, Measure, Measurement, NotComputable
from hushwood.measures.publishing import PUBLIC, TWO_DECIMALS
from hushwood.tables.schema import Schema
from hushwood.tables.table import Table, label_columns
from hushwood.trees.routing import leaf_of_each

WIDEST = 60  # columns
LARGEST_CHANGES = 20  # pairs that are listed


Matrix = Sequence[Sequence[float | None]]


class ChangedPair(TypedDict):
    """A pair of columns whose coefficient changed."""

    first: str
    second: str
    kind: str
    before: float | None
    after: float | None
    change: float


class ChangesInSegments(TypedDict):
    """How much correlations changed inside segments."""

    of: str
    mean_change: Annotated[float, TWO_DECIMALS]
    largest_change: float
    segments: int
    all_segments: int
    records: int
    smallest_segment: int


class Matrices(TypedDict):
    """The coefficients of all pairs of columns before and after, and of which kind each is."""

    names: Annotated[Sequence[str], PUBLIC]
    kinds: Annotated[Sequence[Sequence[str]], PUBLIC]
    before: Annotated[Matrix, TWO_DECIMALS]
    after: Annotated[Matrix, TWO_DECIMALS]


class CorrelationDetails(Matrices):
    """What else was found about them."""

    largest_change: float
    mean_change: Annotated[float, TWO_DECIMALS]
    largest: list[ChangedPair]
    left_out: int
    numeric: list[str]
    covariance: dict[str, Any] | None
    spearman: dict[str, Matrix] | None
    within_segments: Annotated[ChangesInSegments | None, PUBLIC]


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
    declared = CorrelationDetails
    by_groups = True
    best = 0.0
    headline = 4
    yardstick = True

    of_pairs = False

    def tally(self, schema: Schema) -> CoefficientsOfBoth:
        """The coefficients of all pairs of at most sixty columns, in both tables."""
        names = _chosen(schema)
        before, after = (PairAssociations.empty(schema, names) for _ in range(2))
        return CoefficientsOfBoth(names, before, after, len(schema.measured) - len(names), self.corrected)

    def compute(self, original: Table, released: Table, context: Context) -> Measurement | NotComputable:
        """Compare the coefficients of all pairs of at most sixty columns; details tell of ranks and segments."""
        both = self.tally(original.schema)
        both.add(original, released)
        found = both.compared(value_only=context.value_only)
        if context.value_only or not isinstance(found, Measurement):
            return found
        numeric = [name for name in both.names if name in numeric_names(original)]
        before, after = (
            [centred(columns[name]) for name in numeric]
            for columns in (label_columns(table.schema, table.columns) for table in (original, released))
        )
        ranks = _ranks(before, after, original.weights, released.weights)
        further = {"spearman": ranks, "within_segments": _inside(before, after, context)}
        return replace(found, details={**found.details, **further})


@dataclass(slots=True)
class CoefficientsOfBoth:
    """The associations of all pairs of columns before and after."""

    names: list[str]
    before: PairAssociations
    after: PairAssociations
    left_out: int
    corrected: bool

    def add(self, original: Table, released: Table, segment_ids: Codes | None = None) -> None:
        """Count more records."""
        self.before.add(with_weight(original))
        self.after.add(with_weight(released))

    def merge(self, other: CoefficientsOfBoth) -> None:
        """Add the records of another tally."""
        self.before.merge(other.before)
        self.after.merge(other.after)

    def finish(self) -> Measurement | NotComputable | None:
        """The largest change; None where categories occur together in too many ways to count."""
        if self.before.overfull or self.after.overfull:
            return None
        return self.compared(value_only=False)

    def compared(self, *, value_only: bool) -> Measurement | NotComputable:
        """The largest change, and all coefficients."""
        units = np.maximum(self.before.units, self.after.units)
        before, after = (side.found(units, self.corrected) for side in (self.before, self.after))
        known = ~(np.isnan(before.matrix) & np.isnan(after.matrix))
        np.fill_diagonal(known, False)
        if not known.any():
            return NotComputable(
                "No two columns vary over the records that have both, so there is no correlation."
            )
        change = np.where(known, np.abs(np.nan_to_num(before.matrix) - np.nan_to_num(after.matrix)), 0.0)
        value = float(change.max())
        if value_only:
            return Measurement(value)
        numeric = self.before.numeric
        details = {
            "names": self.names,
            "kinds": _kinds(numeric),
            "before": _plain(before.matrix),
            "after": _plain(after.matrix),
            "largest_change": value,
            "mean_change": float(change[known].mean()),
            "largest": _largest(self.names, change, known, before, after, _kinds(numeric)),
            "left_out": self.left_out,
            "numeric": [name for name, number in zip(self.names, numeric, strict=True) if number],
            "covariance": _covariances(before, after),
        }
        return Measurement(value, details)


def _chosen(schema: Schema) -> list[str]:
    """All columns, or the first columns of a very wide table and its class."""
    names = [attribute.name for attribute in schema.measured]
    target = schema.class_attribute
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
    names: list[str],
    change: Floats,
    known: Flags,
    before: Associations,
    after: Associations,
    kinds: list[list[str]],
) -> list[dict[str, Any]]:
    first, second = np.nonzero(np.triu(known, 1))
    order = np.argsort(-change[first, second], kind="stable")[:LARGEST_CHANGES]
    old, new = _plain(before.matrix), _plain(after.matrix)
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


def _covariances(before: Associations, after: Associations) -> dict[str, Any] | None:
    """How the covariances of the numeric columns changed; None if there are fewer than two."""
    if before.moments is None or after.moments is None or len(before.moments.counts) < 2:
        return None
    return compared_covariances(before.moments, after.moments)


def _ranks(
    before: Sequence[Floats], after: Sequence[Floats], own: Floats | None, other: Floats | None
) -> dict[str, Any] | None:
    """Spearman's coefficients of the numeric columns; None if there are fewer than two, or no records."""
    if len(before) < 2 or not len(before[0]) or not len(after[0]):
        return None
    return {"before": _plain(spearman(before, own)), "after": _plain(spearman(after, other))}


def _inside(before: Sequence[Floats], after: Sequence[Floats], context: Context) -> dict[str, Any] | None:
    """Changes within the release's segments or, if these are not known, the leaves of the original's tree."""
    pairs = context.paired_rows()
    ids, of = context.segment_ids, "segments"
    if pairs is None or (ids is None and context.nothing_to_learn()):
        return None
    if ids is None:
        grown, table = context.original_grown.tree, context.original_grown.table
        ids, of = leaf_of_each(grown.trees[0], grown, table.columns), "leaves of the original's tree"
    rows, partners = pairs
    old, new = [values[rows] for values in before], [values[partners] for values in after]
    found = segment_changes(old, new, ids[rows])
    return None if found is None else {"of": of, **found}


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

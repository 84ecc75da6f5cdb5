"""Means and variances: how far the centre and the spread of every numeric column moved."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Annotated, Any, TypedDict

import numpy as np

from hushwood.arrays import Codes
from hushwood.detail_tables import DetailTable
from hushwood.measures.columns.column_tallies import ENDS, MomentTally, Outermost, finite_or_none, with_weight
from hushwood.measures.protocol import Context, Details, Measure, Measurement, NotComputable
from hushwood.measures.publishing import PUBLIC, Public, column_table, two_decimals
from hushwood.tables.schema import Schema
from hushwood.tables.table import Table

_SHOWN = {
    "mean_before": "mean before",
    "mean_after": "after",
    "variance_before": "variance before",
    "variance_after": "after",
    "shift_in_sd": "shift (sd)",
    "variance_ratio": "variance ratio",
}
Moments = tuple[float | None, float | None]


_NAMED = 3  # columns


def _unless_far_out(value: float | None, stands_out: bool | None) -> float | None:
    return None if stands_out else two_decimals(value)


class ColumnMoments(TypedDict):
    """Mean and variance of one column.

    Outsiders see its shift and ratio, but nothing of a column in which someone stands far out: one large number makes
    up most of a variance, and follows from the ratio and the released numbers.
    """

    column: Annotated[str, PUBLIC]
    mean_before: float | None
    variance_before: float | None
    missing_before: float
    mean_after: float | None
    variance_after: float | None
    missing_after: float
    shift_in_sd: Annotated[float | None, Public(_unless_far_out, "stands_out")]
    variance_ratio: Annotated[float | None, Public(_unless_far_out, "stands_out")]
    left_out: str | None
    stands_out: bool


class MomentDetails(TypedDict):
    """All numeric columns."""

    columns: Annotated[list[ColumnMoments], PUBLIC]
    worst_column: str
    mean_shift: float


@dataclass(frozen=True, slots=True)
class MeansAndVariances(Measure):
    """The largest shift of a mean, in standard deviations of the original column."""

    name = "means_and_variances"
    title = "Largest shift of a mean"
    question = "How far did the mean of the most affected numeric column move, in standard deviations?"
    meaning = "The mean that moved most shifted by this many of its column's standard deviations."
    side = "utility"
    unit = "deviations"
    better = "lower"
    bounds = (0.0, None)
    declared = MomentDetails
    by_groups = True
    best = 0.0

    of_pairs = False

    def tally(self, schema: Schema) -> MomentsOfBoth:
        """Moments of all numeric columns of both tables."""
        numeric = [a for a in schema.measured if a.kind == "numeric"]
        ends = {a.name: Outermost.of(a) for a in numeric}
        return MomentsOfBoth({a.name: (MomentTally(), MomentTally()) for a in numeric}, ends)

    def compute(self, original: Table, released: Table, context: Context) -> Measurement | NotComputable:
        """Compare all numeric columns that vary in the original and have values in the release."""
        both = self.tally(original.schema)
        both.add(original, released)
        found = both.finish()
        return replace(found, details={}) if context.value_only and isinstance(found, Measurement) else found

    def tables(self, details: Details) -> tuple[DetailTable, ...]:
        """Every numeric column, largest shift first."""
        if not details:
            return ()
        says = "The shift is in standard deviations of the original, best 0; the ratio of the variances is best 1."
        return (column_table("Means and variances", says, details, _SHOWN, worst_by="shift_in_sd"),)

    def remarks(self, details: Details) -> str:
        """The means that moved furthest, in their own unit."""
        known = [c for c in details.get("columns", ()) if c.get("shift_in_sd") and "mean_before" in c]
        worst = sorted(known, key=lambda c: -abs(c["shift_in_sd"]))[:_NAMED]
        said = ", ".join(f"{c['column']} {c['mean_before']:.4g} and {c['mean_after']:.4g}" for c in worst)
        return f"Means before and after: {said}." if said else ""

    def rounded(self, value: float | None, records: int) -> float | None:
        """One digit: more would tell the deviation of a column, and with it a number far out."""
        return None if value is None else round(float(f"{value:.1g}"), 2)


@dataclass(slots=True)
class MomentsOfBoth:
    """The moments of every numeric column before and after, and the ends of the original."""

    columns: dict[str, tuple[MomentTally, MomentTally]] = field(default_factory=dict)
    ends: dict[str, Outermost] = field(default_factory=dict)

    def add(self, original: Table, released: Table, segment_ids: Codes | None = None) -> None:
        """Count more records."""
        original, released = with_weight(original), with_weight(released)
        own, other = original.weights, released.weights
        for name, (before, after) in self.columns.items():
            before.merge(MomentTally.of(original.columns[name], own))
            after.merge(MomentTally.of(released.columns[name], other))
            self.ends[name].add(original.columns[name])

    def merge(self, other: MomentsOfBoth) -> None:
        """Add the records of another tally."""
        for name, both in self.columns.items():
            for own, more in zip(both, other.columns[name], strict=True):
                own.merge(more)
            self.ends[name].merge(other.ends[name])

    def finish(self) -> Measurement | NotComputable:
        """The largest shift."""
        if not self.columns:
            return NotComputable("The table has no numeric column.")
        columns = [
            _column(name, *both) | {"stands_out": any(any(self.ends[name].standing_out(end)) for end in ENDS)}
            for name, both in self.columns.items()
        ]
        shifts = {c["column"]: abs(c["shift_in_sd"]) for c in columns if c["shift_in_sd"] is not None}
        if not shifts:
            return NotComputable(
                "No numeric column has two different values in the original and a value in the release."
            )
        worst = max(shifts, key=lambda name: shifts[name])
        details = {
            "columns": columns,
            "worst_column": worst,
            "mean_shift": float(np.mean(list(shifts.values()))),
        }
        return Measurement(shifts[worst], details)


def _column(name: str, original: MomentTally, released: MomentTally) -> dict[str, Any]:
    """Means and sample variances before and after, the shift of the mean and the ratio of the variances."""
    before, after = original.mean_and_sd(), released.mean_and_sd()
    facts: dict[str, Any] = {"column": name}
    for when, (mean, sd), column in (("before", before, original), ("after", after, released)):
        facts[f"mean_{when}"] = mean
        facts[f"variance_{when}"] = None if sd is None else finite_or_none(sd * sd)
        facts[f"missing_{when}"] = column.missing
    return facts | _shift(before, after)


def _shift(before: Moments, after: Moments) -> dict[str, Any]:
    """The shift in standard deviations of the original; a constant column has none."""
    (mean, sd), (new_mean, new_sd) = before, after
    nothing = {"shift_in_sd": None, "variance_ratio": None}
    if mean is None or not sd:
        return nothing | {"left_out": "It does not vary in the original."}
    if new_mean is None:
        return nothing | {"left_out": "It has no values in the release."}
    shift = finite_or_none((new_mean - mean) / sd)
    return {
        "shift_in_sd": shift,
        "variance_ratio": None if new_sd is None else finite_or_none((new_sd / sd) * (new_sd / sd)),
        "left_out": None if shift is not None else "Its numbers became too large to compare.",
    }

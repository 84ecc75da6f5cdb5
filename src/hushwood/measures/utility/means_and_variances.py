"""Means and variances: how far the centre and the spread of every numeric column moved."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from hushwood.arrays import Floats
from hushwood.detail_tables import DetailTable
from hushwood.measures.columns.numeric_columns import (
    common_unit,
    finite_or_none,
    is_constant,
    known,
    numeric_names,
)
from hushwood.measures.protocol import Context, Details, Measure, Measurement, NotComputable
from hushwood.measures.publishing.column_tables import column_table, publishable_columns
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
    best = 0.0

    def compute(self, original: Table, released: Table, context: Context) -> Measurement | NotComputable:
        """Compare all numeric columns that vary in the original and have values in the release."""
        names = numeric_names(original)
        if not names:
            return NotComputable("The table has no numeric column.")
        columns = [_column(name, original.columns[name], released.columns[name]) for name in names]
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
        return Measurement(shifts[worst], {} if context.value_only else details)

    def tables(self, details: Details) -> tuple[DetailTable, ...]:
        """Every numeric column, largest shift first."""
        if not details:
            return ()
        says = "The shift is in standard deviations of the original, best 0; the ratio of the variances is best 1."
        return (column_table("Means and variances", says, details, _SHOWN, worst_by="shift_in_sd"),)

    def publishable_details(self, details: Details) -> dict[str, Any]:
        """Shifts and ratios, but no means or variances."""
        return publishable_columns(details, ("shift_in_sd", "variance_ratio"))


def _column(name: str, original: Floats, released: Floats) -> dict[str, Any]:
    """Means and sample variances before and after, the shift of the mean and the ratio of the variances."""
    before, after = _mean_and_sd(known(original)), _mean_and_sd(known(released))
    facts: dict[str, Any] = {"column": name}
    for when, (mean, sd), column in (("before", before, original), ("after", after, released)):
        facts[f"mean_{when}"] = mean
        facts[f"variance_{when}"] = None if sd is None else finite_or_none(sd * sd)
        facts[f"missing_{when}"] = 1 - len(known(column)) / len(column) if len(column) else 0.0
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


def _mean_and_sd(values: Floats) -> Moments:
    """Mean and sample standard deviation (exactly 0 for a constant); None where there are too few values."""
    if not len(values):
        return None, None
    unit = common_unit(values)
    scaled = values / unit
    mean = float(scaled.mean()) * unit
    if len(values) < 2:
        return mean, None
    return mean, 0.0 if is_constant(values) else float(scaled.std(ddof=1)) * unit

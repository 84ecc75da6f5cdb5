"""R² and mean square error: how much of every person's numbers the released ones give away (thesis 3.2, survey).

The papers on additive noise call 1 − R² their security: Tendick and Matloff's is d/(1 + d) for noise of d variances.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any, TypedDict

import numpy as np

from hushwood.arrays import Floats
from hushwood.detail_tables import DetailTable
from hushwood.measures.columns.column_tallies import common_unit, finite_or_none, is_constant, numeric_names
from hushwood.measures.columns.numeric_correlations import centred, correlations, pair_moments
from hushwood.measures.columns.regressions import complete_covariances, independent, regressions
from hushwood.measures.protocol import Context, Details, Measure, Measurement, NotComputable
from hushwood.measures.publishing import PUBLIC, TWO_DECIMALS, column_table
from hushwood.tables.table import Table

LEAST_RECORDS = 3  # a line goes through any two
_SHOWN = {
    "r_squared": "R² by its own released values",
    "r_squared_all": "R² by all released numbers",
    "error_in_variances": "mean square error (variances)",
    "mean_square_error": "mean square error",
}


class RevealedColumn(TypedDict):
    """One numeric column; outsiders see shares of variances, but no error in the column's own unit."""

    column: Annotated[str, PUBLIC]
    records: int
    mean_square_error: float | None
    r_squared: Annotated[float | None, TWO_DECIMALS]
    r_squared_all: Annotated[float | None, TWO_DECIMALS]
    error_in_variances: Annotated[float | None, TWO_DECIMALS]
    left_out: str | None


class VarianceDetails(TypedDict):
    """All numeric columns."""

    columns: Annotated[list[RevealedColumn], PUBLIC]
    worst_column: str
    mean: float


@dataclass(frozen=True, slots=True)
class VarianceExplained(Measure):
    """The largest R² of a numeric column: its squared correlation with its released values, record by record."""

    name = "variance_explained"
    title = "Numbers revealed (R²)"
    question = "What share of the variance of the most exposed numeric column do its released values explain?"
    meaning = (
        "A straight line through the released values explains this share of the variance of one numeric column, and "
        "no more of any other: at 1 everyone's number can be worked out, at 0 a released number says nothing about "
        "the person's own."
    )
    side = "risk"
    unit = "share"
    better = "lower"
    bounds = (0.0, 1.0)
    declared = VarianceDetails
    by_groups = True
    quick = False

    def compute(self, original: Table, released: Table, context: Context) -> Measurement | NotComputable:
        """Compare every numeric column with its released values, for the records that have a partner."""
        both = context.aligned(original, released)
        if both is None:
            return context.why_unpaired
        names = numeric_names(original)
        if not names:
            return NotComputable("The table has no numeric column.")
        before, after = ([table.columns[name] for name in names] for table in both)
        columns = [_column(*facts) for facts in zip(names, before, after, strict=True)]
        found = {c["column"]: c["r_squared"] for c in columns if c["r_squared"] is not None}
        if not found:
            return NotComputable(
                f"No numeric column has different values in {LEAST_RECORDS} records that have a released partner."
            )
        worst = max(found, key=lambda name: found[name])
        if context.value_only:
            return Measurement(found[worst])
        for column, own in zip(columns, before, strict=True):
            column["r_squared_all"] = _by_all(own, after) if column["column"] in found else None
        details = {
            "columns": columns,
            "worst_column": worst,
            "mean": float(np.mean(list(found.values()))),
        }
        return Measurement(found[worst], details)

    def tables(self, details: Details) -> tuple[DetailTable, ...]:
        """Every numeric column, most exposed first."""
        if not details:
            return ()
        says = (
            "R² is the share of a column's variance that released numbers explain, lower is safer; the mean square "
            "error of a released number is in variances of the original too, and 2 is that of a shuffled column."
        )
        return (column_table("What released numbers explain", says, details, _SHOWN, worst_by="r_squared"),)


def _column(name: str, before: Floats, after: Floats) -> dict[str, Any]:
    """R² and mean square error over the records that have both numbers."""
    both = np.isfinite(before) & np.isfinite(after)
    old, new = before[both], after[both]
    facts: dict[str, Any] = {
        "column": name,
        "records": len(old),
        "mean_square_error": None,
        "error_in_variances": None,
        "r_squared": None,
        "left_out": None,
    }
    if len(old) < LEAST_RECORDS or is_constant(old):
        return facts | {"left_out": f"It does not vary over {LEAST_RECORDS} records that have both numbers."}
    unit = common_unit(old, new)
    error = float(np.square(new / unit - old / unit).mean())
    variance = float((old / unit).var())
    correlation = correlations(pair_moments([centred(old), centred(new)]))[0, 1]
    return facts | {
        "mean_square_error": finite_or_none(error * unit * unit),
        "error_in_variances": finite_or_none(error / variance) if variance else None,
        # A constant release explains nothing.
        "r_squared": 0.0 if np.isnan(correlation) else float(correlation * correlation),
    }


def _by_all(own: Floats, after: Sequence[Floats]) -> float | None:
    """R² of a column by all released numbers that most records have, less what chance gives (adjusted R²)."""
    there = np.isfinite(own)
    most = [values for values in after if 2 * int(np.isfinite(values[there]).sum()) > there.sum()]
    found = complete_covariances([centred(values) for values in most] + [centred(own)])
    kept = independent(found.matrix)
    if found.matrix[-1, -1] == 0:
        return None
    if not kept[-1]:
        return 1.0
    if found.records <= kept.sum() + 1:
        return None
    r_squared = float(regressions(found.of(kept)).r_squared[-1])
    degrees = found.records - int(kept.sum())
    return min(max(1 - (1 - r_squared) * (found.records - 1) / degrees, 0.0), 1.0)

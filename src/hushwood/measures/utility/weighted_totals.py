"""Weighted totals: do survey weights still add up to the same number of people, in all and by category?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, TypedDict

import numpy as np

from hushwood.detail_tables import DetailTable
from hushwood.measures.columns.column_tallies import label_count, weight_of
from hushwood.measures.columns.distributions import category_counts
from hushwood.measures.protocol import Context, Details, Measure, Measurement, NotComputable
from hushwood.measures.publishing import PUBLIC, TWO_DECIMALS, percent
from hushwood.parameters import Between, Checked
from hushwood.tables.table import Table, label_columns, label_names

LISTED = 20
_WHOLE = "all records"


class WeightedTotal(TypedDict):
    """One weighted total in both tables."""

    column: str
    value: str
    before: float
    after: float
    change: Annotated[float, TWO_DECIMALS]


class TotalDetails(TypedDict):
    """The sum of all weights, of which outsiders see how far it moved, and those of categories."""

    whole: Annotated[WeightedTotal, PUBLIC]
    rows: list[WeightedTotal]
    totals: int


@dataclass(frozen=True, slots=True)
class WeightedTotals(Measure, Checked):
    """The largest relative change of a weighted total: of all records, or of a category.

    Totals below the share `least` of the original's weight are not asked: changes of smaller ones are mostly chance.
    """

    least: Annotated[float, Between(0, 1, open_low=True)] = 0.05
    name = "weighted_totals"
    title = "Largest change of a weighted total"
    question = "How far did the sums of the survey weights move, over all records and in every category?"
    meaning = "The weighted total that moved most changed by this share of itself."
    side = "utility"
    unit = "share"
    better = "lower"
    bounds = (0.0, None)
    declared = TotalDetails
    best = 0.0
    judged_on = "records"
    of_weights = True

    def compute(self, original: Table, released: Table, context: Context) -> Measurement | NotComputable:
        """Compare the totals of both tables, each by its own weights."""
        if original.weights is None or released.weights is None:
            return NotComputable("No column of both tables is declared as the weight; name it with --weight.")
        if not original.weights.any():
            return NotComputable("All weights of the original are 0, so there is no total.")
        rows = list(_totals(original, released, self.least * weight_of(original)))
        value = max(row["change"] for row in rows)
        if context.value_only:
            return Measurement(value)
        ranked = sorted(rows[1:], key=lambda row: -row["change"])
        details = {"whole": rows[0], "rows": [rows[0], *ranked[:LISTED]], "totals": len(rows)}
        return Measurement(value, details)

    def tables(self, details: Details) -> tuple[DetailTable, ...]:
        """The totals that moved most."""
        if "rows" not in details:
            return ()
        return (
            DetailTable.of(
                "Weighted totals that moved most",
                "Sums of the survey weights, each table by its own; the first line is that of all records.",
                {"Column": "text", "value": "text", "before": "number", "after": "number", "change": "share"},
                (
                    (row["column"], row["value"], row["before"], row["after"], row["change"])
                    for row in details["rows"]
                ),
            ),
        )

    def remarks(self, details: Details) -> str:
        """The sum of all weights."""
        whole = details.get("whole")
        return "" if not whole else f"The sum of all weights changed by {percent(whole['change'])}."


def _totals(original: Table, released: Table, least: float) -> Iterator[dict[str, Any]]:
    """The total of all records, then those of the categories that are large enough."""
    own, other = original.weights, released.weights
    yield _row(_WHOLE, "", weight_of(original), weight_of(released))
    before, after = (label_columns(table.schema, table.columns) for table in (original, released))
    for attribute in original.schema.measured:
        if attribute.kind == "numeric":
            continue
        size = label_count(attribute)
        old, new = (
            category_counts(columns[attribute.name], size, weights=weights)[1:]
            for columns, weights in ((before, own), (after, other))
        )
        names = label_names(attribute)
        for place in np.flatnonzero(old >= least).tolist():
            yield _row(attribute.name, names[place], float(old[place]), float(new[place]))


def _row(column: str, value: str, before: float, after: float) -> dict[str, Any]:
    change = abs(after - before) / before if before else 0.0
    return {"column": column, "value": value, "before": before, "after": after, "change": change}

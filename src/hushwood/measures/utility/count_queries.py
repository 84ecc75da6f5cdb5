"""Count queries: how far counts of records in random two-way groups are off in the release."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any, TypedDict

import numpy as np

from hushwood.arrays import Flags, Floats
from hushwood.detail_tables import DetailTable
from hushwood.measures.columns.column_tallies import counted, weight_of, with_weight
from hushwood.measures.protocol import Context, Details, Measure, Measurement, NotComputable
from hushwood.measures.publishing import PUBLIC, TWO_DIGITS, percent
from hushwood.parameters import AtLeast, Between, Checked
from hushwood.random_streams import Streams
from hushwood.tables.table import Table, missing_values

TRIED = 10  # candidates for every query wanted; some count too few records
QUANTILES = {"median": 0.5, "nine_tenths": 0.9, "worst": 1.0}
_PURPOSE = "count_queries"


@dataclass(frozen=True, slots=True)
class QueryCondition:
    """What a query asks of one column: a number from `low` to `high`, or a code in `codes` (-1: missing)."""

    column: str
    low: float = 0.0
    high: float = 0.0
    codes: tuple[int, ...] = ()

    def met(self, table: Table) -> Flags:
        """Which records meet it; a missing number lies in no range."""
        values = table.columns[self.column]
        if values.dtype.kind == "f":
            return np.asarray((values >= self.low) & (values <= self.high))
        wanted = np.zeros(len(table.schema[self.column].categories) + 1, bool)
        wanted[list(self.codes)] = True  # the last place is that of -1
        return wanted[values]


Query = tuple[QueryCondition, QueryCondition, float]  # two conditions, and what the original counts


class AskedColumn(TypedDict):
    """The queries that ask about one column."""

    column: Annotated[str, PUBLIC]
    queries: Annotated[int, PUBLIC]
    error: Annotated[float, TWO_DIGITS]


class QueryDetails(TypedDict):
    """How errors are spread; they are about groups of at least 1 % of the records."""

    queries: Annotated[int, PUBLIC]
    quantiles: Annotated[dict[str, float], TWO_DIGITS]
    columns: Annotated[list[AskedColumn], PUBLIC]


@dataclass(frozen=True, slots=True)
class CountQueries(Measure, Checked):
    """The mean relative error of counts of records that meet two random conditions on two random columns.

    A query counts at least the share `least` of the original's records: errors of smaller counts are mostly chance.
    """

    queries: Annotated[int, AtLeast(1)] = 200
    least: Annotated[float, Between(0, 1, open_low=True)] = 0.01
    name = "count_queries"
    title = "Error of two-way counts"
    question = "How far are counts of records with two properties off in the release?"
    meaning = (
        "Mean relative error of counts over random pairs of columns: a range of one and a set of categories of "
        "the other, for instance. Each count covers at least 1 % of the original's records."
    )
    side = "utility"
    unit = "share"
    better = "lower"
    bounds = (0.0, None)
    declared = QueryDetails
    by_groups = True
    best = 0.0
    yardstick = True

    def compute(self, original: Table, released: Table, context: Context) -> Measurement | NotComputable:
        """Ask both tables the same queries; counts in a release of another size are scaled to the original's."""
        original, released = with_weight(original), with_weight(released)
        if len(original.schema.measured) < 2 or not original.rows or not released.rows:
            return NotComputable("Two-way counts need two columns, and records in both tables.")
        asked = list(self._queries(original, context.streams))
        if not asked:
            return NotComputable("No random group of the original has enough records to be counted.")
        scale, weights = weight_of(original) / weight_of(released), released.weights
        errors = np.array(
            [
                abs(scale * counted(one.met(released) & other.met(released), weights) - count) / count
                for one, other, count in asked
            ]
        )
        if context.value_only:
            return Measurement(float(errors.mean()))
        return Measurement(float(errors.mean()), _details(asked, errors))

    def _queries(self, original: Table, streams: Streams) -> Iterator[Query]:
        """Conditions on two columns and the original's count, until there are enough or the candidates run out."""
        names = [name for name in original.columns if not original.schema[name].weight]
        weights, found = original.weights, 0
        least = max(self.least * weight_of(original), 1 if weights is None else 0)
        for draw in range(TRIED * self.queries):
            first, second = streams.order(_PURPOSE, "columns", range(len(names)), draw)[:2]
            one, other = (_condition(original, names[place], streams, draw) for place in (first, second))
            if one is None or other is None:
                continue
            count = counted(one.met(original) & other.met(original), weights)
            if count > 0 and count >= least:
                yield one, other, count
                found += 1
            if found == self.queries:
                return

    def tables(self, details: Details) -> tuple[DetailTable, ...]:
        """The errors of the queries about every column."""
        if "columns" not in details:
            return ()
        rows = sorted(details["columns"], key=lambda column: -column["error"])
        return (
            DetailTable.of(
                "Errors of two-way counts by column",
                "Mean relative error of the random counts that ask about this column and one other; lower is better.",
                {"Column": "text", "counts": "count", "mean error": "share"},
                ((row["column"], row["queries"], row["error"]) for row in rows),
            ),
        )

    def remarks(self, details: Details) -> str:
        """How the errors are spread."""
        if "quantiles" not in details:
            return ""
        median, most = (percent(details["quantiles"][key]) for key in ("median", "nine_tenths"))
        return f"Half of the {details['queries']} counts are off by at most {median}, nine tenths by at most {most}."


def _condition(table: Table, name: str, streams: Streams, draw: int) -> QueryCondition | None:
    """A range between the numbers of two random records, or about half of the categories; None without values."""
    values = table.columns[name]
    if values.dtype.kind == "f":
        known = values[~missing_values(values)]
        if not len(known):
            return None
        places = (streams.uniform(_PURPOSE, f"range of {name}", draw, range(2)) * len(known)).astype(np.int64)
        low, high = np.sort(known[places])
        return QueryCondition(name, float(low), float(high))
    present = np.flatnonzero(np.bincount(values + 1)) - 1  # the codes that occur; -1 is a missing value
    words = streams.uniform(_PURPOSE, f"set of {name}", draw, range(len(present)))
    chosen = (words < 0.5) | (words == words.min())
    return QueryCondition(name, codes=tuple(present[chosen].tolist()))


def _details(asked: list[Query], errors: Floats) -> dict[str, Any]:
    by_column: dict[str, list[float]] = {}
    for (one, other, _), error in zip(asked, errors.tolist(), strict=True):
        by_column.setdefault(one.column, []).append(error)
        by_column.setdefault(other.column, []).append(error)
    return {
        "queries": len(asked),
        "quantiles": {key: float(np.quantile(errors, share)) for key, share in QUANTILES.items()},
        "columns": [
            {"column": name, "queries": len(own), "error": float(np.mean(own))}
            for name, own in sorted(by_column.items())
        ],
    }

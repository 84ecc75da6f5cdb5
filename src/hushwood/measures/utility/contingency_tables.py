"""Contingency tables: do combinations of two and of three columns occur as often as before? (survey, III)

The survey names contingency tables and KL-divergence among the common tests and leaves the tables open (errata S10).
Random conditions on two columns are asked in `count_queries`, single columns are compared in `distribution_distances`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Annotated, Any, TypedDict

import numpy as np

from hushwood.arrays import Floats
from hushwood.detail_tables import DetailTable, DetailUnit
from hushwood.measures.columns.column_tallies import with_weight
from hushwood.measures.columns.distributions import kl_divergence, total_variation
from hushwood.measures.columns.joint_cells import JointColumn, joint_columns
from hushwood.measures.protocol import Context, Details, Measure, Measurement, NotComputable
from hushwood.measures.publishing import PUBLIC, TWO_DECIMALS, percent
from hushwood.parameters import AtLeast, Between, Checked
from hushwood.tables.table import Table

WIDEST = 40  # columns
LISTED = 10  # tables
_FACTS = ("total_variation", "kl", "count_error")


class TableMeans(TypedDict):
    """Means over a number of tables."""

    tables: Annotated[int, PUBLIC]
    total_variation: Annotated[float | None, TWO_DECIMALS]
    kl: Annotated[float | None, TWO_DECIMALS]
    count_error: Annotated[float | None, TWO_DECIMALS]


class ChangedTable(TypedDict):
    """One table of two or three columns."""

    columns: list[str]
    total_variation: float
    kl: float
    count_error: float | None


class ContingencyDetails(TypedDict):
    """All tables on average, and those that changed most."""

    two_way: Annotated[TableMeans, PUBLIC]
    three_way: Annotated[TableMeans, PUBLIC]
    largest: list[ChangedTable]
    largest_three_way: list[ChangedTable]
    left_out: int


@dataclass(frozen=True, slots=True)
class ContingencyTables(Measure, Checked):
    """The mean total variation over the two-way tables of all pairs of columns, the class included.

    Every column has about this many `cells`. The `triples` of columns that are most associated in the original make
    three-way tables. Counts below the share `least` of the original's records are not asked for their error.
    """

    cells: Annotated[int, AtLeast(2)] = 8
    triples: Annotated[int, AtLeast(0)] = 100
    least: Annotated[float, Between(0, 1, open_low=True)] = 0.01
    name = "contingency_tables"
    title = "Distance of two-way tables"
    question = "What share of the records would have to move to restore the original's two-way tables?"
    meaning = (
        "On average over the pairs of columns, this share of the records would have to move to restore the original's "
        "contingency table."
    )
    side = "utility"
    unit = "share"
    better = "lower"
    bounds = (0.0, 1.0)
    declared = ContingencyDetails
    by_groups = True
    best = 0.0
    quick = False

    def compute(self, original: Table, released: Table, context: Context) -> Measurement | NotComputable:
        """Count both tables in the same cells."""
        original, released = with_weight(original), with_weight(released)
        if len(original.schema.measured) < 2 or not original.rows or not released.rows:
            return NotComputable("Contingency tables need two columns, and records in both tables.")
        columns = joint_columns(original, released, self.cells)
        chosen = context.streams.sample(self.name, "columns", len(columns), WIDEST)
        columns = [columns[place] for place in chosen.tolist()]
        pairs = list(combinations(range(len(columns)), 2))
        both = original.weights, released.weights
        counts = [_counted([columns[place] for place in pair], both) for pair in pairs]
        value = float(np.mean([total_variation(*both) for both in counts]))
        if context.value_only:
            return Measurement(value)
        triples = _most_associated(pairs, [before for before, _ in counts], columns, self.triples)
        two_way = [self._facts(columns, *facts) for facts in zip(pairs, counts, strict=True)]
        three_way = [
            self._facts(columns, triple, _counted([columns[place] for place in triple], both))
            for triple in triples
        ]
        details = {
            "two_way": _means(two_way),
            "three_way": _means(three_way),
            "largest": _largest(two_way),
            "largest_three_way": _largest(three_way),
            "left_out": len(original.schema.measured) - len(columns),
        }
        return Measurement(value, details)

    def _facts(
        self, columns: Sequence[JointColumn], places: tuple[int, ...], counts: tuple[Floats, Floats]
    ) -> dict[str, Any]:
        before, after = counts
        asked = before >= self.least * before.sum()
        error = np.abs(after * (before.sum() / after.sum()) - before)[asked] / before[asked]
        return {
            "columns": [columns[place].name for place in places],
            "total_variation": total_variation(before, after),
            "kl": kl_divergence(before, after),
            "count_error": float(error.mean()) if asked.any() else None,
        }

    def tables(self, details: Details) -> tuple[DetailTable, ...]:
        """The tables that changed most."""
        says = (
            "The share of the records that would have to move, the bits that are lost, and the mean relative error of "
            "counts; lower is better."
        )
        units: dict[str, DetailUnit] = {
            "Columns": "text",
            "total variation": "share",
            "KL (bits)": "number",
            "error of counts": "share",
        }
        return tuple(
            DetailTable.of(
                title,
                says,
                units,
                ((" × ".join(row["columns"]), *(row[key] for key in _FACTS)) for row in details[key_of_rows]),
            )
            for key_of_rows, title in (
                ("largest", "Two-way tables that changed most"),
                ("largest_three_way", "Three-way tables that changed most"),
            )
            if details.get(key_of_rows)
        )

    def remarks(self, details: Details) -> str:
        """The three-way tables."""
        three = details.get("three_way") or {}
        if not three.get("tables"):
            return ""
        number, distance = three["tables"], percent(three["total_variation"])
        tables = "one table" if number == 1 else f"{number} tables"
        return f"For triples of columns, the most associated ones ({tables}), it is {distance}."


def _counted(
    columns: Sequence[JointColumn], weights: tuple[Floats | None, Floats | None]
) -> tuple[Floats, Floats]:
    """Records of both tables in every combination of cells, or what they count."""
    size = int(np.prod([column.size for column in columns]))
    old, new = np.zeros(1, np.int64), np.zeros(1, np.int64)
    for column in columns:
        old, new = old * column.size + column.before, new * column.size + column.after
    before, after = (
        np.bincount(codes, own, minlength=size).astype(np.float64)
        for codes, own in zip((old, new), weights, strict=True)
    )
    return before, after


def _most_associated(
    pairs: Sequence[tuple[int, ...]], counts: Sequence[Floats], columns: Sequence[JointColumn], most: int
) -> list[tuple[int, ...]]:
    """The triples of columns whose three pairs have the most mutual information in the original."""
    shared = np.zeros((len(columns), len(columns)))
    for (one, other), before in zip(pairs, counts, strict=True):
        shared[one, other] = _mutual_information(before.reshape(columns[one].size, columns[other].size))
    triples = np.array(list(combinations(range(len(columns)), 3)), np.int64).reshape(-1, 3)
    a, b, c = triples.T
    order = np.argsort(-np.round(shared[a, b] + shared[a, c] + shared[b, c], 9), kind="stable")[:most]
    return [(int(one), int(two), int(three)) for one, two, three in triples[order]]


def _mutual_information(counts: Floats) -> float:
    joint = counts / counts.sum()
    alone = np.outer(joint.sum(axis=1), joint.sum(axis=0))
    filled = joint > 0
    return float((joint[filled] * np.log2(joint[filled] / alone[filled])).sum())


def _means(rows: Sequence[dict[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {"tables": len(rows)}
    for key in _FACTS:
        there = [row[key] for row in rows if row[key] is not None]
        found[key] = float(np.mean(there)) if there else None
    return found


def _largest(rows: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(rows, key=lambda row: -row["total_variation"])[:LISTED]

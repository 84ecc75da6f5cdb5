"""Unchanged cells: how much of the table was released unchanged, cell by cell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any, TypedDict

import numpy as np

from hushwood.arrays import Array, Codes
from hushwood.measures.columns.column_tallies import common_unit
from hushwood.measures.protocol import Context, Measure, Measurement, NotComputable
from hushwood.measures.publishing import PUBLIC, TWO_DECIMALS, Public, safe_count, two_decimals
from hushwood.tables.schema import Schema
from hushwood.tables.table import Table, missing_values

NEAR = 0.1  # standard deviations of the original; a released number this close discloses it


def _unless_few(share: float, unchanged: float | None) -> float | None:
    return None if safe_count(unchanged) is None else two_decimals(share)


class UnchangedColumn(TypedDict):
    """One column: the share of its cells that is unchanged (None: withheld), and what a random shuffle would leave."""

    column: Annotated[str, PUBLIC]
    cells: int
    unchanged: int
    share: Annotated[float | None, Public(_unless_few, "unchanged")]
    missing_kept: int
    by_chance: Annotated[float, TWO_DECIMALS]
    near: float | None


class CellDetails(TypedDict):
    """All columns."""

    cells: int
    unchanged: int
    untouched_table: Annotated[float, PUBLIC]
    by_chance: Annotated[float, TWO_DECIMALS]
    columns: Annotated[list[UnchangedColumn], PUBLIC]


@dataclass(frozen=True, slots=True)
class UnchangedCells(Measure):
    """The share of cells that are equal in a record and in its released partner."""

    name = "unchanged_cells"
    title = "Cells unchanged"
    question = "What share of the cells was released unchanged?"
    meaning = (
        "This share of the cells was released unchanged. A cell may keep its value by chance, and readers "
        "cannot tell which cells did."
    )
    side = "risk"
    unit = "share"
    better = "lower"
    bounds = (0.0, 1.0)
    declared = CellDetails
    by_groups = True
    headline = 2
    judged_on = "records"

    of_pairs = True

    def tally(self, schema: Schema) -> CellCounts:
        """Cells of all columns, the class included."""
        return CellCounts({attribute.name: ColumnCells() for attribute in schema.kept})

    def compute(self, original: Table, released: Table, context: Context) -> Measurement | NotComputable:
        """Count over all columns, the class included, for the records that have a partner."""
        both = context.aligned(original, released)
        if both is None:
            return context.why_unpaired
        found = unchanged_cells(*both, list(original.columns))
        return found if found.details["cells"] else NO_CELLS


@dataclass(slots=True)
class ColumnCells:
    """Cells of one column: how many, how many are equal before and after, and how many are missing in both."""

    cells: int = 0
    unchanged: int = 0
    missing_kept: int = 0

    def merge(self, other: ColumnCells) -> None:
        """Add the cells of other records."""
        self.cells += other.cells
        self.unchanged += other.unchanged
        self.missing_kept += other.missing_kept


@dataclass(slots=True)
class CellCounts:
    """The cells of every column, for records whose partners are in the same row."""

    columns: dict[str, ColumnCells] = field(default_factory=dict)

    def add(self, original: Table, released: Table, segment_ids: Codes | None = None) -> None:
        """Count more records."""
        for name, counts in self.columns.items():
            counts.merge(_counted(original.columns[name], released.columns[name]))

    def merge(self, other: CellCounts) -> None:
        """Add the records of another tally."""
        for name, counts in self.columns.items():
            counts.merge(other.columns[name])

    def finish(self) -> Measurement | NotComputable:
        """The share of equal cells, in all columns and in each."""
        cells = sum(column.cells for column in self.columns.values())
        unchanged = sum(column.unchanged for column in self.columns.values())
        columns = [
            {
                "column": name,
                "cells": one.cells,
                "unchanged": one.unchanged,
                "share": one.unchanged / one.cells if one.cells else 0.0,
                "missing_kept": one.missing_kept,
            }
            for name, one in self.columns.items()
        ]
        details = {"cells": cells, "unchanged": unchanged, "untouched_table": 1.0, "columns": columns}
        return Measurement(unchanged / cells, details) if cells else NO_CELLS


NO_CELLS = NotComputable("No record of the original that has a value has a released partner.")


def unchanged_cells(before: Table, after: Table, columns: Sequence[str]) -> Measurement:
    """The share of equal cells in the named columns; row i of both tables is the same record.

    A missing number stays missing by design and is counted separately; a missing category is a value like any other.
    `by_chance` is the share that shuffling the whole column would leave unchanged: the sum of squared shares.
    """
    tally = CellCounts({name: ColumnCells() for name in columns})
    tally.add(before, after)
    counted = tally.finish()
    if not isinstance(counted, Measurement):
        return Measurement(0.0, {"cells": 0})
    found = [
        {
            **column,
            **_beside(before.columns[column["column"]], after.columns[column["column"]], column["cells"]),
        }
        for column in counted.details["columns"]
    ]
    chance = sum(column["by_chance"] * column["cells"] for column in found)
    details = {**counted.details, "by_chance": chance / counted.details["cells"], "columns": found}
    return Measurement(counted.value, details)


def _counted(before: Array, after: Array) -> ColumnCells:
    unchanged = int((before == after).sum())
    if before.dtype.kind != "f":
        return ColumnCells(len(before), unchanged)
    gone = missing_values(before)
    return ColumnCells(len(before) - int(gone.sum()), unchanged, int((gone & missing_values(after)).sum()))


def _beside(before: Array, after: Array, cells: int) -> dict[str, Any]:
    """What needs the whole column: how often chance leaves a value as it was, and how many numbers stay near."""
    numeric = before.dtype.kind == "f"
    repeats = np.unique(before[~missing_values(before)] if numeric else before, return_counts=True)[1]
    return {
        "by_chance": float(((repeats / cells) ** 2).sum()) if cells else 0.0,
        "near": near_share(before, after) if numeric else None,
    }


def near_share(before: Array, after: Array) -> float | None:
    """How often the original lies within a tenth of a standard deviation of the released number (interval disclosure).

    None if no number was released or the original's do not vary.
    """
    unit = common_unit(before, after)
    old, new = before / unit, after / unit
    both = ~missing_values(old) & ~missing_values(new)
    spread = float(old[~missing_values(old)].std()) if both.any() else 0.0
    return float((np.abs(new[both] - old[both]) <= NEAR * spread).mean()) if spread else None

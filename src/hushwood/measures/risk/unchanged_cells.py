"""Unchanged cells: how much of the table was released unchanged, cell by cell."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from hushwood.arrays import Array
from hushwood.measures.columns.numeric_columns import common_unit
from hushwood.measures.protocol import Context, Details, Measure, Measurement, NotComputable
from hushwood.measures.publishing.small_counts import safe_count
from hushwood.tables.table import Table, missing_values

NEAR = 0.1  # standard deviations of the original; a released number this close discloses it


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
    headline = 2
    judged_on = "records"

    def compute(self, original: Table, released: Table, context: Context) -> Measurement | NotComputable:
        """Count over all columns, the class included, for the records that have a partner."""
        both = context.aligned(original, released)
        if both is None:
            return context.why_unpaired
        found = unchanged_cells(*both, list(original.columns))
        if not found.details["cells"]:
            return NotComputable("No record of the original that has a value has a released partner.")
        return found

    def publishable_details(self, details: Details) -> dict[str, Any]:
        """The share of every column, unless it stands for one to four cells."""
        columns = [
            {
                "column": c["column"],
                "share": None if safe_count(c["unchanged"]) is None else round(c["share"], 2),
                "by_chance": round(c["by_chance"], 2),
            }
            for c in details["columns"]
        ]
        return {"untouched_table": 1.0, "by_chance": round(details["by_chance"], 2), "columns": columns}


def unchanged_cells(before: Table, after: Table, columns: Sequence[str]) -> Measurement:
    """The share of equal cells in the named columns; row i of both tables is the same record.

    A missing number stays missing by design and is counted separately; a missing category is a value like any other.
    `by_chance` is the share that shuffling the whole column would leave unchanged: the sum of squared shares.
    """
    found = [_column(before, after, name) for name in columns]
    cells = sum(column["cells"] for column in found)
    unchanged = sum(column["unchanged"] for column in found)
    chance = sum(column["by_chance"] * column["cells"] for column in found)
    details = {
        "cells": cells,
        "unchanged": unchanged,
        "untouched_table": 1.0,
        "by_chance": chance / cells if cells else 0.0,
        "columns": found,
    }
    return Measurement(unchanged / cells if cells else 0.0, details)


def _column(original: Table, released: Table, name: str) -> dict[str, Any]:
    before, after = original.columns[name], released.columns[name]
    numeric = before.dtype.kind == "f"
    gone = missing_values(before)
    cells = len(before) - int(gone.sum()) if numeric else len(before)
    unchanged = int((before == after).sum())
    near = near_share(before, after) if numeric else None
    repeats = np.unique(before[~gone] if numeric else before, return_counts=True)[1]
    return {
        "column": name,
        "cells": cells,
        "unchanged": unchanged,
        "share": unchanged / cells if cells else 0.0,
        "by_chance": float(((repeats / cells) ** 2).sum()) if cells else 0.0,
        "missing_kept": int((gone & missing_values(after)).sum()) if numeric else 0,
        "near": near,
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


@dataclass(frozen=True, slots=True)
class UnchangedColumn:
    """The share of a column's cells that are unchanged (None: withheld), and what a random shuffle would leave."""

    name: str
    share: float | None
    by_chance: float


def unchanged_columns(details: Details) -> tuple[UnchangedColumn, ...]:
    """The columns behind the measure's number."""
    return tuple(
        UnchangedColumn(column["column"], column["share"], column["by_chance"])
        for column in details["columns"]
    )

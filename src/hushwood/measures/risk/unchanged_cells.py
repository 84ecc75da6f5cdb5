"""Unchanged cells: how much of the table left as it came, cell by cell.

Whether the classes moved as a shuffle would move them is asked in `changed_classes`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from hushwood.measures.protocol import NOT_PAIRED, Context, Direction, Measurement, NotComputable, Side
from hushwood.measures.utility.numeric_columns import common_unit
from hushwood.tables.table import Array, Table, missing_values

NEAR = 0.1  # standard deviations of the original that a released number may be off and still tell it


@dataclass(frozen=True, slots=True)
class UnchangedCells:
    """The share of cells that are the same in a record and in the record made from it."""

    name: ClassVar[str] = "unchanged_cells"
    question: ClassVar[str] = "How many cells left the table exactly as they came?"
    side: ClassVar[Side] = "risk"
    better: ClassVar[Direction] = "lower"
    bounds: ClassVar[tuple[float | None, float | None]] = (0.0, 1.0)
    best: ClassVar[float | None] = None

    def compute(self, original: Table, released: Table, context: Context) -> Measurement | NotComputable:
        """Count over all columns, the class among them, of the records that are still there."""
        both = context.aligned(original, released)
        if both is None:
            return NOT_PAIRED
        found = unchanged_cells(*both, list(original.columns))
        if not found.details["cells"]:
            return NotComputable(
                "No record of the original with a value in any column has a released record."
            )
        return found


def unchanged_cells(before: Table, after: Table, columns: Sequence[str]) -> Measurement:
    """The share of cells of the named columns that are the same; row i of both tables is the same record.

    A missing number stays missing by design and is counted apart; a missing category is a value like others.
    `by_chance` is what shuffling the whole column would leave in place on average: the sum of squared shares.
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

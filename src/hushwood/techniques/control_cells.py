"""Cells of control columns: records that agree on all of them, inside a segment or in the whole table.

Swapping inside a cell (`dalenius_reiss`) leaves every table of the swapped column by the controls as it was.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushwood.tables.coding import dense_codes
from hushwood.tables.table import Table
from hushwood.techniques.protocol import Columns, Within
from hushwood.techniques.transition import groups_within

Integers = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class ControlCells:
    """Group of a record: its cell. For every control its values, and the cells so far times its values that exist.

    A record whose values no record of the table had is in the cell after the last.
    """

    controls: tuple[str, ...]
    within: Within
    values: tuple[NDArray[Any], ...]
    keys: tuple[Integers, ...]

    @classmethod
    def of_table(
        cls, original: Table, controls: Sequence[str], segment_ids: NDArray[Any], within: Within
    ) -> ControlCells:
        """The cells that the records of a table are in."""
        cells = groups_within(within)(original.columns, segment_ids)
        values: list[NDArray[Any]] = []
        keys: list[Integers] = []
        for name in controls:
            distinct, code = _coded(original.columns[name])
            key, cells = dense_codes(cells * len(distinct) + code)
            values.append(distinct)
            keys.append(key)
        return cls(tuple(controls), within, tuple(values), tuple(keys))

    def __call__(self, columns: Columns, segment_ids: NDArray[Any]) -> Integers:
        """The cell of every record."""
        cells = groups_within(self.within)(columns, segment_ids)
        for name, distinct, key in zip(self.controls, self.values, self.keys, strict=True):
            code, known = _places(distinct, np.asarray(columns[name]))
            found, there = _places(key, cells * len(distinct) + code)
            cells = np.where(known & there, found, len(key))
        return cells


def _coded(column: NDArray[Any]) -> tuple[NDArray[Any], Integers]:
    """The values of a column, ascending, and the place of every record's among them."""
    if column.dtype.kind == "f":
        return np.unique(column, return_inverse=True, equal_nan=True)
    distinct, code = dense_codes(column.astype(np.int64) + 1)  # missing is -1
    return distinct - 1, code


def _places(known: NDArray[Any], values: NDArray[Any]) -> tuple[Integers, NDArray[np.bool_]]:
    """Where values are in a sorted array, and whether they are; NaN is a value, the last one."""
    at = np.minimum(np.searchsorted(known, values), max(len(known) - 1, 0))
    found = known[at]
    return at, (found == values) | ((found != found) & (values != values))

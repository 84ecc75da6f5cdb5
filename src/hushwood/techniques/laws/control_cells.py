"""Cells of records that agree on some columns: what DRSWAP permutes within, and what joint SWAP moves as one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hushwood.arrays import Array, Flags, Integers
from hushwood.tables.frames.storage import dense_codes
from hushwood.tables.table import Table
from hushwood.techniques.laws.groupings import groups_within
from hushwood.techniques.protocol import Columns, Within


@dataclass(frozen=True, slots=True)
class ControlCells:
    """A record's group is its cell: the records that agree on all controls, inside a segment or in the table.

    For every control, `values` are its values and `keys` the combinations with the controls before it that exist. A
    record whose values no record of the table had is in the cell after the last.
    """

    controls: tuple[str, ...]
    within: Within
    values: tuple[Array, ...]
    keys: tuple[Integers, ...]

    @classmethod
    def of_table(
        cls, original: Table, controls: Sequence[str], segment_ids: Array, within: Within
    ) -> ControlCells:
        """The cells that the records of a table are in."""
        cells = groups_within(within)(original.columns, segment_ids)
        values: list[Array] = []
        keys: list[Integers] = []
        for name in controls:
            distinct, code = _coded(original.columns[name])
            key, cells = dense_codes(cells * len(distinct) + code)
            values.append(distinct)
            keys.append(key)
        return cls(tuple(controls), within, tuple(values), tuple(keys))

    def __call__(self, columns: Columns, segment_ids: Array) -> Integers:
        """The cell of every record."""
        cells = groups_within(self.within)(columns, segment_ids)
        for name, distinct, key in zip(self.controls, self.values, self.keys, strict=True):
            code, known = _places(distinct, np.asarray(columns[name]))
            found, there = _places(key, cells * len(distinct) + code)
            cells = np.where(known & there, found, len(key))
        return cells


def _coded(column: Array) -> tuple[Array, Integers]:
    """The values of a column, ascending, and the place of every record's among them."""
    if column.dtype.kind == "f":
        return np.unique(column, return_inverse=True, equal_nan=True)
    distinct, code = dense_codes(column.astype(np.int64) + 1)  # missing is -1
    return distinct - 1, code


def _places(known: Array, values: Array) -> tuple[Integers, Flags]:
    """Where values are in a sorted array, and whether they are; NaN is a value, the last one."""
    at = np.minimum(np.searchsorted(known, values), max(len(known) - 1, 0))
    found = known[at]
    return at, (found == values) | ((found != found) & (values != values))

"""DRSWAP: data swapping after Dalenius and Reiss (1982): a column is permuted within the cells of control columns.

All frequency tables of the swapped column by the controls stay exactly as they were. SWAP is the same within segments.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from hushwood.arrays import Array, Flags, Integers
from hushwood.errors import unknown_name
from hushwood.parameters import Between
from hushwood.segments.segments import Segments
from hushwood.tables.coding import dense_codes
from hushwood.tables.table import Table
from hushwood.techniques.laws.groupings import groups_within
from hushwood.techniques.laws.joint import LawPerturber, by_column
from hushwood.techniques.laws.permutation import permutation_law
from hushwood.techniques.laws.promises import Promise, dealt
from hushwood.techniques.protocol import Columns, Target, Technique, Within


@dataclass(frozen=True, slots=True)
class DaleniusReiss(Technique):
    """A random permutation of a column among records with the same controls; None stands for the class.

    A record takes part with probability `share`. The controls themselves are copied.
    """

    controls: tuple[str, ...] | None = None
    share: Annotated[float, Between(0, 1, open_low=True)] = 1.0
    within: Within = "table"
    acronym: ClassVar[str] = "DRSWAP"
    perturbs: ClassVar[Target] = "categorical"
    trust: ClassVar[str] = (
        "Do not rely on single values. Counts by the control columns, and so in the whole table, are exact."
    )

    @property
    def promise(self) -> Promise:
        """Control cells lie inside segments or the table, so the counts there stay too."""
        return dealt(self.within)

    def says(self) -> str:
        names = "the same class" if self.controls is None else f"the same {', '.join(self.controls)}"
        like = f" with {names}" if self.controls != () else ""
        where = " of the same segment" if self.keeps_segment else ""
        some = "" if self.share == 1 else f"For {self.share:.0%} of the records p"
        return f"{some or 'P'}ermuted among records{where}{like}, so the counts of its values there are kept."

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> LawPerturber:
        """Find the cells of the controls."""
        controls = self._controls(original)
        names = tuple(name for name in attributes if name not in controls)
        cells = ControlCells.of_table(original, controls, segments.ids, self.within)
        covered = {name: np.full(segments.count, name in names) for name in attributes}
        return by_column(
            names,
            lambda name: permutation_law(original, name, segments, self.acronym, cells, self.share),
            None if len(names) == len(attributes) else covered,
        )

    def _controls(self, original: Table) -> tuple[str, ...]:
        if self.controls is None:
            return original.schema.in_role("class")
        for name in self.controls:
            if name not in original.columns:
                raise unknown_name("column for a control", name, original.columns)
        return self.controls


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

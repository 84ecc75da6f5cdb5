"""MDAV: every record's numbers become the means of a group of k or more close records (microaggregation).

Groups are made inside cells: the records of the table, or of one segment, that have the same numbers missing. Nothing
is drawn: the same table gives the same release under any key. The loops over records are in `kernels.mdav`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from hushwood.arrays import Array, Flags, Floats
from hushwood.parameters import AtLeast
from hushwood.segments.segments import Segments
from hushwood.tables.table import Table
from hushwood.techniques.laws.group_values import GroupValuesLaw, GroupValuesPerturber
from hushwood.techniques.laws.groupings import groups_within
from hushwood.techniques.laws.promises import INSIDE, Promise
from hushwood.techniques.partitions.near_records import near_records
from hushwood.techniques.protocol import Columns, Target, Technique, Within
from hushwood.techniques.together.cells import NumberGroup


@dataclass(frozen=True, slots=True)
class Mdav(Technique):
    """Means of `k` to 2k - 1 records that are close in all columns, in the table or inside every segment."""

    k: Annotated[int, AtLeast(2)] = 3
    within: Within = "table"
    acronym: ClassVar[str] = "MDAV"
    perturbs: ClassVar[Target] = "numeric"
    trust: ClassVar[str] = (
        "Each value is the mean of a small group of records: averages are exact, variances a "
        "little too small."
    )
    jointly: ClassVar[bool] = True
    promise: ClassVar[Promise] = INSIDE

    def says(self) -> str:
        where = "of the same segment" if self.within == "segment" else "of the table"
        return (
            f"Replaced by the mean of {self.k} or more records {where} that are close in all numbers; of fewer only "
            "where no more records have the same columns filled."
        )

    def prepare(self, original: Table, attributes: Sequence[str], segments: Segments) -> GroupValuesPerturber:
        """Find the groups and their means."""
        group = NumberGroup.of(original, attributes, segments, self.within)
        numbers = group.numbers(original.columns)
        ids = groups_within(self.within)(original.columns, segments.ids)
        members = near_records(numbers, ids, self.within, self.k) if group.names else np.zeros(0, np.int32)
        first = np.unique(members, return_index=True)[1]
        means = group.columns(group_means(numbers, members, group.decimal), ids[first])
        columns = {name: original.columns[name] for name in group.names}
        return GroupValuesPerturber(GroupValuesLaw(group.names, self.within, columns, ids, members, means))


def group_means(numbers: Floats, members: Array, decimal: Flags) -> Floats:
    """Mean of every group [group, column], rounded to the column's decimals if it has any; NaN where it has none."""
    sizes = np.bincount(members)
    out = np.empty((len(sizes), numbers.shape[1]))
    for j, whole in enumerate(decimal.tolist()):
        mean = np.bincount(members, numbers[:, j]) / sizes
        low, high = np.full(len(sizes), np.inf), np.full(len(sizes), -np.inf)
        with np.errstate(invalid="ignore"):  # missing numbers
            np.minimum.at(low, members, numbers[:, j])
            np.maximum.at(high, members, numbers[:, j])
        # The mean of three times 0.1 is 0.10000000000000002; adding 0 makes 0 of -0.
        out[:, j] = np.clip(np.rint(mean) + 0.0 if whole else mean, low, high)
    return out


def information_loss(original: Columns, released: Columns) -> float:
    """SSE / SST: how much of the spread of the released columns lies inside the groups, all columns counting alike.

    0 if nothing changed, 1 if every value became the mean; numbers missing on either side are ignored.

    >>> information_loss({"x": np.array([1.0, 2.0, 3.0, 4.0])}, {"x": np.array([1.5, 1.5, 3.5, 3.5])})
    0.2
    """
    lost = total = 0.0
    for name, values in released.items():
        known = ~(np.isnan(original[name]) | np.isnan(values))
        x, y = original[name][known], values[known]
        squares = float(((x - x.mean()) ** 2).sum()) if len(x) else 0.0
        if squares > 0:
            lost += float(((x - y) ** 2).sum()) / squares * len(x)
            total += len(x)
    return lost / total if total else 0.0

"""The different records of a table's categorical columns with their counts: what ROCK, QROCK, COOLCAT and CORE cluster.

The class is a column like any other, a missing category a value like any other; columns of one value, and of more
values than a tree tests, are left out. Columns are taken by name and tuples by count (then by code), so the order of
the table's rows and columns decides nothing. `record_groups` hands the clusters to CAPT.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hushwood.kernel_doors import check_indices
from hushwood.segments.partition import combine
from hushwood.tables.schema import Schema
from hushwood.tables.table import Table, bin_names, label_columns
from hushwood.trees.training import MOST_BRANCHES

Values = NDArray[np.int32]


@dataclass(frozen=True, slots=True)
class ClusteredColumns:
    """Columns by name, and the number of each one's first value: missing, then its categories in order."""

    schema: Schema
    names: tuple[str, ...]
    first: tuple[int, ...]
    width: int

    def values(self, columns: Mapping[str, NDArray[Any]]) -> Values:
        """One row per record, one column per attribute; every value of every attribute has its own number."""
        read = label_columns(self.schema, {name: columns[name] for name in self.names})
        numbered = [read[name] + (first + 1) for name, first in zip(self.names, self.first, strict=True)]
        values = np.ascontiguousarray(np.stack(numbered, axis=1), np.int32)
        check_indices("Values of clustered columns", values, self.width)
        return values


@dataclass(frozen=True, slots=True)
class RecordTuples:
    """Different records as rows of value numbers below `width`, the most frequent first, and how often each occurs."""

    values: Values
    weight: NDArray[np.int64]
    width: int

    def __len__(self) -> int:
        return len(self.weight)

    def take(self, which: NDArray[Any]) -> RecordTuples:
        """The chosen ones."""
        return RecordTuples(self.values[which], self.weight[which], self.width)

    def most_frequent(self, count: int) -> RecordTuples:
        """So many of them; of the last ones that are equally frequent, some at even steps."""
        if count >= len(self):
            return self
        last = self.weight[count - 1]
        more, tied = np.count_nonzero(self.weight > last), np.count_nonzero(self.weight == last)
        steps = np.arange(count - more) * tied // (count - more)
        return self.take(np.concatenate([np.arange(more), more + steps]))


def clustered_columns(table: Table) -> ClusteredColumns:
    """The categorical columns of at least two values, a binned class as its bins."""
    seen = label_columns(table.schema, table.columns)
    widths = {}
    for attribute in table.schema.kept:
        count = len(bin_names(attribute.bins) if attribute.bins else attribute.categories)
        codes = seen[attribute.name]
        wanted = attribute.kind == "categorical" and count <= MOST_BRANCHES
        if wanted and codes.min(initial=count) < codes.max(initial=-1):
            widths[attribute.name] = count + 1
    names = tuple(sorted(widths))
    ends = np.cumsum([0] + [widths[name] for name in names]).tolist()
    return ClusteredColumns(table.schema, names, tuple(ends[:-1]), ends[-1])


def record_tuples(values: Values, width: int) -> RecordTuples:
    """The different rows, most frequent first and equally frequent ones in ascending order."""
    ids, members = combine(list(values.T))
    count = np.bincount(ids, minlength=members.shape[1]).astype(np.int64)
    order = np.argsort(-count, kind="stable")
    return RecordTuples(np.ascontiguousarray(members.T[order], np.int32), count[order], width)

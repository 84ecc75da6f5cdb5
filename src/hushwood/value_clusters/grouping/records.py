"""What ROCK, QROCK, COOLCAT and CORE share: the distinct records of a table, and their clusters as CAPT's groups.

The class is a column like any other, a missing category a value like any other; columns with one value, and with more
values than a tree tests, are dropped. Columns are sorted by name and records by count (then by code), so the order of
the table's rows and columns decides nothing. A known record is in its cluster, another goes where the clustering's own
rule puts it: a record's group depends on its values alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from hushwood.arrays import Array, Codes, Integers, check_indices
from hushwood.segments.partition import combine
from hushwood.tables.schema import Schema
from hushwood.tables.table import Table, bin_names, label_columns
from hushwood.trees.options import GrowOptions
from hushwood.trees.training import MOST_BRANCHES
from hushwood.value_clusters.grouping.table_cache import cached_per_table
from hushwood.value_clusters.protocol import Columns, Sibling

MOST_TUPLES = 2000  # every pair is compared; on Adult they are three quarters of all records


@dataclass(frozen=True, slots=True)
class ClusteredColumns:
    """Columns by name, and the number of each one's first value: missing, then its categories in order."""

    schema: Schema
    names: tuple[str, ...]
    first: tuple[int, ...]
    width: int

    def values(self, columns: Mapping[str, Array]) -> Codes:
        """One row per record, one column per attribute; every value of every attribute has its own number."""
        read = label_columns(self.schema, {name: columns[name] for name in self.names})
        numbered = [read[name] + (first + 1) for name, first in zip(self.names, self.first, strict=True)]
        values = np.ascontiguousarray(np.stack(numbered, axis=1), np.int32)
        check_indices("Values of clustered columns", values, self.width)
        return values


@dataclass(frozen=True, slots=True)
class RecordTuples:
    """Distinct records as rows of value numbers below `width`, the most frequent first, and their counts."""

    values: Codes
    weight: Integers
    width: int

    def __len__(self) -> int:
        return len(self.weight)

    def take(self, which: Array) -> RecordTuples:
        """Some of the tuples."""
        return RecordTuples(self.values[which], self.weight[which], self.width)

    def most_frequent(self, count: int) -> RecordTuples:
        """The first `count`; among those tied for the last places, some at even steps."""
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


def record_tuples(values: Codes, width: int) -> RecordTuples:
    """The distinct rows, most frequent first and equally frequent ones in ascending order."""
    ids, members = combine(list(values.T))
    count = np.bincount(ids, minlength=members.shape[1]).astype(np.int64)
    order = np.argsort(-count, kind="stable")
    return RecordTuples(np.ascontiguousarray(members.T[order], np.int32), count[order], width)


class RecordClusters(Protocol):
    """What a clustering of records found."""

    @property
    def tuples(self) -> RecordTuples:
        """The records that were clustered."""

    @property
    def cluster(self) -> Integers:
        """The cluster (0, 1, ...) of each."""

    def labelled(self, values: Codes) -> Integers:
        """The clusters to which other records belong."""


@dataclass(frozen=True, slots=True)
class RecordGroups:
    """The cluster of every record as its group."""

    columns: ClusteredColumns
    clusters: RecordClusters

    @property
    def reads(self) -> tuple[str, ...]:
        """The clustered columns."""
        return self.columns.names

    @property
    def siblings(self) -> Mapping[int, tuple[Sibling, ...]]:
        """None: clusters have no neighbours."""
        return {}

    def group_of(self, columns: Columns) -> Integers:
        """Look up every record, and label the unknown ones."""
        known = self.clusters.tuples.values
        ids, members = combine(list(np.concatenate([known, self.columns.values(columns)]).T))
        label = np.full(members.shape[1], -1, np.int64)
        label[ids[: len(known)]] = self.clusters.cluster
        unknown = label < 0
        if unknown.any():
            label[unknown] = self.clusters.labelled(np.ascontiguousarray(members[:, unknown].T, np.int32))
        return label[ids[len(known) :]]


def record_groups(
    table: Table, attribute: str, cluster: Callable[[RecordTuples, Any], RecordClusters], how: object
) -> RecordGroups | None:
    """The clusters of the table's records; None if the attribute has one value, or all records or none are alike."""
    codes = np.asarray(table.columns[attribute])
    columns = clustered_columns(table)
    if attribute not in columns.names or len(columns.names) < 2 or len(np.unique(codes[codes >= 0])) < 2:
        return None
    found = _clustered(table, columns, cluster, how)
    count = int(found.cluster.max(initial=-1)) + 1
    return None if count < 2 or count == len(found.tuples) else RecordGroups(columns, found)


@cached_per_table
def _clustered(
    table: Table,
    columns: ClusteredColumns,
    cluster: Callable[[RecordTuples, Any], RecordClusters],
    how: object,
) -> RecordClusters:
    return cluster(record_tuples(columns.values(table.columns), columns.width), how)


def as_groups(
    cluster: Callable[[RecordTuples, Any], RecordClusters], default: object
) -> Callable[..., RecordGroups | None]:
    """The function that gives a clustering's groups to CAPT; the options of trees do not matter to it."""

    def groups(
        table: Table, attribute: str, options: GrowOptions, how: object = default
    ) -> RecordGroups | None:
        return record_groups(table, attribute, cluster, how)

    return groups

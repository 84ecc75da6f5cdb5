"""Clusters of records as groups for CAPT: a known record is in its cluster, another goes where the clustering's own
labelling rule puts it. So a record's group depends on its values alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from hushwood.segments.partition import combine
from hushwood.tables.table import Table
from hushwood.value_clusters.once import once_per_table
from hushwood.value_clusters.protocol import Columns, Sibling
from hushwood.value_clusters.record_tuples import (
    ClusteredColumns,
    RecordTuples,
    Values,
    clustered_columns,
    record_tuples,
)


class RecordClusters(Protocol):
    """What a clustering of records found."""

    @property
    def tuples(self) -> RecordTuples:
        """The records that were clustered."""

    @property
    def cluster(self) -> NDArray[np.int64]:
        """The cluster (0, 1, ...) of every one of them."""

    def labelled(self, values: Values) -> NDArray[np.int64]:
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

    def group_of(self, columns: Columns) -> NDArray[np.int64]:
        """Look every record up, and label the unknown ones."""
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
    """The clusters of the table's records; None if the attribute has one value, or all are alike, or none are."""
    codes = np.asarray(table.columns[attribute])
    columns = clustered_columns(table)
    if attribute not in columns.names or len(columns.names) < 2 or len(np.unique(codes[codes >= 0])) < 2:
        return None
    found = _clustered(table, columns, cluster, how)
    count = int(found.cluster.max(initial=-1)) + 1
    return None if count < 2 or count == len(found.tuples) else RecordGroups(columns, found)


@once_per_table
def _clustered(
    table: Table,
    columns: ClusteredColumns,
    cluster: Callable[[RecordTuples, Any], RecordClusters],
    how: object,
) -> RecordClusters:
    return cluster(record_tuples(columns.values(table.columns), columns.width), how)

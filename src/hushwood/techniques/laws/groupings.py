"""Which records share a distribution: those of a segment, of the whole table, with one value, or of one cluster."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from hushwood.arrays import Array, Integers
from hushwood.segments.segments import Allowed
from hushwood.techniques.protocol import Columns, Within
from hushwood.value_clusters.protocol import ValueGroups

Groups = Callable[[Columns, Array], Integers]


def by_segment(columns: Columns, segment_ids: Array) -> Integers:
    """Every segment is a group."""
    return np.asarray(segment_ids, np.int64)


def whole_table(columns: Columns, segment_ids: Array) -> Integers:
    """All records are one group."""
    return np.zeros(len(segment_ids), np.int64)


def groups_within(within: Within) -> Groups:
    """Every segment, or the whole table."""
    return by_segment if within == "segment" else whole_table


def coded(values: Array, width: int) -> Integers:
    """Category codes, with missing as the last of `width` codes."""
    codes = np.asarray(values, np.int64)
    return np.where(codes < 0, width - 1, codes)


@dataclass(frozen=True, slots=True)
class OwnValue:
    """A record's group is its own value of the attribute, in its segment or in the table: a row of a matrix."""

    attribute: str
    width: int
    within: Within

    def __call__(self, columns: Columns, segment_ids: Array) -> Integers:
        """The group of every record."""
        codes = coded(columns[self.attribute], self.width)
        return codes if self.within == "table" else np.asarray(segment_ids, np.int64) * self.width + codes


@dataclass(frozen=True, slots=True)
class ClusterGroups:
    """A record's group is its cluster, if there are any, combined with the set of values its segment allows."""

    clusters: ValueGroups | None = None
    allowed: Allowed | None = None

    def clusters_of(self, columns: Columns) -> Integers:
        """The cluster of every record; 0 where nothing explains the attribute."""
        if self.clusters is None:
            return np.zeros(len(next(iter(columns.values()))), np.int64)
        return self.clusters.group_of(columns)

    def all_groups(self, clusters: int) -> Integers:
        """All groups that there can be with that many clusters, some perhaps without a record."""
        return np.arange(clusters * (1 if self.allowed is None else len(self.allowed.sets)))

    def __call__(self, columns: Columns, segment_ids: Array) -> Integers:
        """The group of every record."""
        clusters = self.clusters_of(columns)
        if self.allowed is None:
            return clusters
        return np.asarray(clusters * len(self.allowed.sets) + self.allowed.of_segment[segment_ids])

"""QROCK: records that are joined by a chain of neighbours are one cluster (algorithms 4.3).

Neighbours are those of ROCK, and the clusters those at which ROCK finds no more links (errata C4).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hushwood.tables.table import Table
from hushwood.trees.options import GrowOptions
from hushwood.value_clusters.neighbours import NeighbourClusters, checked_theta, neighbours, usual_theta
from hushwood.value_clusters.parameters import MOST_TUPLES, check_count
from hushwood.value_clusters.record_groups import RecordGroups, record_groups
from hushwood.value_clusters.record_tuples import RecordTuples


@dataclass(frozen=True, slots=True)
class Qrock:
    """How similar neighbours are (without theta, by the usual one), and how many different records are clustered."""

    theta: float | None = None
    tuples: int = MOST_TUPLES

    def __post_init__(self) -> None:
        checked_theta("theta of QROCK", self.theta)
        check_count("tuples of QROCK", self.tuples, least=2)


DEFAULT = Qrock()


def qrock(tuples: RecordTuples, how: Qrock = DEFAULT) -> NeighbourClusters:
    """Cluster the most frequent records; the cluster of the most neighbours takes a record that is not among them."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    known = tuples.most_frequent(how.tuples)
    theta = usual_theta(known.values.shape[1]) if how.theta is None else how.theta
    count, found = connected_components(csr_array(neighbours(known.values, theta)), directed=False)
    _, first, place = np.unique(found, return_index=True, return_inverse=True)
    cluster = np.argsort(np.argsort(first))[place]
    return NeighbourClusters(known, cluster.astype(np.int64), np.ones(count), theta)


def qrock_groups(
    table: Table, attribute: str, options: GrowOptions, how: Qrock = DEFAULT
) -> RecordGroups | None:
    """The clusters of the table's records as groups; a tree's options say nothing here."""
    return record_groups(table, attribute, qrock, how)

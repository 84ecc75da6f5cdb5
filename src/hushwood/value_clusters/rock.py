"""ROCK: records are alike if they have many neighbours in common (algorithms 4.2, errata C4).

Two records are neighbours if their Jaccard similarity is theta or more, a record being its own; their links are the
neighbours they share. The pair of clusters with the most links for their size is merged, until k clusters are left or
no links between them (then the clusters are those of QROCK). Identical records begin in one cluster; instead of a
sample the most frequent ones are clustered, and the others labelled.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hushwood.tables.table import Table
from hushwood.trees.options import GrowOptions
from hushwood.value_clusters.neighbours import NeighbourClusters, checked_theta, neighbours, usual_theta
from hushwood.value_clusters.parameters import MOST_TUPLES, check_count
from hushwood.value_clusters.record_groups import RecordGroups, record_groups
from hushwood.value_clusters.record_tuples import RecordTuples
from hushwood.value_clusters.rock_kernels import merge_by_links


@dataclass(frozen=True, slots=True)
class Rock:
    """How to cluster: into k clusters, or more if there are no links between them; without theta, by the usual one.

    When `weed_at` · k clusters are left, or 1 / `weed_at` of those at the start if that is fewer, or no links, the
    clusters of fewer than `least` records are taken for outliers and labelled like records that were not clustered;
    a `least` of 1 takes none. `tuples` is how many different records are clustered.
    """

    theta: float | None = None
    k: int = 20
    weed_at: int = 3
    least: int = 10
    own_neighbours: bool = True
    tuples: int = MOST_TUPLES

    def __post_init__(self) -> None:
        checked_theta("theta of ROCK", self.theta)
        for name in ("k", "weed_at", "least"):
            check_count(f"{name} of ROCK", getattr(self, name))
        check_count("tuples of ROCK", self.tuples, least=2)

    def weeded_at(self, tuples: int) -> int:
        """How many clusters are left of so many tuples when outliers are taken out."""
        return max(self.k, min(self.weed_at * self.k, tuples // self.weed_at))


DEFAULT = Rock()


def rock(tuples: RecordTuples, how: Rock = DEFAULT) -> NeighbourClusters:
    """Cluster the most frequent records."""
    known = tuples.most_frequent(how.tuples)
    theta = usual_theta(known.values.shape[1]) if how.theta is None else how.theta
    f = (1 - theta) / (1 + theta)
    size = known.weight.astype(np.float64)
    linked = links(known, theta, how.own_neighbours)
    cluster: NDArray[np.int64] = merge_by_links(
        linked, size, 1 + 2 * f, how.weeded_at(len(known)), how.least, how.k
    )
    kept = cluster >= 0
    known, cluster = known.take(kept), cluster[kept]
    records = np.bincount(cluster, known.weight)
    return NeighbourClusters(known, cluster, np.power(records + 1, -f, dtype=np.float64), theta)


def links(tuples: RecordTuples, theta: float, own_neighbours: bool = True) -> NDArray[np.float64]:
    """Links between the records of every two tuples: for each pair of records, the neighbours they share."""
    near = neighbours(tuples.values, theta).astype(np.float64)
    weight = tuples.weight.astype(np.float64)
    shared = (near * weight) @ near
    if not own_neighbours:
        # Of two neighbours, each is its own and the other's neighbour: two records that no longer count.
        shared -= 2 * near
    return np.asarray(shared * weight[:, None] * weight)


def rock_groups(
    table: Table, attribute: str, options: GrowOptions, how: Rock = DEFAULT
) -> RecordGroups | None:
    """The clusters of the table's records as groups; a tree's options say nothing here."""
    return record_groups(table, attribute, rock, how)

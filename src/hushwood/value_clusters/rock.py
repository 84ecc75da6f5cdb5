"""ROCK: records are alike if they have many neighbours in common (docs/value-clusters.md, errata C4).

Two records are neighbours if their Jaccard similarity is theta or more, a record being its own; their links are the
neighbours they share. The pair of clusters with the most links for their size is merged until k clusters are left or
no links between them (then the clusters are those of QROCK). Identical records start in one cluster; instead of a
sample the most frequent ones are clustered, and the others labelled.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from hushwood.arrays import Floats, Integers
from hushwood.parameters import SHARE, AtLeast, Checked
from hushwood.value_clusters.grouping.neighbours import (
    NeighbourClusters,
    neighbours,
    usual_theta,
)
from hushwood.value_clusters.grouping.records import MOST_TUPLES, RecordTuples, as_groups
from hushwood.value_clusters.kernels.rock import merge_by_links


@dataclass(frozen=True, slots=True)
class Rock(Checked):
    """Into k clusters, or more if no links are left between them; without theta, the usual one is taken.

    When `weed_at` · k clusters are left, or 1 / `weed_at` of those at the start if that is fewer, or no links, the
    clusters of fewer than `least` records count as outliers and are labelled like records that were not clustered.
    `tuples` is the number of distinct records clustered.
    """

    acronym: ClassVar[str] = "ROCK"
    theta: Annotated[float | None, SHARE] = None
    k: Annotated[int, AtLeast(1)] = 20
    weed_at: Annotated[int, AtLeast(1)] = 3
    least: Annotated[int, AtLeast(1)] = 10
    own_neighbours: bool = True
    tuples: Annotated[int, AtLeast(2)] = MOST_TUPLES

    def weeded_at(self, tuples: int) -> int:
        """How many clusters are left when outliers are removed."""
        return max(self.k, min(self.weed_at * self.k, tuples // self.weed_at))


DEFAULT = Rock()


def rock(tuples: RecordTuples, how: Rock = DEFAULT) -> NeighbourClusters:
    """Cluster the most frequent records."""
    known = tuples.most_frequent(how.tuples)
    theta = usual_theta(known.values.shape[1]) if how.theta is None else how.theta
    f = (1 - theta) / (1 + theta)
    size = known.weight.astype(np.float64)
    linked = links(known, theta, how.own_neighbours)
    cluster: Integers = merge_by_links(linked, size, 1 + 2 * f, how.weeded_at(len(known)), how.least, how.k)
    kept = cluster >= 0
    known, cluster = known.take(kept), cluster[kept]
    records = np.bincount(cluster, known.weight)
    return NeighbourClusters(known, cluster, np.power(records + 1, -f, dtype=np.float64), theta)


def links(tuples: RecordTuples, theta: float, own_neighbours: bool = True) -> Floats:
    """Links between the records of every two tuples: for each pair of records, the neighbours they share."""
    near = neighbours(tuples.values, theta).astype(np.float64)
    weight = tuples.weight.astype(np.float64)
    shared = (near * weight) @ near
    if not own_neighbours:
        # Of two neighbours, each is its own and the other's neighbour: two records that no longer count.
        shared -= 2 * near
    return np.asarray(shared * weight[:, None] * weight)


rock_groups = as_groups(rock, DEFAULT)

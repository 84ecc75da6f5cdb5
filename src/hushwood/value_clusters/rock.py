"""ROCK and QROCK: records are alike if they are joined by neighbours (docs/value-clusters.md, errata C4).

Two records are neighbours if their Jaccard similarity is theta or more, a record being its own; their links are the
neighbours they share. ROCK merges the pair of clusters with the most links for their size until k clusters are left or
no links between them. QROCK's clusters are those at which ROCK finds no more links: records joined by a chain of
neighbours. Identical records start in one cluster; instead of a sample the most frequent ones are clustered, and the
others labelled. Two records of s attributes with s1 equal values have similarity s1 / (2s - s1), so theta is a least
s1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from hushwood.arrays import Codes, Flags, Floats, Integers
from hushwood.parameters import SHARE, AtLeast, Checked
from hushwood.value_clusters.grouping.records import MOST_TUPLES, RecordTuples, as_groups
from hushwood.value_clusters.kernels.rock import all_neighbours, best_by_neighbours, merge_by_links

USUAL_THETA = 0.8


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


USUAL_ROCK = Rock()


def rock(tuples: RecordTuples, how: Rock = USUAL_ROCK) -> NeighbourClusters:
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


rock_groups = as_groups(rock, USUAL_ROCK)


@dataclass(frozen=True, slots=True)
class Qrock(Checked):
    """The similarity of neighbours (None: the usual one), and the number of distinct records clustered."""

    acronym: ClassVar[str] = "QROCK"
    theta: Annotated[float | None, SHARE] = None
    tuples: Annotated[int, AtLeast(2)] = MOST_TUPLES


USUAL_QROCK = Qrock()


def qrock(tuples: RecordTuples, how: Qrock = USUAL_QROCK) -> NeighbourClusters:
    """Cluster the most frequent records; any other record joins the cluster with most of its neighbours."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    known = tuples.most_frequent(how.tuples)
    theta = usual_theta(known.values.shape[1]) if how.theta is None else how.theta
    count, found = connected_components(csr_array(neighbours(known.values, theta)), directed=False)
    _, first, place = np.unique(found, return_index=True, return_inverse=True)
    cluster = np.argsort(np.argsort(first))[place]
    return NeighbourClusters(known, cluster.astype(np.int64), np.ones(count), theta)


qrock_groups = as_groups(qrock, USUAL_QROCK)


def usual_theta(attributes: int) -> float:
    """The value ROCK's authors used on 22 attributes, lowered where it would let no attribute differ.

    >>> [round(usual_theta(attributes), 3) for attributes in (3, 5, 22)]
    [0.5, 0.667, 0.8]
    """
    return min(USUAL_THETA, (attributes - 1) / (attributes + 1))


def least_equal(theta: float, attributes: int) -> int:
    """How many attributes must be equal for a similarity of theta.

    >>> [least_equal(theta, 9) for theta in (0, 0.5, 0.8, 1)]
    [0, 6, 8, 9]
    """
    reached = (equal for equal in range(attributes) if equal / (2 * attributes - equal) >= theta)
    return next(reached, attributes)


def neighbours(values: Codes, theta: float) -> Flags:
    """Which pairs of records are neighbours; a record is its own."""
    near: Flags = all_neighbours(values, least_equal(theta, values.shape[1]))
    return near


@dataclass(frozen=True, slots=True)
class NeighbourClusters:
    """Clusters of records linked by neighbours; `factor` is the weight of a neighbour in each.

    Records of no cluster are not among the tuples.
    """

    tuples: RecordTuples
    cluster: Integers
    factor: Floats
    theta: float

    def labelled(self, values: Codes) -> Integers:
        """The cluster whose neighbours weigh most; without neighbours, the one of the most similar record.

        Among equally similar records the most frequent decides, among equal weights the first cluster.
        """
        least = least_equal(self.theta, values.shape[1])
        label: Integers = best_by_neighbours(
            values, self.tuples.values, self.tuples.weight, self.cluster, self.factor, least
        )
        return label

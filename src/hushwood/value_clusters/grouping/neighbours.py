"""Neighbours of ROCK and QROCK: records whose value sets have a Jaccard similarity of at least theta (errata C4).

Two records of s attributes with s1 equal values have similarity s1 / (2s - s1), so theta is a least s1.
"""

from __future__ import annotations

from dataclasses import dataclass

from hushwood.arrays import Codes, Flags, Floats, Integers
from hushwood.value_clusters.grouping.records import RecordTuples
from hushwood.value_clusters.kernels.neighbours import all_neighbours, best_by_neighbours

USUAL_THETA = 0.8


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

"""Neighbours of ROCK and QROCK: records whose value sets have a Jaccard similarity of at least theta (errata C4).

Two records of s attributes with s1 equal values have similarity s1 / (2s - s1), so theta is a least s1.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hushwood.value_clusters.neighbour_kernels import all_neighbours, best_by_neighbours
from hushwood.value_clusters.parameters import check_share
from hushwood.value_clusters.record_tuples import RecordTuples, Values

USUAL_THETA = 0.8


def checked_theta(what: str, theta: float | None) -> None:
    """Refuse a theta that is no similarity; None stands for the usual one."""
    if theta is not None:
        check_share(what, theta)


def usual_theta(attributes: int) -> float:
    """What ROCK's authors used on 22 attributes, but never so much that no attribute may differ.

    >>> [round(usual_theta(attributes), 3) for attributes in (3, 5, 22)]
    [0.5, 0.667, 0.8]
    """
    return min(USUAL_THETA, (attributes - 1) / (attributes + 1))


def least_equal(theta: float, attributes: int) -> int:
    """How many of the attributes must be equal for a similarity of theta.

    >>> [least_equal(theta, 9) for theta in (0, 0.5, 0.8, 1)]
    [0, 6, 8, 9]
    """
    reached = (equal for equal in range(attributes) if equal / (2 * attributes - equal) >= theta)
    return next(reached, attributes)


def neighbours(values: Values, theta: float) -> NDArray[np.bool_]:
    """Which pairs of records are neighbours, each with itself among them."""
    near: NDArray[np.bool_] = all_neighbours(values, least_equal(theta, values.shape[1]))
    return near


@dataclass(frozen=True, slots=True)
class NeighbourClusters:
    """Clusters of records that hang together by neighbours; `factor` is what a neighbour counts in each.

    Records of no cluster are not among the tuples.
    """

    tuples: RecordTuples
    cluster: NDArray[np.int64]
    factor: NDArray[np.float64]
    theta: float

    def labelled(self, values: Values) -> NDArray[np.int64]:
        """The cluster whose neighbours count most; of a record without neighbours, the one of the likest record.

        Of equally like records the most frequent decides, of equal counts the first cluster.
        """
        least = least_equal(self.theta, values.shape[1])
        label: NDArray[np.int64] = best_by_neighbours(
            values, self.tuples.values, self.tuples.weight, self.cluster, self.factor, least
        )
        return label

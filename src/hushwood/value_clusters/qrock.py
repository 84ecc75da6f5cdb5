"""QROCK: records that are joined by a chain of neighbours are one cluster (docs/value-clusters.md).

Neighbours are those of ROCK, and the clusters those at which ROCK finds no more links (errata C4).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from hushwood.parameters import SHARE, AtLeast, Checked
from hushwood.value_clusters.grouping.neighbours import (
    NeighbourClusters,
    neighbours,
    usual_theta,
)
from hushwood.value_clusters.grouping.records import MOST_TUPLES, RecordTuples, as_groups


@dataclass(frozen=True, slots=True)
class Qrock(Checked):
    """The similarity of neighbours (None: the usual one), and the number of distinct records clustered."""

    acronym: ClassVar[str] = "QROCK"
    theta: Annotated[float | None, SHARE] = None
    tuples: Annotated[int, AtLeast(2)] = MOST_TUPLES


DEFAULT = Qrock()


def qrock(tuples: RecordTuples, how: Qrock = DEFAULT) -> NeighbourClusters:
    """Cluster the most frequent records; any other record joins the cluster with most of its neighbours."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import connected_components

    known = tuples.most_frequent(how.tuples)
    theta = usual_theta(known.values.shape[1]) if how.theta is None else how.theta
    count, found = connected_components(csr_array(neighbours(known.values, theta)), directed=False)
    _, first, place = np.unique(found, return_index=True, return_inverse=True)
    cluster = np.argsort(np.argsort(first))[place]
    return NeighbourClusters(known, cluster.astype(np.int64), np.ones(count), theta)


qrock_groups = as_groups(qrock, DEFAULT)

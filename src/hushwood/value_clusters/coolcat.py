"""COOLCAT: records are put together so that the values within clusters surprise least (algorithms 4.4, errata C5).

The entropy of a cluster is the sum of its attributes' entropies. The pair with the largest entropy starts two clusters,
the record farthest from those chosen the next, until there are k. The others go, the most frequent first and identical
ones together, where the expected entropy is least; after every batch those that fit worst are placed again.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hushwood.tables.table import Table
from hushwood.trees.options import GrowOptions
from hushwood.value_clusters.coolcat_kernels import far_records, label_by_growth, place_in_batches
from hushwood.value_clusters.parameters import MOST_TUPLES, check_count, check_share
from hushwood.value_clusters.record_groups import RecordGroups, record_groups
from hushwood.value_clusters.record_tuples import RecordTuples, Values


@dataclass(frozen=True, slots=True)
class Coolcat:
    """How many clusters; how many different records a batch has, and the share of it that is placed again.

    `tuples` is how many different records are clustered.
    """

    k: int = 10
    batch: int = 100
    again: float = 0.1
    tuples: int = MOST_TUPLES

    def __post_init__(self) -> None:
        check_count("k of COOLCAT", self.k, least=2)
        check_count("batch of COOLCAT", self.batch)
        check_share("again of COOLCAT", self.again)
        check_count("tuples of COOLCAT", self.tuples, least=2)


DEFAULT = Coolcat()


@dataclass(frozen=True, slots=True)
class EntropyClusters:
    """Clusters, and what decides where a record goes: how often each has every value, and how many records."""

    tuples: RecordTuples
    cluster: NDArray[np.int64]
    counts: NDArray[np.float64]
    size: NDArray[np.float64]

    def labelled(self, values: Values) -> NDArray[np.int64]:
        """The cluster of least expected entropy; the first of equal ones."""
        label: NDArray[np.int64] = label_by_growth(values, self.counts, self.size)
        return label


def coolcat(tuples: RecordTuples, how: Coolcat = DEFAULT) -> EntropyClusters:
    """Cluster the most frequent records."""
    known = tuples.most_frequent(how.tuples)
    starts = far_records(known.values, min(how.k, len(known)))
    cluster, counts, size = place_in_batches(
        known.values, known.weight.astype(np.float64), starts, known.width, how.batch, how.again
    )
    return EntropyClusters(known, cluster, counts, size)


def coolcat_groups(
    table: Table, attribute: str, options: GrowOptions, how: Coolcat = DEFAULT
) -> RecordGroups | None:
    """The clusters of the table's records as groups; a tree's options say nothing here."""
    return record_groups(table, attribute, coolcat, how)

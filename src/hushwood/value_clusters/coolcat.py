"""COOLCAT: records are clustered so that the values within clusters have the least entropy (errata C5).

The entropy of a cluster is the sum of its attributes' entropies. The pair with the largest entropy starts two clusters,
the record farthest from those chosen the next, until there are k. The others, most frequent first and identical ones
together, go where the expected entropy is least; after every batch those that fit worst are placed again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar

import numpy as np

from hushwood.arrays import Codes, Floats, Integers
from hushwood.parameters import SHARE, AtLeast, Checked
from hushwood.value_clusters.grouping.records import MOST_TUPLES, RecordTuples, as_groups
from hushwood.value_clusters.kernels.core import far_records, label_by_growth, place_in_batches


@dataclass(frozen=True, slots=True)
class Coolcat(Checked):
    """Number of clusters; distinct records in a batch, and the share placed again; distinct records clustered."""

    acronym: ClassVar[str] = "COOLCAT"
    k: Annotated[int, AtLeast(2)] = 10
    batch: Annotated[int, AtLeast(1)] = 100
    again: Annotated[float, SHARE] = 0.1
    tuples: Annotated[int, AtLeast(2)] = MOST_TUPLES


DEFAULT = Coolcat()


@dataclass(frozen=True, slots=True)
class EntropyClusters:
    """Clusters, and what decides where a record goes: the count of every value in each, and its records."""

    tuples: RecordTuples
    cluster: Integers
    counts: Floats
    size: Floats

    def labelled(self, values: Codes) -> Integers:
        """The cluster of least expected entropy; the first of equal ones."""
        label: Integers = label_by_growth(values, self.counts, self.size)
        return label


def coolcat(tuples: RecordTuples, how: Coolcat = DEFAULT) -> EntropyClusters:
    """Cluster the most frequent records."""
    known = tuples.most_frequent(how.tuples)
    starts = far_records(known.values, min(how.k, len(known)))
    cluster, counts, size = place_in_batches(
        known.values, known.weight.astype(np.float64), starts, known.width, how.batch, how.again
    )
    return EntropyClusters(known, cluster, counts, size)


coolcat_groups = as_groups(coolcat, DEFAULT)

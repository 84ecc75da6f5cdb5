"""CORE: records are alike if their values are found together in other records too (docs/value-clusters.md).

The correlation of two values is the share of records with both among those with either, and delta is what it takes to
attract. A cluster is the set of its records' values; the two clusters whose values correlate most on the mean are
merged until k are left or none attract. Identical records start in one cluster; the most frequent are clustered.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, ClassVar

import numpy as np

from hushwood.arrays import Codes, Floats, Integers
from hushwood.parameters import SHARE, AtLeast, Checked
from hushwood.value_clusters.grouping.records import MOST_TUPLES, RecordTuples, as_groups
from hushwood.value_clusters.kernels.core import Sparse, label_by_correlation, merge_by_correlation

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(frozen=True, slots=True)
class Core(Checked):
    """The correlation that attracts, the least number of clusters, and the number of distinct records clustered."""

    acronym: ClassVar[str] = "CORE"
    delta: Annotated[float, SHARE] = 0.1
    k: Annotated[int, AtLeast(1)] = 10
    tuples: Annotated[int, AtLeast(2)] = MOST_TUPLES


DEFAULT = Core()


@dataclass(frozen=True, slots=True)
class CorrelationClusters:
    """Clusters, and `nearness[v, c]`: the mean correlation of value v with the values of cluster c."""

    tuples: RecordTuples
    cluster: Integers
    nearness: Floats

    def labelled(self, values: Codes) -> Integers:
        """The cluster whose values correlate most with the record's; the first of equal ones."""
        label: Integers = label_by_correlation(values, self.nearness)
        return label


def core(tuples: RecordTuples, how: Core = DEFAULT) -> CorrelationClusters:
    """Cluster the most frequent records, by correlations among all."""
    known = tuples.most_frequent(how.tuples)
    related = correlations(tuples)
    sparse = Sparse(related.data, related.indices, related.indptr)
    cluster: Integers = merge_by_correlation(known.values, sparse, how.delta, how.k)
    member = np.zeros((known.width, int(cluster.max(initial=-1)) + 1))
    member[known.values, cluster[:, None]] = 1
    return CorrelationClusters(known, cluster, np.asarray(related @ (member / member.sum(axis=0))))


def correlations(tuples: RecordTuples) -> csr_array:
    """Records with both values over records with either, for all pairs of values that occur together."""
    from scipy.sparse import csr_array, diags_array

    count, attributes = tuples.values.shape
    begin = np.arange(count + 1) * attributes
    has = csr_array((np.ones(count * attributes), tuples.values.reshape(-1), begin), (count, tuples.width))
    both = (has.T @ diags_array(tuples.weight.astype(np.float64)) @ has).tocoo()
    one = both.diagonal()
    row, column = both.coords
    share = both.data / (one[row] + one[column] - both.data)
    return csr_array((share, (row, column)), both.shape)


core_groups = as_groups(core, DEFAULT)

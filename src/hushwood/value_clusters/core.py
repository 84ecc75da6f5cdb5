"""CORE: records are alike if their values are found together in other records too (algorithms 4.5).

The correlation of two values is the share of records with both among those with either, and delta is what it takes to
attract. A cluster is the set of its records' values; the two clusters whose values correlate most on the mean are
merged, until k are left or none attract. Identical records begin in one cluster; the most frequent are clustered.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from hushwood.tables.table import Table
from hushwood.trees.options import GrowOptions
from hushwood.value_clusters.core_kernels import Sparse, label_by_correlation, merge_by_correlation
from hushwood.value_clusters.parameters import MOST_TUPLES, check_count, check_share
from hushwood.value_clusters.record_groups import RecordGroups, record_groups
from hushwood.value_clusters.record_tuples import RecordTuples, Values

if TYPE_CHECKING:
    from scipy.sparse import csr_array


@dataclass(frozen=True, slots=True)
class Core:
    """The correlation that attracts, the fewest clusters to end with, and how many different records are clustered."""

    delta: float = 0.1
    k: int = 10
    tuples: int = MOST_TUPLES

    def __post_init__(self) -> None:
        check_share("delta of CORE", self.delta)
        check_count("k of CORE", self.k)
        check_count("tuples of CORE", self.tuples, least=2)


DEFAULT = Core()


@dataclass(frozen=True, slots=True)
class CorrelationClusters:
    """Clusters, and `nearness[v, c]`: the mean correlation of value v with the values of cluster c."""

    tuples: RecordTuples
    cluster: NDArray[np.int64]
    nearness: NDArray[np.float64]

    def labelled(self, values: Values) -> NDArray[np.int64]:
        """The cluster whose values correlate most with the record's; the first of equal ones."""
        label: NDArray[np.int64] = label_by_correlation(values, self.nearness)
        return label


def core(tuples: RecordTuples, how: Core = DEFAULT) -> CorrelationClusters:
    """Cluster the most frequent records, by correlations among all."""
    known = tuples.most_frequent(how.tuples)
    related = correlations(tuples)
    sparse = Sparse(related.data, related.indices, related.indptr)
    cluster: NDArray[np.int64] = merge_by_correlation(known.values, sparse, how.delta, how.k)
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


def core_groups(
    table: Table, attribute: str, options: GrowOptions, how: Core = DEFAULT
) -> RecordGroups | None:
    """The clusters of the table's records as groups; a tree's options say nothing here."""
    return record_groups(table, attribute, core, how)

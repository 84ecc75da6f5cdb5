"""Clustering: would somebody who looks for clusters in the release find the original's (survey, section III.A)?

Records become points in `cluster_space`, `k_means` finds the centres; groupings are compared in `pair_counts`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from hushwood.measures.protocol import Context, Direction, Measurement, NotComputable, Side
from hushwood.measures.utility import pair_counts as pairs
from hushwood.measures.utility.cluster_space import ClusterSpace, Points
from hushwood.measures.utility.k_means import best_centres, nearest, starting_records
from hushwood.random_streams import Streams
from hushwood.tables.table import Table, class_labels

MOST_CLUSTERS = 10

Rows = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Clustering:
    """How well k-means centres of the release sort the original's records into the original's clusters.

    The original's records are given to the nearest centre, once of its own centres and once of the release's, with
    its way of scaling; the value is the adjusted Rand index of the two groupings, so it needs no pairing. There are
    as many clusters as classes (2 to 10). Both runs begin at the same records, `starts` times, and keep their
    tightest clusters, so that luck at the start does not pass for a difference. Above `most_records` a keyed sample
    is clustered, above `silhouette_records` Silhouette uses one. `weight` is the w of F_w.
    """

    most_records: int = 10_000
    silhouette_records: int = 2_000
    starts: int = 4
    weight: float = 1.0

    name: ClassVar[str] = "clustering"
    question: ClassVar[str] = (
        "Do clusters found in the release sort the original's records as its own clusters do?"
    )
    side: ClassVar[Side] = "utility"
    better: ClassVar[Direction] = "higher"
    bounds: ClassVar[tuple[float | None, float | None]] = (-0.5, 1.0)
    best: ClassVar[float | None] = 1.0

    def compute(self, original: Table, released: Table, context: Context) -> Measurement | NotComputable:
        """Cluster both tables and compare."""
        if original.rows < 2 or not released.rows:
            return NotComputable("There are too few records to look for clusters.")
        rows, others = self._rows(original, released, context)
        space, new_space = ClusterSpace.of(original, rows), ClusterSpace.of(released, others)
        before, after = space.points(original, rows), new_space.points(released, others)
        begin = starting_records(before, _wanted(original), self.starts, context.streams)
        if min(map(len, begin)) < 2:
            return NotComputable("All records are alike apart from their class, so there are no clusters.")
        seen_by_new = new_space.points(original, rows)
        centres = best_centres(before, [before[start] for start in begin])
        new_centres = best_centres(after, [seen_by_new[start] for start in begin])
        labels = nearest(before, centres)
        value = pairs.adjusted_rand(pairs.pair_counts(labels, nearest(seen_by_new, new_centres)))
        if context.value_only:
            return Measurement(value)
        new_labels = nearest(after, new_centres)
        old = self._quality(before, labels, class_labels(original)[0][rows], context.streams)
        new = self._quality(after, new_labels, class_labels(released)[0][others], context.streams)
        details = {
            "clusters": len(centres),
            "records": [len(rows), len(others)],
            "sampled": len(rows) < original.rows or len(others) < released.rows,
            "weight": self.weight,
            "before": old,
            "after": new,
            "loss": {name: _difference(old[name], new[name]) for name in old},
            "paired_adjusted_rand": _paired(labels, new_labels, rows, context),
        }
        return Measurement(value, details)

    def _rows(self, original: Table, released: Table, context: Context) -> tuple[Rows, Rows]:
        """The records that are clustered; of a paired release the partners of the original's."""
        rows = context.streams.sample(self.name, "rows", original.rows, self.most_records)
        if context.partner is not None:
            partners = context.partner[rows]
            if (partners >= 0).any():
                return rows, partners[partners >= 0]
        return rows, context.streams.sample(self.name, "rows", released.rows, self.most_records)

    def _quality(
        self, points: Points, labels: Rows, classes: NDArray[np.int32], streams: Streams
    ) -> dict[str, float | None]:
        """The clusters against the class, by pairs of records whose class is known, and by their shape."""
        known = classes >= 0
        counts = pairs.pair_counts(labels[known], classes[known])
        there = bool(counts.pairs)
        return {
            "rand": pairs.rand(counts),
            "adjusted_rand": pairs.adjusted_rand(counts) if there else None,
            "f_measure": pairs.f_measure(counts, self.weight) if there else None,
            "fowlkes_mallows": pairs.fowlkes_mallows(counts) if there else None,
            **_shape(points, labels, self.silhouette_records, streams),
        }


def _wanted(table: Table) -> int:
    """As many clusters as classes that occur, within limits."""
    classes = class_labels(table)[0]
    return min(max(len(np.unique(classes[classes >= 0])), 2), MOST_CLUSTERS)


def _shape(points: Points, labels: Rows, most: int, streams: Streams) -> dict[str, float | None]:
    """Davies-Bouldin and Silhouette; None unless there are two clusters and one of them has two records."""
    from sklearn.metrics import davies_bouldin_score, silhouette_score

    some = streams.sample("clustering", "silhouette", len(points), most)
    return {
        "davies_bouldin": float(davies_bouldin_score(points, labels)) if _has_shape(labels) else None,
        "silhouette": float(silhouette_score(points[some], labels[some]))
        if _has_shape(labels[some])
        else None,
    }


def _has_shape(labels: Rows) -> bool:
    return 2 <= len(np.unique(labels)) < len(labels)


def _difference(before: float | None, after: float | None) -> float | None:
    return None if before is None or after is None else before - after


def _paired(own: Rows, theirs: Rows, rows: Rows, context: Context) -> float | None:
    """Each record's cluster against that of the record made from it."""
    if context.partner is None:
        return None
    kept = context.partner[rows] >= 0
    return pairs.adjusted_rand(pairs.pair_counts(own[kept], theirs)) if kept.any() else None

"""Clustering: would a miner find the original's clusters in the release (survey, section III.A)?

Records become points in `cluster_space`, which also finds the centres; groupings are compared in `pair_counts`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, TypedDict

import numpy as np

from hushwood.arrays import Codes, Floats, Integers
from hushwood.detail_tables import DetailTable
from hushwood.measures.clusters import (
    ClusterSpace,
    adjusted_rand,
    best_centres,
    f_measure,
    fowlkes_mallows,
    nearest,
    pair_counts,
    rand,
    starting_records,
)
from hushwood.measures.protocol import Context, Details, Measure, Measurement, NotComputable
from hushwood.measures.publishing import PUBLIC, TWO_DECIMALS
from hushwood.parameters import AtLeast
from hushwood.random_streams import Streams
from hushwood.tables.table import Table, class_labels

MOST_CLUSTERS = 10
_QUALITIES = {
    "rand": "Rand index",
    "adjusted_rand": "adjusted Rand index",
    "f_measure": "F-measure",
    "fowlkes_mallows": "Fowlkes-Mallows",
    "davies_bouldin": "Davies-Bouldin (lower is more compact)",
    "silhouette": "Silhouette",
}


class ClusterDetails(TypedDict):
    """How good the clusters of each table are."""

    clusters: Annotated[int, PUBLIC]
    records: list[int]
    sampled: bool
    weight: float
    before: Annotated[dict[str, float | None], TWO_DECIMALS]
    after: Annotated[dict[str, float | None], TWO_DECIMALS]
    loss: dict[str, float | None]
    paired_adjusted_rand: float | None


@dataclass(frozen=True, slots=True)
class ClustersFoundAgain(Measure):
    """How well k-means centres of the release sort the original's records into the original's clusters.

    The original's records are assigned to the nearest centre, once of its own centres and once of the release's, with
    its scaling; the value is the adjusted Rand index of the two groupings, so no pairing is needed. There are as many
    clusters as classes (2 to 10). Both runs begin at the same records, `starts` times, and keep their most compact
    clusters, so that luck at the start is not taken for a difference. Above `most_records` a keyed sample is clustered,
    above `silhouette_records` Silhouette uses one. `weight` is the w of F_w.
    """

    most_records: int = 10_000
    silhouette_records: int = 2_000
    starts: Annotated[int, AtLeast(1)] = 4
    weight: float = 1.0

    name = "clustering"
    title = "Clusters found again"
    question = (
        "Do clusters found in the release group the original records as the original's own clusters do?"
    )
    meaning = (
        "1 means that clusters found in the release group the original records exactly as its own "
        "clusters do; 0 means that they agree only by chance."
    )
    side = "utility"
    unit = "number"
    better = "higher"
    bounds = (-0.5, 1.0)
    declared = ClusterDetails
    best = 1.0
    headline = 8
    quick = False

    def compute(self, original: Table, released: Table, context: Context) -> Measurement | NotComputable:
        """Cluster both tables and compare."""
        if original.rows < 2 or not released.rows:
            return NotComputable("There are too few records to find clusters.")
        rows, others = self._rows(original, released, context)
        space, new_space = ClusterSpace.of(original, rows), ClusterSpace.of(released, others)
        before, after = space.points(original, rows), new_space.points(released, others)
        begin = starting_records(before, _wanted(original), self.starts, context.streams)
        if min(map(len, begin)) < 2:
            return NotComputable("All records are equal except for their class, so there are no clusters.")
        seen_by_new = new_space.points(original, rows)
        centres = best_centres(before, [before[start] for start in begin])
        new_centres = best_centres(after, [seen_by_new[start] for start in begin])
        labels = nearest(before, centres)
        value = adjusted_rand(pair_counts(labels, nearest(seen_by_new, new_centres)))
        if context.value_only:
            return Measurement(value)
        new_labels = nearest(after, new_centres)
        old = self._quality(before, labels, _classes(original)[rows], context.streams)
        new = self._quality(after, new_labels, _classes(released)[others], context.streams)
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

    def _rows(self, original: Table, released: Table, context: Context) -> tuple[Integers, Integers]:
        """The records to cluster; of a paired release, the partners of the original's."""
        rows = context.streams.sample(self.name, "rows", original.rows, self.most_records)
        if context.partner is not None:
            partners = context.partner[rows]
            if (partners >= 0).any():
                return rows, partners[partners >= 0]
        return rows, context.streams.sample(self.name, "rows", released.rows, self.most_records)

    def _quality(
        self, points: Floats, labels: Integers, classes: Codes, streams: Streams
    ) -> dict[str, float | None]:
        """How the clusters agree with the class, over pairs of records with a known class, and how compact they are."""
        known = classes >= 0
        counts = pair_counts(labels[known], classes[known])
        there = bool(counts.pairs)
        return {
            "rand": rand(counts),
            "adjusted_rand": adjusted_rand(counts) if there else None,
            "f_measure": f_measure(counts, self.weight) if there else None,
            "fowlkes_mallows": fowlkes_mallows(counts) if there else None,
            **_shape(points, labels, self.silhouette_records, streams),
        }

    def tables(self, details: Details) -> tuple[DetailTable, ...]:
        """How good the clusters of each table are."""
        if not details:
            return ()
        before, after = details["before"], details["after"]
        table = DetailTable.of(
            f"Quality of {details['clusters']:,} clusters before and after",
            "How well the clusters of each table agree with its class, and how compact they are; both columns should "
            "be similar.",
            {"Measure": "text", "before": "number", "after": "number"},
            ((title, before.get(name), after.get(name)) for name, title in _QUALITIES.items()),
        )
        return (table,)


def _classes(table: Table) -> Codes:
    """The class of every record; unknown if the table has none."""
    known = table.schema.class_attribute is not None
    return class_labels(table)[0] if known else np.full(table.rows, -1, np.int32)


def _wanted(table: Table) -> int:
    """As many clusters as there are classes, within limits."""
    classes = _classes(table)
    return min(max(len(np.unique(classes[classes >= 0])), 2), MOST_CLUSTERS)


def _shape(points: Floats, labels: Integers, most: int, streams: Streams) -> dict[str, float | None]:
    """Davies-Bouldin and Silhouette; None unless there are two clusters and one has two records."""
    from sklearn.metrics import davies_bouldin_score, silhouette_score

    some = streams.sample("clustering", "silhouette", len(points), most)
    return {
        "davies_bouldin": float(davies_bouldin_score(points, labels)) if _has_shape(labels) else None,
        "silhouette": float(silhouette_score(points[some], labels[some]))
        if _has_shape(labels[some])
        else None,
    }


def _has_shape(labels: Integers) -> bool:
    return 2 <= len(np.unique(labels)) < len(labels)


def _difference(before: float | None, after: float | None) -> float | None:
    return None if before is None or after is None else before - after


def _paired(own: Integers, theirs: Integers, rows: Integers, context: Context) -> float | None:
    """Agreement of each record's cluster with that of its released partner."""
    if context.partner is None:
        return None
    kept = context.partner[rows] >= 0
    return adjusted_rand(pair_counts(own[kept], theirs)) if kept.any() else None

"""k-means with a keyed start that two tables can share; scikit-learn does the work.

What the clusters are compared for is in `clustering`.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from hushwood.measures.utility.cluster_space import Points
from hushwood.random_streams import Streams

Rows = NDArray[np.int64]


def starting_records(points: Points, clusters: int, times: int, streams: Streams) -> list[Rows]:
    """Rows of different points to begin from, some times over, by k-means++; fewer if fewer points differ."""
    from sklearn.cluster import kmeans_plusplus

    if not points.shape[1]:
        return [np.zeros(1, np.int64)]
    found = []
    for draw in range(times):
        seed = int.from_bytes(streams.derive("clustering", "starts", draw)[:4], "big")
        centres, rows = kmeans_plusplus(points, min(clusters, len(points)), random_state=seed)
        found.append(rows[np.sort(np.unique(centres, axis=0, return_index=True)[1])])
    return found


def best_centres(points: Points, begin: Sequence[Points]) -> Points:
    """The centres of the tightest clusters that are found from these beginnings."""
    from sklearn.cluster import KMeans
    from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

    if len(points) <= max(map(len, begin)) or not points.shape[1]:
        return points[: len(begin[0])]
    # One thread: with more, sums are taken in any order and the last digits change from run to run.
    with threadpool_limits(1, "openmp"), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # fewer different points than clusters: some then coincide
        runs = [KMeans(len(centres), init=centres, n_init=1, random_state=0).fit(points) for centres in begin]
    return np.asarray(min(runs, key=lambda run: float(run.inertia_)).cluster_centers_)


def nearest(points: Points, centres: Points) -> Rows:
    """The nearest centre of every point, the first of equally near ones."""
    return np.asarray(np.argmin((centres * centres).sum(axis=1) - 2 * points @ centres.T, axis=1))

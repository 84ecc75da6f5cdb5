"""Distances to the nearest points, and who is the nearest; exact, by blocks of a matrix product."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from frontier.records import Floats

BLOCK = 1_000
# Squared distances are differences of sums; what is nearer to each other than this is equally far.
ROUNDING = 1e-9


def squared_distances(targets: Floats, points: Floats) -> Iterator[tuple[slice, Floats]]:
    """All squared distances, a block of targets at a time."""
    lengths = (points**2).sum(axis=1)
    for start in range(0, len(targets), BLOCK):
        rows = slice(start, min(start + BLOCK, len(targets)))
        block = targets[rows]
        found = (block**2).sum(axis=1)[:, None] + lengths - 2.0 * block @ points.T
        found[found < ROUNDING] = 0.0
        yield rows, found


def nearest(targets: Floats, points: Floats, several: int) -> Floats:
    """Distances to the 1st, 2nd … nearest point by [target, rank]; the last one again where there are fewer points."""
    few = min(several, len(points))
    out = np.empty((len(targets), several))
    for rows, found in squared_distances(targets, points):
        smallest = np.sort(np.partition(found, few - 1, axis=1)[:, :few], axis=1)
        out[rows, :few] = np.sqrt(smallest)
        out[rows, few:] = out[rows, few - 1 : few]
    return out


def own_is_nearest(targets: Floats, points: Floats) -> Floats:
    """The chance that the nearest point of target i is point i: 1/t if it is one of t equally near ones, else 0."""
    out = np.empty(len(targets))
    for rows, found in squared_distances(targets, points):
        least = found.min(axis=1)
        near = found <= least[:, None] + ROUNDING
        own = near[np.arange(len(found)), np.arange(rows.start, rows.stop)]
        out[rows] = own / near.sum(axis=1)
    return out

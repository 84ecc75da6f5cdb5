"""Released values dealt to intervals: as many to each as the reconstruction says, in the order of the values.

`noisy_trees` deals once for a whole table, `local_trees` again at every node.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from hushwood.reconstruction.distributions import Method, reconstruct
from hushwood.reconstruction.noise_shapes import Floats, Noise


def dealt(values: Floats, noise: Noise, edges: Floats, method: Method) -> Floats:
    """The upper limit of each value's interval: a test `<= limit` on it is the same test on original values."""
    if len(edges) == 2:
        return np.full(len(values), edges[1])
    found = reconstruct(values, noise, intervals=edges, method=method)
    return by_counts(values, found.probabilities, edges)


def by_counts(values: Floats, probabilities: Floats, edges: Floats) -> Floats:
    """Deal sorted values to intervals in proportion to their probabilities.

    >>> by_counts(np.array([5.0, 1.0, 9.0, 2.0]), np.array([0.75, 0.25]), np.array([0.0, 4.0, 8.0])).tolist()
    [4.0, 4.0, 8.0, 4.0]
    """
    last = np.rint(np.cumsum(probabilities) * len(values))
    last[-1] = len(values)
    interval = np.searchsorted(last, np.arange(len(values)), side="right")
    limits = np.empty(len(values))
    limits[np.argsort(values, kind="stable")] = edges[1:][interval]
    return limits


def dealt_by_group(
    values: Floats, groups: NDArray[np.integer], noise: Noise, edges: Floats, method: Method
) -> Floats:
    """The same for every group of records on its own; missing values stay missing."""
    limits = np.full(len(values), np.nan)
    for group in np.unique(groups).tolist():
        rows = np.flatnonzero((groups == group) & np.isfinite(values))
        if len(rows):
            limits[rows] = dealt(values[rows], noise, edges, method)
    return limits

"""How much privacy noise gives, and what a reconstruction loses: Agrawal and Aggarwal's three numbers (2001)."""

from __future__ import annotations

import numpy as np

from hushwood.arrays import Floats
from hushwood.reconstruction.distributions import Reconstruction
from hushwood.reconstruction.known_noise import MOST_POINTS, Noise


def privacy(found: Reconstruction) -> float:
    """Privacy 2^h(X): the length of the range on which a uniform attribute would be equally uncertain.

    >>> flat = Reconstruction(np.array([0.0, 5.0, 8.0]), np.array([5 / 8, 3 / 8]), np.array([]), True, 100)
    >>> round(privacy(flat), 6)
    8.0
    """
    density = np.where(found.probabilities > 0, found.density, 1.0)
    return float(2.0 ** -(found.probabilities @ np.log2(density)))


def privacy_loss(found: Reconstruction, noise: Noise) -> float:
    """Conditional privacy loss 1 - 2^-I(X;Z): the share of that range that a released value rules out.

    I(X;Z) = h(Z) - h(Z|X), with Z released for an original X of the recovered distribution.
    """
    released, width = noise.released_points(found.edges)
    density = noise.over_intervals(released, found.edges) @ found.probabilities
    entropy = -float((density * np.log2(np.where(density > 0, density, 1.0))).sum() * width)
    shared = entropy - float(found.probabilities @ _given_interval(found.edges, noise))
    return float(1.0 - 2.0 ** -max(shared, 0.0))


def information_loss(found: Reconstruction, original: Floats) -> float:
    """Half the area between the recovered and the original density: 0 if they are equal, 1 if they do not overlap.

    The paper's information loss is the mean of this over repeated releases.

    >>> half = Reconstruction(np.array([0.0, 1.0, 2.0]), np.array([0.75, 0.25]), np.array([]), True, 4)
    >>> information_loss(half, np.array([0.1, 0.2, 1.5, 1.6]))
    0.25
    """
    known = original[np.isfinite(original)]
    counts, _ = np.histogram(known, found.edges)
    outside = 1.0 - counts.sum() / len(known)
    return float((np.abs(found.probabilities - counts / len(known)).sum() + outside) / 2)


def _given_interval(edges: Floats, noise: Noise) -> Floats:
    """Mean entropy of the released value, for original values of each interval."""
    intervals = len(edges) - 1
    each = max(MOST_POINTS // intervals, 1)
    inside = (np.arange(each) + 0.5) / each
    points = edges[:-1, None] + np.diff(edges)[:, None] * inside
    return np.asarray(noise.entropies(points.reshape(-1)).reshape(intervals, each).mean(axis=1))

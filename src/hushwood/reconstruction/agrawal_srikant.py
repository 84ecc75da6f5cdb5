"""Agrawal and Srikant's reconstruction (2000): Bayes' rule on counts, intervals represented by their middles.

Pr_{j+1}(p) = (1/n) Σ_s N(s) f(m_s - m_p) Pr_j(p) / Σ_t f(m_s - m_t) Pr_j(t), over intervals s of released values. It
stops early, at one percent of the chi-square threshold, because it follows the accidents of the sample if run on.
`agrawal_aggarwal` uses exact probabilities of intervals instead.
"""

from __future__ import annotations

import numpy as np

from hushwood.reconstruction.mixture_update import Floats, Problem
from hushwood.reconstruction.noise_shapes import Noise

TOLERANCE = 0.01


def bayes_problem(values: Floats, noise: Noise, edges: Floats) -> Problem:
    """Counts of released values in intervals as wide as those of the original, and densities between middles."""
    points, counts = np.unique(middle_of_each(values, edges), return_counts=True)
    return Problem(counts.astype(float), noise.densities(points, middles(edges)), noise.room(edges))


def middles(edges: Floats) -> Floats:
    """Half-way points of the intervals."""
    return np.asarray((edges[:-1] + edges[1:]) / 2)


def middle_of_each(values: Floats, edges: Floats) -> Floats:
    """Middle of the interval that each value lies in; beyond the ends the outermost intervals are repeated.

    >>> middle_of_each(np.array([-1.5, 0.5, 3.0, 3.5]), np.array([0.0, 1.0, 3.0])).tolist()
    [-1.5, 0.5, 2.0, 4.0]
    """
    first, last = edges[1] - edges[0], edges[-1] - edges[-2]
    place = np.clip(np.searchsorted(edges, values, side="right") - 1, 0, len(edges) - 2)
    below = edges[0] - first * (np.ceil((edges[0] - values) / first) - 0.5)
    above = edges[-1] + last * (np.ceil((values - edges[-1]) / last) - 0.5)
    outside = [values < edges[0], values > edges[-1]]
    return np.select(outside, [below, above], middles(edges)[place])

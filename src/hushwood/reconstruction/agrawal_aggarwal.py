"""Agrawal and Aggarwal's reconstruction (2001): expectation maximization with the exact probabilities of intervals.

θ_p ← (θ_p / n) Σ_i K_p(w_i) / Σ_t θ_t K_t(w_i), with K_p(w) the density of w when the original is spread evenly over
interval p: P(noise in [w - u_p, w - l_p]) / (u_p - l_p). It climbs to the maximum likelihood estimate; intervals of
different widths are allowed. `agrawal_srikant` counts first and knows only the middles.
"""

from __future__ import annotations

import numpy as np

from hushwood.reconstruction.mixture_update import Floats, Problem
from hushwood.reconstruction.noise_shapes import MOST_POINTS, Noise

TOLERANCE = 0.001


def em_problem(values: Floats, noise: Noise, edges: Floats) -> Problem:
    """Every different released value (many reals: narrow cells of them) with its density from each interval."""
    points, counts = counted(values, edges)
    return Problem(counts, noise.over_intervals(points, edges), noise.room(edges))


def counted(values: Floats, edges: Floats) -> tuple[Floats, Floats]:
    """The different values and how often each occurs; very many are counted in cells that no interval limit cuts."""
    points, counts = np.unique(values, return_counts=True)
    if len(points) <= MOST_POINTS:
        return points, counts.astype(float)
    limits = cells(np.unique([points[0], points[-1], *edges]))
    found, _ = np.histogram(values, limits)
    held = (found > 0).nonzero()[0]
    return (limits[held] + limits[held + 1]) / 2, found[held].astype(float)


def cells(knots: Floats) -> Floats:
    """Limits of about MOST_POINTS cells of one width over stretches that each hold whole cells.

    >>> len(cells(np.array([0.0, 1.0, 2.0])))
    1025
    """
    share = np.diff(knots) / (knots[-1] - knots[0])
    each = np.maximum(np.rint(share * MOST_POINTS), 1).astype(int)
    return np.interp(np.arange(each.sum() + 1), np.concatenate([[0], np.cumsum(each)]), knots)

"""Samples of known shape on [0, 1], for reconstructions to recover."""

from __future__ import annotations

import numpy as np

from hushwood.arrays import Floats

SHAPES = ("uniform", "triangle", "bimodal")


def shaped(shape: str, size: int, seed: int = 0) -> Floats:
    """Values of a plateau in the middle, a triangle, or two hills."""
    chance = np.random.default_rng(seed)
    if shape == "uniform":
        return chance.uniform(0.25, 0.75, size)
    if shape == "triangle":
        return chance.triangular(0.0, 0.5, 1.0, size)
    left = chance.random(size) < 0.5
    return np.where(left, chance.normal(0.25, 0.07, size), chance.normal(0.75, 0.07, size)).clip(0, 1)


def shares(values: Floats, edges: Floats) -> Floats:
    """Share of the values in every interval."""
    return np.asarray(np.histogram(values, edges)[0] / len(values))


def apart(some: Floats, other: Floats) -> float:
    """Total variation; what either lacks lies outside the intervals."""
    outside = abs(float(some.sum() - other.sum()))
    return float(np.abs(some - other).sum() + outside) / 2

"""Normal noise on logarithms: LOGNOISE, for columns above 0.

ln Z = ln X + e - c s²/2 with e of variance c s², s² that of ln X: so ln Z has the variance (1 + c) s², and
ln Z + c s²/2 is ln X with added noise of a known size.
"""

from __future__ import annotations

import numpy as np

from hushwood.arrays import Floats
from hushwood.reconstruction.distributions import reconstruct
from hushwood.reconstruction.known_noise import AddedNoise
from hushwood.reconstruction.recovered import (
    Known,
    NotRecovered,
    Recovered,
    loss_of,
    spread_noise,
    truncated,
    way_of,
)


def recover(known: Known) -> Recovered | NotRecovered:
    """Reconstruct the logarithms; intervals of equal width there are unequal ones of the numbers."""
    technique = spread_noise(known)
    if isinstance(technique, NotRecovered):
        return technique
    if technique.bounded:
        return truncated(technique)
    values = known.numbers
    if values.min() <= 0:
        return NotRecovered("What was added before its logarithms were taken is not announced.")
    logs = np.log(values)
    variance = technique.noise / (1 + technique.noise) * float(logs.var())
    centred = logs + variance / 2
    noise = AddedNoise(float(np.sqrt(variance)))
    limits = np.log(_limits(known, float(values.min()), float(values.max())))
    found = reconstruct(centred, noise, intervals=limits, method=known.method)
    return Recovered(
        f"{way_of(known.method, found)}, on logarithms",
        found.probabilities,
        np.exp(found.edges),
        rules_out=loss_of(found, noise),
    )


def _limits(known: Known, low: float, high: float) -> Floats:
    """Limits of intervals whose logarithms are about equally wide, with whole numbers of grid values in each."""
    even = np.geomspace(low, high, known.intervals + 1)
    precision = known.released.schema[known.name].precision
    if precision is None:
        return even
    step = 10.0**precision
    return np.unique(np.maximum(np.rint(even * step), 1.0) - 0.5 + (even == even[-1])) / step

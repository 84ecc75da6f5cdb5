"""Correlated noise that was drawn back towards the mean: KIM, TENDICK and KIMWINKLER95.

Released is Z = c (X + e) + (1 - c) m with e of variance d s²; Z has the mean m and the variance s² of the original. So
(Z - (1 - c) m) / c is X with added noise of a known size. Columns are recovered one by one,
and the exchanges of KIMWINKLER95 change none of their distributions.
"""

from __future__ import annotations

import numpy as np

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
from hushwood.techniques.together.correlated_noise import shrinking


def recover(known: Known) -> Recovered | NotRecovered:
    """Undo the shrinking, then the noise."""
    technique = spread_noise(known)
    if isinstance(technique, NotRecovered):
        return technique
    if technique.bounded:
        return truncated(technique)
    values = known.numbers
    finite = getattr(technique, "scale", "asymptotic") == "finite"
    shrunk = float(shrinking(technique.noise, len(values) if finite else None))
    mean = float(values.mean())
    column = np.asarray(known.released.columns[known.name], np.float64)
    stretched = mean + (column - mean) / shrunk
    noise = AddedNoise(float(np.sqrt(technique.noise) * values.std()))
    limits = known.limits(float(np.nanmin(stretched)), float(np.nanmax(stretched)))
    found = reconstruct(stretched, noise, intervals=limits, method=known.method)
    return Recovered(
        way_of(known.method, found),
        found.probabilities,
        found.edges,
        noise=noise,
        values=stretched,
        shrunk=shrunk,
        rules_out=loss_of(found, noise),
    )

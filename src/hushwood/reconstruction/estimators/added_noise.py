"""Independent normal noise with a share d of the column's variance: SADP and TRAUB.

The variance s² of the original is not announced, but follows from the release: that of unbounded noise is (1 + d) s²,
and where the noise was truncated, s² is estimated and used in turn until both agree.
"""

from __future__ import annotations

import numpy as np

from hushwood.arrays import Floats
from hushwood.reconstruction.distributions import Reconstruction, reconstruct
from hushwood.reconstruction.em_and_bayes import middles
from hushwood.reconstruction.known_noise import AddedNoise, Noise, NoiseInside
from hushwood.reconstruction.recovered import (
    Known,
    NotRecovered,
    Recovered,
    SpreadNoise,
    loss_of,
    spread_noise,
    way_of,
)
from hushwood.tables.domains import whole_domain
from hushwood.techniques.laws.noise import NoiseLaw
from hushwood.techniques.together.correlated_noise import filtered

MOST_ROUNDS = 30
NEAR = 0.001  # relative change of the standard deviation at which the rounds end


def recover(known: Known) -> Recovered | NotRecovered:
    """Reconstruct with the standard deviation that fits the recovered distribution."""
    technique = spread_noise(known)
    if isinstance(technique, NotRecovered):
        return technique
    if known.spectral and (filtered_out := _filtered_out(known, technique)) is not None:
        return filtered_out
    values = known.numbers
    limits = known.limits(float(values.min()), float(values.max()))
    spread = float(values.std() / np.sqrt(1 + technique.noise))
    noise = _noise(known, technique, spread)
    found = reconstruct(values, noise, intervals=limits, method=known.method)
    for _ in range(MOST_ROUNDS if technique.bounded else 0):
        before, spread = spread, deviation(found)
        noise = _noise(known, technique, spread)
        found = reconstruct(values, noise, intervals=limits, method=known.method)
        if abs(spread - before) <= NEAR * before:
            break
    return Recovered(
        way_of(known.method, found),
        found.probabilities,
        found.edges,
        noise=noise,
        rules_out=loss_of(found, noise),
    )


def _filtered_out(known: Known, technique: SpreadNoise) -> Recovered | None:
    """The shares of the numbers that a spectral filter of all columns leaves; None if none of them says anything.

    Truncated noise is taken for unbounded one of the variance that the release shows.
    """
    columns = {name: np.asarray(known.released.columns[name], np.float64) for name in known.together}
    spread = {name: float(np.nanstd(column)) for name, column in columns.items()}
    varying = [name for name in columns if spread[name] > 0]
    if len(varying) < 2:
        return None
    numbers = np.column_stack([columns[name] for name in varying])
    numbers = np.where(np.isnan(numbers), np.nanmean(numbers, axis=0), numbers)
    noise = np.array([spread[name] for name in varying]) * np.sqrt(technique.noise / (1 + technique.noise))
    estimates = filtered(numbers, noise, "spectral")[:, varying.index(known.name)]
    estimates = estimates[np.isfinite(columns[known.name])]
    limits = known.limits(float(known.numbers.min()), float(known.numbers.max()))
    counts = np.histogram(np.clip(estimates, limits[0], limits[-1]), limits)[0]
    return Recovered(f"spectral filter, {len(varying)} columns", counts / counts.sum(), limits)


def _noise(known: Known, technique: SpreadNoise, spread: float) -> Noise:
    scale = float(np.sqrt(technique.noise)) * spread
    if not technique.bounded:
        return AddedNoise(scale)
    domain = whole_domain(known.released.schema[known.name])
    steps = 10.0 ** (domain.precision or 0)
    scales: Floats = np.full(1, scale * steps)
    return NoiseInside(NoiseLaw(known.name, domain, scales, "truncate", "normal", technique.acronym))


def deviation(found: Reconstruction) -> float:
    """The standard deviation of a recovered distribution, with values uniform within each interval.

    >>> halves = Reconstruction(np.array([0.0, 6.0, 12.0]), np.array([0.5, 0.5]), np.array([]), True, 4)
    >>> round(deviation(halves) ** 2, 6)
    12.0
    """
    away = middles(found.edges) - found.mean
    return float(np.sqrt(found.probabilities @ (away**2 + np.diff(found.edges) ** 2 / 12)))

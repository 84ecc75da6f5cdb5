"""Removing independent noise from numbers by the correlations of the columns, for intruders and honest miners alike.

Kargupta's filter, the largest principal components (PCA-DR) and the Bayes estimate. In units of the noise the
covariance matrix of noisy numbers is that of the signal plus 1, so all of them keep the same directions, its
eigenvectors, and differ in how much of each.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from hushwood.arrays import Floats

By = Literal["released", "spectral", "principal", "bayes"]


def filtered(released: Floats, noise: Floats, by: By) -> Floats:
    """Estimates of the numbers [record, column] to which noise of these deviations was added."""
    mean = released.mean(axis=0)
    in_noise = (released - mean) / noise
    eigenvalues, directions = np.linalg.eigh(np.cov(in_noise, rowvar=False, bias=True))
    kept = _weights(eigenvalues, len(released), by)
    return np.asarray(mean + noise * (in_noise @ (directions * kept) @ directions.T))


def _weights(eigenvalues: Floats, records: int, by: By) -> Floats:
    """How much of each direction to keep, given the eigenvalues in units of the noise."""
    signal = np.maximum(eigenvalues - 1, 0.0)
    match by:
        case "released":
            return np.ones_like(eigenvalues)
        case "spectral":  # directions that vary more than noise alone can: by more than (1 + √(m / n))²
            return np.asarray(eigenvalues > (1 + np.sqrt(len(eigenvalues) / records)) ** 2, np.float64)
        case "principal":  # the largest components, in which the signal varies more than the noise
            return np.asarray(eigenvalues - 1 > 1, np.float64)
        case (
            "bayes"
        ):  # Σ_X (Σ_X + Σ_V)⁻¹ with Σ_V = 1; a direction that varies less than noise holds no signal
            return np.asarray(signal / (signal + 1))

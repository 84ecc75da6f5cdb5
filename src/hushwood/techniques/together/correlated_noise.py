"""Normal noise whose covariance is a share of the numbers' own, the shrinking of it, and the filters that remove noise.

A column without spread in a cell (such as that of a single record) takes the whole table's covariance there, so that no
record stays unchanged. The filters estimate numbers to which independent noise was added, for intruders and honest
miners alike: Kargupta's, the largest principal components (PCA-DR) and the Bayes estimate. In units of the noise the
covariance matrix of noisy numbers is that of the signal plus 1, so all of them keep the same directions, its
eigenvectors, and differ in how much of each.
"""

from __future__ import annotations

from typing import Literal

import numpy as np

from hushwood.arrays import Flags, Floats, Integers
from hushwood.techniques.together.group_perturber import GroupPerturber, RecordDraws
from hushwood.techniques.together.learnt_groups import Conditional, LearntGroup

Scale = Literal["asymptotic", "finite"]
By = Literal["released", "spectral", "principal", "bayes"]


def shrinking(noise: float, records: Integers | int | None = None) -> Floats:
    """The factor c that gives numbers with noise the variance they had: 1 / √(1 + d).

    With `records`, c = √((n - 1) / (n - 1 + n·d)): squared deviations from the mean of the n *original* records then
    add up, on average, to what they were; those of the released ones from their own mean to a little less.

    >>> float(shrinking(0.5625)), float(shrinking(3.0, 4))
    (0.8, 0.4472135954999579)
    """
    if records is None:
        return np.asarray(1 / np.sqrt(1 + noise))
    n = np.asarray(records, float)
    return np.asarray(np.sqrt((n - 1) / (n - 1 + n * noise)))


def kims_factor(noise: float, scale: Scale, learnt: LearntGroup) -> Floats:
    """The factor c of KIM, for every cell or for all."""
    sizes = learnt.cells.sizes
    # A record alone has the noise of the whole table, and so its c.
    records = np.where(sizes > 1, sizes, max(learnt.original.rows, 2))
    return shrinking(noise, records if scale == "finite" else None)


def added_noise(share: float, numbers: Floats, known: Flags, scale: Floats | float = 1.0) -> Conditional:
    """Every cell's law of mean + c · (x + e - mean), e normal with a share of the cell's covariance.

    `known` marks the columns of every cell, `scale` is c, one or one per cell. For a single column it is SADP's noise.
    """
    table = _table_correlations(numbers)

    def conditional(covariance: Floats, k: int) -> tuple[Floats, Floats]:
        spread = _with_tables(covariance[:, :k, :k], table, known)
        factor = np.broadcast_to(scale, len(covariance))[:, None, None]
        return np.eye(k) * factor, factor**2 * share * spread

    return conditional


def noisy_group(
    learnt: LearntGroup, share: float, scale: Floats | float, purpose: str, bounded: bool
) -> GroupPerturber:
    """The perturber of a group that gets correlated noise in every cell."""
    conditional = added_noise(share, learnt.numbers, learnt.cells.known, scale)
    law = learnt.normal_law(conditional, purpose, bounded)
    return learnt.perturber(RecordDraws(law, None), purpose, None, bounded=bounded)


def _with_tables(own: Floats, table: Floats, known: Flags) -> Floats:
    """The cells' covariances; columns without spread have those of the table, independent of the others."""
    still = np.diagonal(own, axis1=1, axis2=2) <= 0
    spread, borrows = known & ~still, known & still
    own = np.where(spread[:, :, None] & spread[:, None, :], own, 0.0)
    return np.where(borrows[:, :, None] & borrows[:, None, :], table, own)


def _table_correlations(numbers: Floats) -> Floats:
    """Correlations over all records, with 0 for columns without spread; a missing number counts as the mean."""
    away = np.zeros(numbers.shape)
    for j, column in enumerate(numbers.T):
        known = ~np.isnan(column)
        if known.any() and np.ptp(column[known]) > 0:
            away[known, j] = column[known] - column[known].mean()
    length = np.sqrt((away**2).sum(axis=0))
    away /= np.where(length > 0, length, 1.0)
    return np.asarray(away.T @ away)


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

"""Spectral filtering: noise that was added to numbers, taken out again by how the columns hang together.

Kargupta's filter, the largest principal components (PCA-DR) and the Bayes estimate (algorithms 7); `noise_levels` says
how much noise there is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

import numpy as np

from hushwood.attacks.guesses import Floats, NumberGuesses
from hushwood.attacks.noise_levels import noise_deviations
from hushwood.attacks.protocol import Goal, Knowledge
from hushwood.random_streams import Streams
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table

By = Literal["released", "spectral", "principal", "bayes"]
TOO_FEW = "It needs two numeric attributes with different values, which tell something about each other."


@dataclass(frozen=True, slots=True)
class SpectralFiltering:
    """Estimates of the numbers before noise was added; the intruder may also take the released ones as they are.

    In units of the noise the covariance matrix of a release is that of the signal plus 1, so all filters keep the same
    directions, its eigenvectors, and differ in how much of each. Noise that is wrapped around, or smaller in a record's
    segment than the release says, is not what the filters suppose; then they do worse, and "released" counts.
    """

    by: By = "spectral"

    name: ClassVar[str] = "spectral_filtering"
    question: ClassVar[str] = "Can the noise be taken out of the numbers again?"
    goal: ClassVar[Goal] = "numbers"

    def variants(self) -> tuple[SpectralFiltering, ...]:
        """All ways to estimate."""
        return tuple(SpectralFiltering(by) for by in get_args(By))

    def refuses(self, knowledge: Knowledge, released: Table) -> str | None:
        """Without two varying numeric columns there is nothing to filter by."""
        return TOO_FEW if len(_varying(released)) < 2 else None

    def guess(self, knowledge: Knowledge, released: Table, streams: Streams) -> NumberGuesses:
        """An estimate for every released number; missing ones stay missing, constant columns as they are."""
        columns = {a.name: released.columns[a.name] for a in _numeric(released)}
        varying = _varying(released)
        if self.by != "released" and len(varying) > 1:
            numbers = np.column_stack([_filled(columns[a.name]) for a in varying])
            noise = noise_deviations(varying, knowledge.method, numbers)
            estimates = filtered(numbers, noise, self.by)
            for attribute, estimate in zip(varying, estimates.T, strict=True):
                columns[attribute.name] = np.where(np.isnan(columns[attribute.name]), np.nan, estimate)
        return NumberGuesses(columns)

    def naive(self, knowledge: Knowledge, released: Table, streams: Streams) -> NumberGuesses:
        """Every record is given its column's mean, or, instead of its own number, another record's."""
        columns = {a.name: released.columns[a.name] for a in _numeric(released)}
        if self.by != "released":
            return NumberGuesses({name: np.full(released.rows, _mean(v)) for name, v in columns.items()})
        order = streams.order(self.name, "other records", range(released.rows))
        return NumberGuesses({name: values[order] for name, values in columns.items()})


def filtered(released: Floats, noise: Floats, by: By) -> Floats:
    """Estimates of the numbers [record, column] to which noise of these deviations was added."""
    mean = released.mean(axis=0)
    in_noise = (released - mean) / noise
    eigenvalues, directions = np.linalg.eigh(np.cov(in_noise, rowvar=False, bias=True))
    kept = _WEIGHTS[by](eigenvalues, len(released))
    return np.asarray(mean + noise * (in_noise @ (directions * kept) @ directions.T))


def _as_they_are(eigenvalues: Floats, records: int) -> Floats:
    return np.ones_like(eigenvalues)


def _above_noise(eigenvalues: Floats, records: int) -> Floats:
    """Directions that vary more than noise alone can: by more than (1 + √(m / n))²."""
    return np.asarray(eigenvalues > (1 + np.sqrt(len(eigenvalues) / records)) ** 2, np.float64)


def _mostly_signal(eigenvalues: Floats, records: int) -> Floats:
    """The largest components: those in which the signal varies more than the noise, so that keeping them pays."""
    return np.asarray(eigenvalues - 1 > 1, np.float64)


def _signal_share(eigenvalues: Floats, records: int) -> Floats:
    """Σ_X (Σ_X + Σ_V)⁻¹ with Σ_V = 1; a direction that varies less than noise holds no signal."""
    signal = np.maximum(eigenvalues - 1, 0.0)
    return np.asarray(signal / (signal + 1))


# How much each way keeps of the directions, given their eigenvalues in ascending order and the number of records.
_WEIGHTS: Mapping[By, Callable[[Floats, int], Floats]] = {
    "released": _as_they_are,
    "spectral": _above_noise,
    "principal": _mostly_signal,
    "bayes": _signal_share,
}


def _numeric(table: Table) -> list[Attribute]:
    """Numeric attributes with a value."""
    found = [a for a in table.schema.kept if a.kind == "numeric"]
    return [a for a in found if not np.isnan(table.columns[a.name]).all()]


def _varying(table: Table) -> list[Attribute]:
    """Numeric attributes with different values."""
    return [a for a in _numeric(table) if _varies(_filled(table.columns[a.name]))]


def _varies(numbers: Floats) -> bool:
    return bool(numbers.min() < numbers.max() and np.isfinite(numbers.std()) and numbers.std() > 0)


def _filled(column: Floats) -> Floats:
    return np.where(np.isnan(column), _mean(column), column)


def _mean(column: Floats) -> float:
    return float(column[~np.isnan(column)].mean())

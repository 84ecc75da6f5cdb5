"""Spectral filtering: removing noise from numbers by the correlations of the columns.

Kargupta's filter, the largest principal components (PCA-DR) and the Bayes estimate (docs/attacks.md).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, get_args

import numpy as np

from hushwood.arrays import Floats
from hushwood.attacks.protocol import Attack, Knowledge, NumberGuesses
from hushwood.random_streams import Streams
from hushwood.tables.domains import from_steps, whole_domain
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table
from hushwood.techniques.together.correlated_noise import By, filtered

TOO_FEW = "It needs two numeric attributes that vary, to estimate one from the other."
# Noise is at least this share of a column's standard deviation; a copied column is then trusted fully.
SMALLEST = 1e-3


@dataclass(frozen=True, slots=True)
class SpectralFiltering(Attack):
    """Estimates of the numbers before noise was added; the intruder may also use the released numbers unchanged.

    In units of the noise the covariance matrix of a release is that of the signal plus 1, so all filters keep the same
    directions, its eigenvectors, and differ in how much of each. Noise that is wrapped around, or smaller in a record's
    segment than the release says, is not what the filters assume; then they do worse, and "released" counts.
    """

    by: By = "spectral"

    name = "spectral_filtering"
    title = "Filtering out the noise"
    question = "Can the noise be removed from the numbers?"
    goal = "numbers"
    family = "noise filtering"

    def variants(self) -> tuple[SpectralFiltering, ...]:
        """All ways to estimate."""
        return tuple(SpectralFiltering(by) for by in get_args(By))

    def refuses(self, knowledge: Knowledge, released: Table) -> str | None:
        """Without two varying numeric columns there is nothing to filter."""
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
        """Every record gets its column's mean, or another record's number."""
        columns = {a.name: released.columns[a.name] for a in _numeric(released)}
        if self.by != "released":
            return NumberGuesses({name: np.full(released.rows, _mean(v)) for name, v in columns.items()})
        order = streams.order(self.name, "other records", range(released.rows))
        return NumberGuesses({name: values[order] for name, values in columns.items()})


def _numeric(table: Table) -> list[Attribute]:
    """Numeric attributes with a value."""
    found = [a for a in table.schema.kept if a.kind == "numeric"]
    return [a for a in found if not np.isnan(table.columns[a.name]).all()]


def _varying(table: Table) -> list[Attribute]:
    """Numeric attributes with different values."""
    filled = [(a, _filled(table.columns[a.name])) for a in _numeric(table)]
    return [a for a, column in filled if column.min() < column.max() and 0 < column.std() < np.inf]


def _filled(column: Floats) -> Floats:
    return np.where(np.isnan(column), _mean(column), column)


def _mean(column: Floats) -> float:
    return float(column[~np.isnan(column)].mean())


def noise_deviations(attributes: Sequence[Attribute], method: Mapping[str, Any], released: Floats) -> Floats:
    """The noise's standard deviation in every column of the released numbers [record, column].

    If the method's `noise` is a share of the domain, or such shares by column, it is that share of the domain's size
    (errata B3), in columns without a domain of the deviation; otherwise it is estimated from the numbers. Where the
    method has other noise for innocent attributes or single columns, that counts. A share of the value is taken of the
    root mean square of the numbers before the noise, which made it larger.
    """
    spread = released.std(axis=0)
    said = method.get("noise")
    if said is None:
        share = _estimated_share(released / spread)
        return np.asarray(max(share, SMALLEST) * spread)
    by_column = said if isinstance(said, Mapping) else {a.name: said for a in attributes}
    if method.get("noise_innocent") is not None:
        by_column = {a.name: method["noise_innocent"] for a in attributes}
    by_column = {**by_column, **method.get("noise_by_column", {})}
    shares = np.array([float(by_column.get(a.name, 0.0)) for a in attributes])
    sizes = np.array([_domain_size(a, width) for a, width in zip(attributes, spread.tolist(), strict=True)])
    if method.get("noise_of") == "value":
        sizes = np.sqrt((released**2).mean(axis=0) / (1 + shares**2))
    noise = shares * sizes
    return np.asarray(np.maximum(noise, SMALLEST * spread))


def _domain_size(attribute: Attribute, otherwise: float) -> float:
    if attribute.low is None or attribute.high is None:
        return otherwise
    domain = whole_domain(attribute)
    return float(from_steps(domain.width, domain.precision)[0])


def _estimated_share(scaled: Floats) -> float:
    """The noise's share of the deviation, the same for all columns, from the smallest eigenvalue (Kargupta).

    Real attributes are correlated, so in some direction they hardly vary; what varies there is noise. Among n
    records of m columns it varies by no less than (1 − √(m / n))² of the noise's own variance.
    """
    records, width = scaled.shape
    smallest = float(np.linalg.eigvalsh(np.cov(scaled, rowvar=False, bias=True))[0])
    shrunk = max(1.0 - np.sqrt(width / records), 0.1) ** 2
    return float(np.sqrt(np.clip(smallest / shrunk, 0.0, 1.0)))

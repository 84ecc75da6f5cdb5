"""Linear regressions of columns on each other, from the covariances of the records in which all are known.

With P the inverse of the covariances, the regression of column j on all others has coefficients −P[j, k]/P[j, j] and
residual variance 1/P[j, j]: one inverse serves every column as the response.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from hushwood.arrays import Array, Flags, Floats
from hushwood.measures.columns.numeric_correlations import ROUNDING

# A column of which the ones before it leave less than this share of the variance is a combination of them.
_COMBINATION = 1e-8
_CHUNK_ROWS = 1 << 16


@dataclass(frozen=True, slots=True)
class Covariances:
    """Covariances (n − 1) of some columns over the records in which all of them are known."""

    records: int
    matrix: Floats

    def of(self, chosen: Flags) -> Covariances:
        """Those of some of the columns."""
        return Covariances(self.records, self.matrix[np.ix_(chosen, chosen)])


def complete_covariances(columns: Sequence[Array]) -> Covariances:
    """The covariances of columns; missing values are NaN. Zero where a column does not vary."""
    width = len(columns)
    records, sums, squares = 0, np.zeros(width), np.zeros(width)
    for block in _complete(columns):
        records += len(block)
        sums += block.sum(axis=0)
        squares += (block * block).sum(axis=0)
    matrix = np.zeros((width, width))
    if records < 2:
        return Covariances(records, matrix)
    for block in _complete(columns):
        centred = block - sums / records
        matrix += centred.T @ centred
    still = np.diag(matrix) <= ROUNDING * squares
    matrix[still] = 0.0
    matrix[:, still] = 0.0
    return Covariances(records, matrix / (records - 1))


def _complete(columns: Sequence[Array]) -> Iterator[Floats]:
    """The records in which all columns are known, a block at a time."""
    for begin in range(0, len(columns[0]), _CHUNK_ROWS):
        block = np.column_stack([values[begin : begin + _CHUNK_ROWS] for values in columns]).astype(
            np.float64
        )
        yield block[np.isfinite(block).all(axis=1)]


def independent(matrix: Floats) -> Flags:
    """Which columns are no linear combination of those before them, which constant columns always are."""
    spread = np.sqrt(np.diag(matrix))
    scale = np.where(spread > 0, spread, 1.0)
    rest = matrix / np.outer(scale, scale)
    kept = np.zeros(len(rest), bool)
    for place in range(len(rest)):
        left = rest[place, place]
        if spread[place] == 0 or left < _COMBINATION:
            continue
        kept[place] = True
        rest = rest - np.outer(rest[:, place], rest[place]) / left
    return kept


@dataclass(frozen=True, slots=True)
class Regressions:
    """Every column regressed on all others: coefficients [response, term], standard errors, R² and degrees."""

    coefficients: Floats
    errors: Floats
    r_squared: Floats
    degrees: int


def regressions(given: Covariances) -> Regressions:
    """All regressions; the columns must be independent, and there must be more records than columns."""
    spread = np.sqrt(np.diag(given.matrix))
    scale = np.outer(spread, spread)
    inverse = np.linalg.inv(given.matrix / scale)  # of correlations, which are better conditioned
    own = np.diag(inverse)
    degrees = given.records - len(own)
    coefficients = -inverse / own[:, None]
    # Of a standardised response the residual sum of squares is (n − 1)/own.
    rest = np.maximum(own[None, :] - inverse * inverse / own[:, None], 0.0)
    errors = np.sqrt(rest / own[:, None] / degrees)
    ratio = spread[:, None] / spread[None, :]
    np.fill_diagonal(coefficients, 0.0)
    np.fill_diagonal(errors, 0.0)
    return Regressions(coefficients * ratio, errors * ratio, np.clip(1 - 1 / own, 0.0, 1.0), degrees)

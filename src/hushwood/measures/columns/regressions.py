"""Linear regressions of columns on each other, from the covariances of the records in which all are known.

With P the inverse of the covariances, the regression of column j on all others has coefficients −P[j, k]/P[j, j] and
residual variance 1/P[j, j]: one inverse serves every column as the response. The terms of a table are its numbers, and
0 or 1 for every frequent category.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from hushwood.arrays import Array, Flags, Floats
from hushwood.measures.columns.column_tallies import is_constant, known
from hushwood.measures.columns.numeric_correlations import ROUNDING
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table

# A column of which the ones before it leave less than this share of the variance is a combination of them.
_COMBINATION = 1e-8
_CHUNK_ROWS = 1 << 16
WIDEST = 60  # terms
LEAST_SHARE = 0.05  # of the original's records: rarer categories are not terms


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
    """Which columns are not a linear combination of those before them, which constant columns always are."""
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


@dataclass(frozen=True, slots=True)
class Term:
    """A column of the regressions in both tables: a number in the original's standard deviations, or flags.

    A number times the `spread` plus the `middle` is the table's own.
    """

    name: str
    column: str
    numeric: bool
    before: Array
    after: Array
    middle: float = 0.0
    spread: float = 1.0


def regression_terms(
    original: Table, released: Table, *, least: float = LEAST_SHARE, widest: int = WIDEST
) -> list[Term]:
    """Numbers that vary and that most records have, then the frequent categories except the most frequent one.

    Frequent are those of at least the share `least`. Of very many terms, the first ones; the class comes before all
    others.
    """
    found: list[Term] = []
    categorical: list[Term] = []
    for attribute in sorted(original.schema.kept, key=lambda attribute: attribute.role != "class"):
        if min(len(found), len(categorical)) >= widest:
            break
        before, after = original.columns[attribute.name], released.columns[attribute.name]
        if attribute.kind == "numeric" or attribute.bins:
            old, new = (_numbers(attribute, values) for values in (before, after))
            there = known(old)
            if 2 * len(there) > len(old) and not is_constant(there):
                middle, spread = float(there.mean()), float(there.std())
                scaled = (old - middle) / spread, (new - middle) / spread
                found.append(Term(attribute.name, attribute.name, True, *scaled, middle, spread))
        elif len(categorical) < widest:
            categorical += _indicators(attribute, before, after, least)
    return [*found, *categorical][:widest]


def _numbers(attribute: Attribute, values: Array) -> Floats:
    """A numeric column; a binned class by its own numbers."""
    if attribute.kind == "numeric":
        return np.where(np.isfinite(values), values, np.nan)
    return np.array([*map(float, attribute.categories), np.nan])[values]


def _indicators(attribute: Attribute, before: Array, after: Array, least: float) -> list[Term]:
    counts = np.bincount(before + 1, minlength=len(attribute.categories) + 1)[1:]
    order = np.argsort(-counts, kind="stable")
    chosen = [code for code in order[1:].tolist() if counts[code] >= least * len(before) and counts[code]]
    return [
        Term(
            f"{attribute.name} = {attribute.categories[code]}",
            attribute.name,
            False,
            before == code,
            after == code,
        )
        for code in chosen
    ]

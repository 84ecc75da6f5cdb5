"""The first principal score of records with numbers and categories: the one number that says most about all columns.

It stands in for the class where a table has none: segment-shuffle's tree, MONDRIAN and TDS group records that are alike
in it. Numbers are standardised, categories are indicators divided by the root of their share, as in factor analysis of
mixed data; a missing number counts as the mean, a missing category as a category.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hushwood.arrays import Array, Codes, Floats, one_thread
from hushwood.random_streams import Streams
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table

NAME = "the first principal score"
THIRDS = ("low", "middle", "high")
MOST_LEVELS = 50  # of a category; the rarer ones count as none of them
MOST_CELLS = 20_000_000  # of the matrix that the score is learnt from
SCORED_AT_ONCE = 1 << 16
DIGITS = 9  # of the scores: what rounding leaves must not decide who is alike


def principal_scores(table: Table, names: Sequence[str] | None = None) -> Floats:
    """The score of every record over the named columns, or all inputs; all zero if nothing differs."""
    attributes = [table.schema[n] for n in names] if names is not None else list(table.schema.inputs)
    rows = np.arange(table.rows)
    width = sum(1 if a.kind == "numeric" else min(len(a.categories) + 1, MOST_LEVELS) for a in attributes)
    most = max(MOST_CELLS // max(width, 1), 1000)
    # Which rows are learnt from is no secret, and neither is the key.
    learnt = (
        rows if table.rows <= most else Streams(bytes(32)).sample("principal score", "", table.rows, most)
    )
    parts = [_Part.of(a, np.asarray(table.columns[a.name])[learnt]) for a in attributes]
    with one_thread("blas"):
        direction = _first_direction(
            np.hstack([part.coded(table, learnt) for part in parts] or [np.zeros((len(rows), 0))])
        )
        scores = np.zeros(table.rows)
        for begin in range(0, table.rows if len(direction) else 0, SCORED_AT_ONCE):
            some = rows[begin : begin + SCORED_AT_ONCE]
            scores[some] = np.hstack([part.coded(table, some) for part in parts]) @ direction
    largest = float(np.abs(scores).max(initial=0.0))
    return np.round(scores / largest, DIGITS) if largest > 0 else scores


def thirds(scores: Floats) -> Codes:
    """Whether a score is in the lowest, the middle or the highest third; equal scores stay together."""
    ordered = np.sort(scores)
    limits = ordered[[max(len(ordered) * part // 3 - 1, 0) for part in (1, 2)]]
    return np.searchsorted(limits, scores, side="left").astype(np.int32)


def _first_direction(matrix: Floats) -> Floats:
    """The direction in which rows differ most, with its largest entry above zero: a direction has no sign."""
    from scipy.linalg import eigh

    if not matrix.size:
        return np.zeros(matrix.shape[1])
    tall = matrix.shape[0] >= matrix.shape[1]
    square = matrix.T @ matrix if tall else matrix @ matrix.T
    last = len(square) - 1
    found = eigh(square, subset_by_index=[last, last])[1][:, 0]
    direction = found if tall else matrix.T @ found
    return np.asarray(direction * (1.0 if direction[np.argmax(np.abs(direction))] >= 0 else -1.0))


class _Part:
    """One column as numbers: standardised, or as indicators of its levels."""

    def __init__(self, name: str, mean: float, deviation: float, levels: Codes | None, root: Floats) -> None:
        self.name, self.mean, self.deviation, self.levels, self.root = name, mean, deviation, levels, root

    @classmethod
    def of(cls, attribute: Attribute, column: Array) -> _Part:
        if attribute.kind == "numeric":
            known = column[~np.isnan(column)]
            mean, deviation = (float(known.mean()), float(known.std())) if len(known) else (0.0, 0.0)
            return cls(attribute.name, mean, deviation, None, np.zeros(0))
        counts = np.bincount(column + 1, minlength=len(attribute.categories) + 1)
        levels = np.argsort(-counts, kind="stable")[: min(int(np.count_nonzero(counts)), MOST_LEVELS)]
        share = counts[levels] / max(len(column), 1)
        return cls(attribute.name, 0.0, 0.0, levels.astype(np.int32), np.sqrt(share))

    def coded(self, table: Table, rows: Array) -> Floats:
        """The column of some rows, as one number or one per level."""
        column = np.asarray(table.columns[self.name])[rows]
        if self.levels is None:
            if self.deviation == 0:
                return np.zeros((len(rows), 1))
            return np.nan_to_num((column - self.mean) / self.deviation)[:, None]
        return np.asarray(((column + 1)[:, None] == self.levels) / self.root - self.root)

"""Transition matrices of categorical columns as data: from a given matrix, or from a probability of change.

Both become the sparse law of `redraw`; a matrix in two stages is in `two_stage`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from hushwood.errors import InputError, unknown_name
from hushwood.segments.segments import Segments
from hushwood.tables.table import Table
from hushwood.techniques.protocol import Columns, Within
from hushwood.techniques.redraw import Distributions, Groups, RedrawLaw, by_segment, coded, whole_table

Floats = NDArray[np.float64]
Others = Literal["equal", "frequency"]

# A matrix that is written out may have so many entries over all segments: 2,000 categories in one table.
MOST_ENTRIES = 4_000_000
_ROUNDING = 1e-9


def checked_choice(technique: str, name: str, value: str, allowed: Sequence[str]) -> None:
    """Refuse a word that a parameter does not know."""
    if value not in allowed:
        raise unknown_name(f"{technique} {name}", value, allowed)


def groups_within(within: Within) -> Groups:
    """What a law works inside: every segment, or the whole table."""
    return by_segment if within == "segment" else whole_table


def shares_within(original: Table, attribute: str, segments: Segments, within: Within) -> Distributions:
    """How often every value occurs, missing among them, in every segment or in the table."""
    width = len(original.schema[attribute].categories) + 1
    codes = coded(original.columns[attribute], width)
    groups = groups_within(within)(original.columns, segments.ids)
    return Distributions.from_weights(groups, codes, np.ones(len(codes)), width)


def spread(shares: Distributions, others: Others) -> Distributions:
    """The same values, all equally likely or as frequent as they are."""
    if others == "frequency":
        return shares
    group, code = shares.keys // shares.width, shares.keys % shares.width
    return Distributions.from_weights(group, code, np.ones(len(code)), shares.width)


def checked_matrix(attribute: str, rows: Sequence[Sequence[float]]) -> Floats:
    """The rows as a square matrix of probabilities whose rows sum to exactly 1."""
    try:
        matrix = np.asarray(rows, np.float64)
    except ValueError:
        matrix = np.empty(0)
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or not matrix.size:
        raise InputError(
            f"The matrix of {attribute!r} must have as many columns as rows, one for every value."
        )
    total = matrix.sum(axis=1)
    wrong = ~(np.abs(total - 1) <= _ROUNDING) | ~(matrix >= 0).all(axis=1)
    if wrong.any():
        row = int(np.argmax(wrong))
        raise InputError(
            f"Row {row + 1} of the matrix of {attribute!r} sums to {total[row]:.12g}, its smallest entry is "
            f"{matrix[row].min():g}; a row holds probabilities of at least 0 that sum to 1."
        )
    return np.asarray(matrix / total[:, None])


def check_entries(attribute: str, entries: int) -> None:
    """Refuse a matrix that is too large to be written out."""
    if entries > MOST_ENTRIES:
        raise InputError(
            f"The transition matrices of {attribute!r} would have {entries:,} entries, more than {MOST_ENTRIES:,}; "
            "give a probability of change instead of a matrix."
        )


@dataclass(frozen=True, slots=True)
class OwnValue:
    """Group of a record: its own value of the attribute, in its segment or in the table; a row of a matrix."""

    attribute: str
    width: int
    within: Within

    def __call__(self, columns: Columns, segment_ids: NDArray[Any]) -> NDArray[np.int64]:
        """The group of every record."""
        codes = coded(columns[self.attribute], self.width)
        return codes if self.within == "table" else np.asarray(segment_ids, np.int64) * self.width + codes


def matrix_law(
    original: Table, attribute: str, matrix: Floats, segments: Segments, within: Within, purpose: str
) -> RedrawLaw:
    """The law of a matrix over the categories in order, and missing as the last one if it has a row for it.

    Inside a segment a row is taken given that the value occurs there; a row without such a value stays.
    """
    width = len(original.schema[attribute].categories) + 1
    matrix = _with_missing(attribute, matrix, width)
    group_of = OwnValue(attribute, width, within)
    if within == "table":
        check_entries(attribute, width * width)
        group, code = np.divmod(np.arange(width * width), width)
        weight = matrix.ravel()
    else:
        shares = shares_within(original, attribute, segments, within)
        group, code = _pairs(attribute, shares, segments.count)
        weight = matrix[group % width, code]
        stuck = np.bincount(group, weight, minlength=segments.count * width)[group] == 0
        weight = np.where(stuck, code == group % width, weight)
    drawn = Distributions.from_weights(group, code, weight, width)
    rows = width * (1 if within == "table" else segments.count)
    return RedrawLaw(attribute, drawn, np.full(rows, np.nan), group_of, purpose)


def _with_missing(attribute: str, matrix: Floats, width: int) -> Floats:
    """The matrix with a last row for missing, which stays missing if nothing else is said."""
    if len(matrix) == width:
        return matrix
    if len(matrix) != width - 1:
        raise InputError(
            f"The matrix of {attribute!r} has {len(matrix)} rows; it needs {width - 1}, one for every category, "
            f"or {width} with missing as the last."
        )
    whole = np.zeros((width, width))
    whole[:-1, :-1] = matrix
    whole[-1, -1] = 1.0
    return whole


def _pairs(
    attribute: str, shares: Distributions, segments: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """All pairs of values that occur in the same segment: the row of the first, the code of the second."""
    width = shares.width
    segment, code = shares.keys // width, shares.keys % width
    held = np.bincount(segment, minlength=segments)
    check_entries(attribute, max(int((held**2).sum()), segments * width))
    first = np.concatenate([[0], np.cumsum(held)[:-1]])
    row = np.repeat(shares.keys, held[segment])
    begin = np.concatenate([[0], np.cumsum(held[segment])[:-1]])
    within_row = np.arange(len(row)) - np.repeat(begin, held[segment])
    return row, code[np.repeat(first[segment], held[segment]) + within_row]

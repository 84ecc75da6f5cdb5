"""Transition matrices of categorical columns: from a given matrix, or from a probability of change.

Both become the sparse law of `redraw`; matrices in two stages are in `two_stage`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from hushwood.arrays import Floats, Integers
from hushwood.errors import InputError
from hushwood.segments.segments import Segments
from hushwood.tables.formats.matrix_file import NamedRows
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table
from hushwood.techniques.laws.groupings import OwnValue, coded, groups_within, whole_table
from hushwood.techniques.laws.redraw import Distributions, RedrawLaw
from hushwood.techniques.protocol import Within

Others = Literal["equal", "frequency"]

# Most entries, over all segments, of a matrix that is written out: 2,000 categories in one table.
MOST_ENTRIES = 4_000_000
_ROUNDING = 1e-9


def checked_probability(name: str, value: float) -> float:
    """The value itself, if it lies between 0 and 1."""
    if not 0 <= value <= 1:
        raise InputError(f"{name} must be between 0 and 1; {value:g} was given.")
    return value


def shares_within(original: Table, attribute: str, segments: Segments, within: Within) -> Distributions:
    """The share of every value, missing included, in every segment or in the table."""
    width = len(original.schema[attribute].categories) + 1
    codes = coded(original.columns[attribute], width)
    groups = groups_within(within)(original.columns, segments.ids)
    return Distributions.from_weights(groups, codes, np.ones(len(codes)), width)


def spread(shares: Distributions, others: Others) -> Distributions:
    """The same values, all equally likely or with their own frequencies."""
    if others == "frequency":
        return shares
    group, code = shares.keys // shares.width, shares.keys % shares.width
    return Distributions.from_weights(group, code, np.ones(len(code)), shares.width)


def random_law(original: Table, attribute: str, probability: float, purpose: str) -> RedrawLaw:
    """The law of a column whose values change to any other; missing counts as a value if the column has any."""
    width = len(original.schema[attribute].categories) + 1
    domain = np.arange(width if bool((np.asarray(original.columns[attribute]) < 0).any()) else width - 1)
    drawn = Distributions.from_weights(np.zeros(len(domain), np.int64), domain, np.ones(len(domain)), width)
    return RedrawLaw(attribute, drawn, np.array([probability]), whole_table, purpose)


def named_matrix(attribute: str, rows: NamedRows) -> Floats:
    """A matrix with names, in their order; every row and column must be there, and rows sum to 1."""
    names = list(rows)
    for name, row in rows.items():
        for other in (*row, *names):
            if (other in row) != (other in rows):
                has, lacks = ("column", "row") if other in row else ("row", "column")
                raise InputError(
                    f"The matrix of {attribute!r} has a {has} for {other!r}, but no {lacks}; give both for every value."
                )
        total, least = sum(row.values()), min(row.values())
        if not (abs(total - 1) <= _ROUNDING and least >= 0):
            raise InputError(
                f"The row of {name!r} in the matrix of {attribute!r} sums to {total:.12g}, its smallest entry is "
                f"{least:g}; a row holds probabilities of at least 0 that sum to 1."
            )
    return checked_matrix(attribute, [[row[name] for name in names] for row in rows.values()])


def in_order_of(attribute: Attribute, rows: NamedRows) -> Floats:
    """A matrix with names as one over the categories in order, with missing as the last one if it has a row for it."""
    known = (*attribute.categories, "") if "" in rows else attribute.categories
    lacking = [name for name in known if name not in rows]
    if lacking:
        raise InputError(
            f"The matrix of {attribute.name!r} has no row for {lacking[0]!r}; it needs one for each of the column's "
            f"{len(attribute.categories)} values."
        )
    strange = next((name for name in rows if name not in set(known)), None)
    if strange is not None:
        raise InputError(
            f"The matrix of {attribute.name!r} has a row for {strange!r}, which is no value of the column; remove it."
        )
    matrix, place = named_matrix(attribute.name, rows), {name: i for i, name in enumerate(rows)}
    order = [place[name] for name in known]
    return np.asarray(matrix[np.ix_(order, order)])


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


def check_entries(
    attribute: str, entries: int, instead: str = "give a probability of change instead"
) -> None:
    """Refuse a matrix that is too large to be written out, and say what to do."""
    if entries > MOST_ENTRIES:
        raise InputError(
            f"The transition matrices of {attribute!r} would have {entries:,} entries, more than {MOST_ENTRIES:,}; "
            f"{instead}."
        )


def matrix_law(
    original: Table, attribute: str, matrix: Floats, segments: Segments, within: Within, purpose: str
) -> RedrawLaw:
    """The law of a matrix over the categories in order, with missing as the last one if it has a row for it.

    Inside a segment a row is conditioned on values that occur there; if none does, the value stays.
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
    """The matrix with a last row for missing, which stays missing unless the matrix says otherwise."""
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


def _pairs(attribute: str, shares: Distributions, segments: int) -> tuple[Integers, Integers]:
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

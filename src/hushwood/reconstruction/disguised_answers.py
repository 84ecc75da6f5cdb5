"""Yes-or-no answers disguised by chance (Warner 1965; Du and Zhan 2003), and unbiased shares estimated from them.

The columns of a group are disguised together: with probability θ all answers are true, else all are the opposite. The
technique is `techniques.warner`; `frequencies` estimates the share of a single column.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hushwood.arrays import Floats
from hushwood.errors import InputError, unknown_name
from hushwood.tables.table import Table
from hushwood.techniques.warner import checked_truth

Literals = Mapping[int, int]  # column -> the code required of it, in a conjunction
_MOST_PACKED = 62  # columns that fit one whole number, one bit each
_UNDISGUISED = -1


class Share(NamedTuple):
    """An estimated share of the records, and its standard error."""

    share: float
    error: float


@dataclass(frozen=True, slots=True)
class Disguise:
    """The truth with this probability (θ), else the opposite; decided once per group of columns.

    Without groups, all columns, the class included, are one group. Columns in no group are not disguised.
    """

    truth: float
    groups: tuple[tuple[str, ...], ...] | None = None

    def __post_init__(self) -> None:
        checked_truth(self.truth)
        names = [name for group in self.groups or () for name in group]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise InputError(f"A column can be in only one group; these are in several: {', '.join(twice)}.")

    def group_of(self, names: Sequence[str]) -> list[int]:
        """The group of every column; negative if it is not disguised."""
        if self.groups is None:
            return [0] * len(names)
        place = {name: number for number, group in enumerate(self.groups) for name in group}
        unknown = sorted(set(place) - set(names))
        if unknown:
            raise unknown_name("column of answers", unknown[0], names)
        return [place.get(name, _UNDISGUISED) for name in names]


@dataclass(frozen=True, slots=True)
class Answers:
    """Different records of disguised answers, how often each occurs, and the group of every column.

    `codes` are [column, record]; the columns are the inputs of the table and, last, its class if it has one. `total`
    counts all records, including those not held here.
    """

    names: tuple[str, ...]
    codes: NDArray[np.int8]
    counts: Floats
    group_of: tuple[int, ...]
    truth: float
    total: float

    @classmethod
    def of(cls, table: Table, disguise: Disguise, only: Collection[str] | None = None) -> Answers:
        """The answers of a table or of some of its columns; each must have two categories and no missing values."""
        target = table.schema.class_attribute
        known = [attribute.name for attribute in (*table.schema.inputs, *([target] if target else []))]
        group_of = dict(zip(known, disguise.group_of(known), strict=True))
        names = tuple(name for name in known if only is None or name in only)
        for name in names:
            _check(table, name)
        codes, counts = _different(np.array([table.columns[name] for name in names], np.int8))
        return cls(names, codes, counts, tuple(group_of[n] for n in names), disguise.truth, table.rows)

    def concerned(self, literals: Literals) -> Answers:
        """Only the records to which these literals, with any further ones, can give a nonzero weight."""
        held = np.flatnonzero(self.weights(literals))
        return replace(self, codes=self.codes[:, held], counts=self.counts[held])

    def weights(self, literals: Literals) -> Floats:
        """A number for every disguised record whose mean is 1 if the undisguised one meets all literals, else 0.

        The inverse of the disguise, [[θ, 1 - θ], [1 - θ, θ]] for every group involved, as a product over groups:
        θ/(2θ - 1) where all answers of the group are as required, -(1 - θ)/(2θ - 1) where all are the opposite.
        """
        asked = np.array([self.codes[column] == code for column, code in literals.items()])
        groups = np.array([self.group_of[column] for column in literals])
        weights = np.ones(self.codes.shape[1])
        for group in np.unique(groups).tolist():
            own = asked[groups == group]
            fulfilled, opposite = own.all(axis=0), ~own.any(axis=0)
            if group == _UNDISGUISED:
                weights *= fulfilled
            else:
                weights *= (self.truth * fulfilled - (1 - self.truth) * opposite) / (2 * self.truth - 1)
        return weights

    def share(self, weights: Floats) -> Share:
        """The mean of these weights, and its standard error."""
        mean = float(self.counts @ weights) / self.total
        spread = float(self.counts @ weights**2) / self.total - mean**2
        return Share(mean, float(np.sqrt(max(spread, 0.0) / self.total)))


def undisguised_share(table: Table, disguise: Disguise, where: Mapping[str, str]) -> Share:
    """An unbiased estimate of the share of records whose true answers are all as in `where`.

    P(E) = (θ P*(E) - (1 - θ) P*(E~)) / (2θ - 1), with E~ the opposite of every answer in E; the same for each group.
    The estimate can be below 0 or above 1 when the share is near 0 or 1.

    >>> import polars as pl
    >>> from hushwood.tables.reading import read_table
    >>> said = read_table(pl.DataFrame({"cheated": ["yes"] * 37 + ["no"] * 63}))
    >>> round(undisguised_share(said, Disguise(0.7), {"cheated": "yes"}).share, 3)
    0.175
    """
    answers = Answers.of(table, disguise, where)
    literals: dict[int, int] = {}
    for name, category in where.items():
        categories = table.schema[name].categories
        if name not in answers.names or category not in categories:
            raise InputError(
                f"Column {name!r} has no category {category!r}; it has {' and '.join(categories) or 'none'}."
            )
        literals[answers.names.index(name)] = categories.index(category)
    return answers.share(answers.weights(literals))


def _check(table: Table, name: str) -> None:
    attribute = table.schema[name]
    if attribute.kind != "categorical" or len(attribute.categories) != 2 or attribute.bins:
        raise InputError(
            f"Column {name!r} does not have exactly two categories; only yes-or-no answers can be undisguised. "
            "Drop the column, or give it the role 'ignored'."
        )
    if (table.columns[name] < 0).any():
        raise InputError(f"Column {name!r} has missing answers. Drop these records.")


def _different(codes: NDArray[np.int8]) -> tuple[NDArray[np.int8], Floats]:
    """The different records and how often each occurs."""
    if len(codes) > _MOST_PACKED:
        return codes, np.ones(codes.shape[1])
    packed = (codes.astype(np.int64) << np.arange(len(codes))[:, None]).sum(axis=0)
    _, first, counts = np.unique(packed, return_index=True, return_counts=True)
    return codes[:, first], counts.astype(float)

"""Rows that evidently repeat people: numbers that few people share turn up again and again, and always together.

Two people seldom share an income to the euro, and hardly ever a body mass index besides. Where rows that agree in one
such column agree in another far more often than chance allows, and most columns are the same in them, they are rows of
one person. At most some thousand rows are looked at: all rows of some values, so that groups stay whole.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from hushwood.arrays import Array, Floats, Integers
from hushwood.tables.persons.units import Units, numbered
from hushwood.tables.table import Table, missing_values

FEWEST_ROWS = 100
_LOOKED_AT, _MOST_LOOKED_AT = 2_500, 10_000  # rows
_FINE, _COARSE = 20, 0.1  # different numbers, and how often two rows may agree in the column to begin with
_CANDIDATES, _TOGETHER = 12, 4  # columns
_LIFT, _MORE_THAN_CHANCE = 1.5, 10.0
_RELATED = 0.95  # columns that are as good as functions of each other repeat together, whoever has them
_REPEATED, _CONSTANT = 0.5, 0.9
_ALIKE, _ALIKE_IN_ONE = 0.5, 0.6  # of the columns
_MANY_ROWS = 8.0  # more than a family
_TELLS_NOTHING = 0.95
_HEAVY, _HEAVY_ROWS = 0.02, 20
_MIXER = np.uint64(0x9E3779B97F4A7C15)


@dataclass(frozen=True, slots=True)
class Repetition:
    """Columns whose numbers repeat together, and how many rows have the same ones, seen from such a row."""

    columns: tuple[str, ...]
    rows: float


@dataclass(frozen=True, slots=True)
class _Look:
    """A table, some of its rows, how often two of them agree by column, and the fine-grained ones, the finest first.

    Columns that are the same nearly everywhere tell nothing and are left out.
    """

    table: Table
    some: Integers
    agree: Mapping[str, float]
    fine: tuple[str, ...]

    @classmethod
    def at(cls, table: Table) -> _Look:
        """Look at rows all over the table."""
        some = np.arange(0, table.rows, -(-table.rows // _LOOKED_AT))
        agree, fine = dict[str, float](), list[str]()
        for attribute in table.schema.measured:
            codes = _codes(table.columns[attribute.name][some])
            share = _agreement(codes)
            if share >= _TELLS_NOTHING:
                continue
            agree[attribute.name] = max(share, len(some) ** -2.0)
            if attribute.kind == "numeric" and attribute.role != "class" and codes.max() + 1 >= _FINE:
                fine.append(attribute.name)
        return cls(table, some, agree, tuple(sorted(fine, key=agree.__getitem__)[:_CANDIDATES]))

    def constant(self, groups: Integers, rows: Integers) -> tuple[str, ...]:
        """The columns that rows of a group share far more often than any two rows; a row below 0 is in no group."""
        order = np.flatnonzero(groups >= 0)
        order = order[np.argsort(groups[order], kind="stable")]
        groups, rows = groups[order], rows[order]
        next_to = np.flatnonzero(groups[1:] == groups[:-1])
        if not len(next_to):
            return ()
        one, other = rows[next_to], rows[next_to + 1]
        return tuple(
            name
            for name, chance in self.agree.items()
            if (_same(self.table.columns[name], one, other) - chance) / (1.0 - chance) >= _CONSTANT
        )

    def unrelated(self) -> dict[str, frozenset[str]]:
        """The other fine-grained columns of each that are not nearly a function of it."""
        columns = [self.table.columns[name][self.some] for name in self.fine]
        ranks = [np.searchsorted(np.sort(column), column) for column in columns]
        apart = np.abs(np.corrcoef(ranks)) < _RELATED if len(ranks) > 1 else np.zeros((1, 1), bool)
        return {
            name: frozenset(other for j, other in enumerate(self.fine) if apart[i, j])
            for i, name in enumerate(self.fine)
        }


def repetition(table: Table) -> Repetition | None:
    """Columns that betray several rows of a person, where every row counts as one; None if rows look like people."""
    if table.rows < FEWEST_ROWS:
        return None
    look = _Look.at(table)
    others = look.unrelated()
    starts = [name for name in look.fine if look.agree[name] <= _COARSE]
    return next((found for name in starts if (found := _of_many(look, name, others))), None) or _of_one(look)


def constant_of(table: Table, units: Units) -> tuple[int, int]:
    """How many columns the rows of a unit share, far more often than any two rows, and how many columns there are."""
    look = _Look.at(table)
    return len(look.constant(units.of_row, np.arange(table.rows))), len(look.agree)


def rows_alike(table: Table, names: Sequence[str]) -> Units:
    """Rows that agree in some columns; a row that lacks a value is alone."""
    groups = np.zeros(table.rows, np.int64)
    for name in names:
        groups = _codes(_joint(groups, _codes(table.columns[name])))
    alone = np.flatnonzero(groups < 0)
    groups[alone] = int(groups.max(initial=-1)) + 1 + np.arange(len(alone))
    return numbered(groups)


def repeated_share(groups: Integers) -> float:
    """The share of rows whose group has other rows, too; a row below 0 is in no group.

    >>> repeated_share(np.array([0, 1, 1, -1, -1]))
    0.4
    """
    counts = np.bincount(groups[groups >= 0])
    return float(counts[counts > 1].sum() / max(len(groups), 1))


def rows_of_each(groups: Integers) -> float:
    """How many rows a group has, seen from one of its rows.

    >>> rows_of_each(np.array([0, 1, 1, 1, -1]))
    2.5
    """
    counts = np.bincount(groups[groups >= 0]).astype(np.float64)
    return float((counts**2).sum() / max(counts.sum(), 1.0))


def _of_many(look: _Look, start: str, others: Mapping[str, frozenset[str]]) -> Repetition | None:
    """Many people with several rows each: begin with one column, add those that agree in the same rows."""
    rows = _all_of_some_values(look.table.columns[start], look.some)
    if len(rows) > _MOST_LOOKED_AT:
        return None
    groups, lift = _codes(look.table.columns[start][rows]), 1.0
    if repeated_share(groups) < _REPEATED:
        return None
    codes = {name: _codes(look.table.columns[name][rows]) for name in others[start]}
    left = others[start]
    together: tuple[str, ...] = (start,)
    while repeated_share(groups) >= _REPEATED and len(together) < _TOGETHER:
        joints = {name: _joint(groups, codes[name]) for name in left}
        by_chance = _agreement(groups)
        lifts = {name: _agreement(joint) / (by_chance * look.agree[name]) for name, joint in joints.items()}
        best = max(lifts, key=lifts.__getitem__, default=start)
        if best == start or lifts[best] < _LIFT:
            return None
        groups, lift = _codes(joints[best]), lift * lifts[best]
        together, left = (*together, best), left & others[best]
        if lift >= _MORE_THAN_CHANCE and repeated_share(groups) >= _REPEATED:
            found = Repetition(together, rows_of_each(groups))
            if _are_of_persons(look, look.constant(groups, rows), found.rows):
                return found
    return None


def _are_of_persons(look: _Look, same: tuple[str, ...], rows: float) -> bool:
    """Whether most columns are the same in each group; in groups larger than a family the class is enough."""
    classes = look.table.schema.in_role("class")
    many_and_class = rows >= _MANY_ROWS and any(name in classes for name in same)
    return many_and_class or len(same) >= _ALIKE * len(look.agree)


def _of_one(look: _Look) -> Repetition | None:
    """One person with many rows: a number inside the range of a fine-grained column that is suddenly frequent.

    Ends of the range and 0 are frequent for other reasons: what is cut off, and what one does not have.
    """
    for name in look.fine:
        column = look.table.columns[name][look.some]
        codes = _codes(column)
        counts = np.bincount(codes[codes >= 0])
        heavy = int(counts.argmax())
        inside = 0 < heavy < len(counts) - 1 and column[codes == heavy][0] != 0.0
        if inside and counts[heavy] >= max(_HEAVY * len(codes), _HEAVY_ROWS):
            rows = look.some[codes == heavy]
            same = look.constant(np.zeros(len(rows), np.int64), rows)
            together = tuple(one for one in look.fine if one in same)
            if len(together) > 1 and len(same) >= _ALIKE_IN_ONE * len(look.agree):
                return Repetition(together, counts[heavy] / len(codes) * look.table.rows)
    return None


def _all_of_some_values(column: Floats, some: Integers) -> Integers:
    """All rows of some values of a column, about as many as are looked at, or all rows of a short table."""
    known = np.flatnonzero(~np.isnan(column))
    if len(known) <= _LOOKED_AT:
        return known
    mixed = (column + 0.0).view(np.uint64) * _MIXER >> np.uint64(11)
    drawn = np.sort(mixed[some[~np.isnan(column[some])]])
    last = drawn[int(_LOOKED_AT / len(known) * len(drawn))]
    return np.flatnonzero(~np.isnan(column) & (mixed <= last))


def _same(column: Array, one: Integers, other: Integers) -> float:
    first, second = column[one], column[other]
    return float(((first == second) | (missing_values(first) & missing_values(second))).mean())


def _codes(column: Array) -> Integers:
    """Numbers from 0 on for the values, ascending; -1 for missing ones."""
    missing = missing_values(column)
    codes = np.full(len(column), -1, np.int64)
    codes[~missing] = np.unique(column[~missing], return_inverse=True)[1].reshape(-1)
    return codes


def _joint(groups: Integers, codes: Integers) -> Integers:
    """Numbers that are equal in rows that agree in both; -1 for a row that lacks a value."""
    both = groups * (int(codes.max(initial=0)) + 1) + codes
    return np.where((groups < 0) | (codes < 0), -1, both)


def _agreement(codes: Integers) -> float:
    """How often two rows agree; missing values agree with none."""
    ordered = np.sort(codes[codes >= 0])
    ends = np.flatnonzero(np.append(ordered[1:] != ordered[:-1], True))
    counts = np.diff(ends, prepend=-1).astype(np.float64)
    return float((counts * (counts - 1.0)).sum() / max(len(codes) * (len(codes) - 1.0), 1.0))

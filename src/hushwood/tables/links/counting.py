"""Counts the records that break links, of a whole table or batch by batch.

What `Determines` and `Combinations` allow is what occurs in the original: the usual value after each value, and the
combinations that occur. A number that the original does not have determines nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise

import numpy as np

from hushwood.arrays import Array, Flags, Integers
from hushwood.tables.links.links import (
    Combinations,
    Condition,
    Constant,
    Determines,
    Link,
    Order,
    Quotient,
    Sum,
)
from hushwood.tables.links.numbers import allowance, divided
from hushwood.tables.links.scan import words_of
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table

Names = tuple[str, ...]
Pieces = tuple[Integers, Integers]  # different rows of words, and how many records have each


class LinkCounts:
    """What the records of a table say about links; `add` takes batches, in any order.

    Only links whose columns are all there can be counted. Tables that are compared must have one coding.
    """

    def __init__(self, links: Iterable[Link]) -> None:
        self.links = tuple(links)
        self._broken = {link: 0 for link in self.links if not _names_looked_at(link)}
        wanted = {names for link in self.links for names in _names_looked_at(link)}
        self._pieces: dict[Names, Pieces] = {
            names: (np.zeros((0, len(names)), np.int64), np.zeros(0, np.int64)) for names in wanted
        }
        self._numeric: set[str] = set()
        self.records = 0
        self._conditions: dict[Condition, tuple[Flags, Flags]] = {}

    def add(self, table: Table) -> LinkCounts:
        """Look at more records."""
        self.records += table.rows
        self._numeric |= {a.name for a in table.schema.kept if a.kind == "numeric"}
        for link in self._broken:
            self._broken[link] += int(_breaks(link, table).sum())
        for link in self.links:
            if isinstance(link, Condition) and link not in self._broken:
                met = chosen_codes(table.schema[link.when], link.values)
                self._conditions[link] = met, chosen_codes(table.schema[link.column], link.allowed)
        for names, before in self._pieces.items():
            words = np.stack([_column(table, name) for name in names], axis=1)
            self._pieces[names] = _joined(before, _counted(words))
        return self

    def merge(self, other: LinkCounts) -> None:
        """Add what another one has seen."""
        self.records += other.records
        self._numeric |= other._numeric
        self._conditions |= other._conditions
        for link, count in other._broken.items():
            self._broken[link] += count
        for names, pieces in other._pieces.items():
            self._pieces[names] = _joined(self._pieces[names], pieces)

    def broken(self, original: LinkCounts | None = None) -> dict[Link, int]:
        """How many records break each link; without an original, these records themselves say what is possible."""
        return {link: self._count(link, original or self, usual=True) for link in self.links}

    def new(self, original: LinkCounts) -> dict[Link, int]:
        """How many break it in a way in which no record of the original does.

        Of links that are not about single categories, those that are more than in the original.
        """
        found = {}
        for link in self.links:
            if isinstance(link, Constant) or link in self._broken:
                before = original._count(link, original, usual=True)
                found[link] = max(0, self._count(link, original, usual=True) - before)
            else:
                found[link] = self._count(link, original, usual=False)
        return found

    def _count(self, link: Link, original: LinkCounts, *, usual: bool) -> int:
        if link in self._broken:
            return self._broken[link]
        if isinstance(link, Constant):
            return _changing(*self._pieces[link.columns])
        if isinstance(link, Determines):
            return self._strange(link, original, usual=usual)
        rows, counts = self._pieces[link.columns]
        broken = ~_Rows(original._pieces[link.columns][0]).has(rows)
        if isinstance(link, Condition):
            met, allowed = self._conditions.get(link, (np.zeros(1, bool), np.zeros(1, bool)))
            against = met[rows[:, 0]] & ~allowed[rows[:, 1]]
            broken = against if usual else against & broken
        return int(counts[broken].sum())

    def _strange(self, link: Determines, original: LinkCounts, *, usual: bool) -> int:
        """Records in which any column is not what usually, or ever, comes with the given one."""
        rows, counts = self._pieces[link.columns]
        strange = np.zeros(len(rows), bool)
        for place, name in enumerate(link.follows, 1):
            seen, times = original._pieces[link.given, name]
            known = _Rows(_usual(seen, times) if usual else seen)
            here = ~known.has(rows[:, [0, place]])
            strange |= here & known.has_first(rows[:, 0]) if link.given in self._numeric else here
        return int(counts[strange].sum())


def violations(links: Iterable[Link], table: Table, original: Table | None = None) -> dict[Link, int]:
    """How many records break each link; without an original, the table itself says what is possible."""
    chosen = tuple(links)
    before = None if original is None else LinkCounts(chosen).add(original)
    return LinkCounts(chosen).add(table).broken(before)


def countable(links: Iterable[Link], names: Iterable[str]) -> tuple[Link, ...]:
    """Links whose columns are all among these."""
    there = set(names)
    return tuple(link for link in links if there.issuperset(link.columns))


def _names_looked_at(link: Link) -> tuple[Names, ...]:
    """The columns of which all combinations are noted; none where every record can be judged by itself."""
    match link:
        case Determines(given, follows):
            return link.columns, *((given, name) for name in follows)
        case Combinations() | Constant():
            return (link.columns,)
        case Condition(allowed=(None,)):
            return ()
        case Condition():
            return (link.columns,)
        case _:
            return ()


def _breaks(link: Link, table: Table) -> Flags:
    match link:
        case Order(columns):
            values = [table.columns[name] for name in columns]
            return np.asarray(np.any([one > other for one, other in pairwise(values)], axis=0))
        case Sum(total, parts):
            whole = table.columns[total]
            together = np.sum([table.columns[name] for name in parts], axis=0)
            return np.asarray(np.abs(whole - together) > allowance(table.schema[total], whole))
        case Quotient(result, of, by, power, shift):
            whole = table.columns[result]
            quotient = divided(table.columns[of], table.columns[by], power, shift)
            return np.asarray(np.abs(whole - quotient) > allowance(table.schema[result], whole))
        case Condition(when, values, column):
            met, known = chosen_codes(table.schema[when], values)[table.columns[when]], table.columns[column]
            return np.asarray(met & ~(np.isnan(known) if known.dtype.kind == "f" else known < 0))
        case _:
            raise TypeError(f"{link} is counted by its combinations.")


def chosen_codes(attribute: Attribute, names: tuple[str | None, ...]) -> Flags:
    """Which codes are among the names; the last place is that of -1, missing."""
    wanted = set(names)
    return np.array([*(name in wanted for name in attribute.categories), None in wanted], bool)


def _column(table: Table, name: str) -> Integers:
    """A column as whole numbers that are equal where the values are."""
    if name not in table.columns:
        return table.carried[name].hash(0).to_numpy().view(np.int64)
    values, attribute = table.columns[name], table.schema[name]
    if values.dtype.kind == "f" and attribute.precision is not None:
        values = np.rint(values * 10.0**attribute.precision)
    return words_of(values)


def _counted(rows: Integers) -> Pieces:
    """The different rows of words, with counts."""
    codes = np.zeros(len(rows), np.int64)
    for column in rows.T:
        levels, places = np.unique(column, return_inverse=True)
        _, codes = np.unique(codes * len(levels) + places, return_inverse=True)
    _, first, counts = np.unique(codes, return_index=True, return_counts=True)
    return rows[first], counts


def _joined(one: Pieces, other: Pieces) -> Pieces:
    rows, counts = np.concatenate([one[0], other[0]]), np.concatenate([one[1], other[1]])
    place = _Rows(rows).places(rows)
    unique, first = np.unique(place, return_index=True)
    summed = np.bincount(place, weights=counts)[unique]
    return rows[first], summed.astype(np.int64)


def _usual(rows: Integers, counts: Integers) -> Integers:
    """Of rows with the same first word the one that most records have."""
    order = np.lexsort((rows[:, 1], -counts, rows[:, 0]))
    rows = rows[order]
    first = np.append(True, rows[1:, 0] != rows[:-1, 0])[: len(rows)]
    return np.asarray(rows[first])


def _changing(rows: Integers, counts: Integers) -> int:
    """Records of groups, the first word, in which the others have several values."""
    _, groups = np.unique(rows[:, 0], return_inverse=True)
    several = np.bincount(groups) > 1
    return int(counts[several[groups]].sum())


class _Rows:
    """Rows of words, to be looked up."""

    def __init__(self, rows: Integers) -> None:
        self._levels = [np.unique(column) for column in rows.T]
        self._rows = np.unique(self._codes(rows)[0])

    def _codes(self, rows: Array) -> tuple[Integers, Flags]:
        """One number for each row, and whether all its words are known."""
        codes, known = np.zeros(len(rows), np.int64), np.ones(len(rows), bool)
        for column, levels in zip(rows.T, self._levels, strict=True):
            if not len(levels):
                return codes, np.zeros(len(rows), bool)
            place = np.minimum(np.searchsorted(levels, column), len(levels) - 1)
            known &= levels[place] == column
            codes = codes * len(levels) + place
        return codes, known

    def places(self, rows: Integers) -> Integers:
        """The place of every row, all of which are known."""
        return np.searchsorted(self._rows, self._codes(rows)[0])

    def has(self, rows: Integers) -> Flags:
        """Which rows are known."""
        codes, known = self._codes(rows)
        return np.asarray(known & np.isin(codes, self._rows))

    def has_first(self, words: Integers) -> Flags:
        """Which words occur in the first place."""
        return np.asarray(np.isin(words, self._levels[0]))

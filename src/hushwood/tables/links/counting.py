"""Counts the records that break links, of a whole table or batch by batch.

What `Determines` and `Combinations` allow is what occurs in the original: the usual value after each value, and the
combinations that occur. A number that the original does not have determines nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

import numpy as np

from hushwood.arrays import Array, Flags, Integers
from hushwood.tables.links.levels import words_of
from hushwood.tables.links.links import Combinations, Condition, Constant, Determines, Link, Order, Sum
from hushwood.tables.links.sums import allowance
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table

Pieces = tuple[Integers, Integers]  # different rows of words, and how many records have each


class Reference:
    """What the original says about links; `add` takes batches of it, in any order."""

    def __init__(self, links: Iterable[Link]) -> None:
        self.links = tuple(links)
        self._pieces: dict[tuple[str, ...], Pieces] = {}
        self._ready: dict[tuple[str, ...], _Allowed] = {}

    def add(self, table: Table) -> Reference:
        """Look at more records."""
        self._ready = {}
        for names in self._wanted():
            if all(name in table.columns for name in names):
                self._pieces[names] = _joined(self._pieces.get(names), _counted(_words(table, names)))
        return self

    def merge(self, other: Reference) -> None:
        """Add what another one has seen."""
        self._ready = {}
        for names, pieces in other._pieces.items():
            self._pieces[names] = _joined(self._pieces.get(names), pieces)

    def allowed(self, names: tuple[str, ...], usual: bool) -> _Allowed:
        """What occurs in these columns; with `usual`, the most frequent second value after each first one."""
        if names not in self._ready:
            empty = (np.zeros((0, len(names)), np.int64), np.zeros(0, np.int64))
            rows, counts = self._pieces.get(names, empty)
            self._ready[names] = _Allowed(_usual(rows, counts) if usual else rows)
        return self._ready[names]

    def _wanted(self) -> set[tuple[str, ...]]:
        pairs = {(x.given, name) for x in self.links if isinstance(x, Determines) for name in x.follows}
        return pairs | {x.columns for x in self.links if isinstance(x, Combinations)}


class LinkCounts:
    """Records that break each link, and any of them; `add` takes batches, in any order.

    Only links whose columns are all there can be counted.
    """

    def __init__(self, links: Iterable[Link], reference: Reference) -> None:
        self.reference, self.records = reference, 0
        self._counts = dict.fromkeys(links, 0)
        self._any = 0
        self._groups: dict[Constant, Pieces] = {}

    def add(self, table: Table) -> None:
        """Count more records."""
        broken = np.zeros(table.rows, bool)
        self.records += table.rows
        for link in self._counts:
            if isinstance(link, Constant):
                words = _words(table, (link.within, *link.same))
                self._groups[link] = _joined(self._groups.get(link), _counted(words))
            else:
                flags = breaks(link, table, self.reference)
                self._counts[link] += int(flags.sum())
                broken |= flags
        self._any += int(broken.sum())

    def merge(self, other: LinkCounts) -> None:
        """Add what another one has counted."""
        self.records += other.records
        self._any += other._any
        for link, count in other._counts.items():
            self._counts[link] += count
        for link, pieces in other._groups.items():
            self._groups[link] = _joined(self._groups.get(link), pieces)

    def finish(self) -> dict[Link, int]:
        """The records that break each link."""
        changing = {link: _changing(*pieces) for link, pieces in self._groups.items()}
        return self._counts | changing

    @property
    def at_least_one(self) -> int:
        """Records that break any link; a link within groups adds its own, up to all records."""
        return min(self.records, self._any + sum(_changing(*pieces) for pieces in self._groups.values()))


def violations(links: Iterable[Link], table: Table, original: Table | None = None) -> dict[Link, int]:
    """How many records break each link; without an original, the table itself says what is possible."""
    chosen = tuple(links)
    counts = LinkCounts(chosen, Reference(chosen).add(table if original is None else original))
    counts.add(table)
    return counts.finish()


def countable(links: Iterable[Link], names: Iterable[str]) -> tuple[Link, ...]:
    """Links whose columns are all among these."""
    there = set(names)
    return tuple(link for link in links if there.issuperset(link.columns))


def breaks(link: Link, table: Table, reference: Reference) -> Flags:
    """Which records break a link; of `Constant`, all records of groups with several values."""
    match link:
        case Order(columns):
            values = [table.columns[name] for name in columns]
            return _any([one > other for one, other in pairwise(values)], table.rows)
        case Sum(total, parts):
            whole = table.columns[total]
            together = np.sum([table.columns[name] for name in parts], axis=0)
            return np.asarray(np.abs(whole - together) > allowance(table.schema[total], whole))
        case Condition():
            return _against(link, table)
        case Combinations(columns):
            return ~reference.allowed(columns, usual=False).has(_words(table, columns))
        case Determines(given, follows):
            return _any([_strange(given, name, table, reference) for name in follows], table.rows)
        case Constant(within, same):
            words = _words(table, (within, *same))
            _, groups = np.unique(words[:, 0], return_inverse=True)
            first = np.zeros(int(groups.max(initial=-1)) + 1, np.int64)
            first[groups[::-1]] = np.arange(table.rows)[::-1]
            differs = (words != words[first[groups]]).any(axis=1)
            return np.asarray(np.bincount(groups, weights=differs)[groups] > 0)


def _any(flags: Sequence[Flags], rows: int) -> Flags:
    return np.asarray(np.any(flags, axis=0)) if len(flags) else np.zeros(rows, bool)


def _strange(given: str, name: str, table: Table, reference: Reference) -> Flags:
    words = _words(table, (given, name))
    known = reference.allowed((given, name), usual=True)
    strange = ~known.has(words)
    if table.schema[given].kind == "numeric":
        strange &= known.has_first(words[:, 0])
    return strange


def _against(link: Condition, table: Table) -> Flags:
    met = _chosen(table.schema[link.when], link.values)[table.columns[link.when]]
    column = table.columns[link.column]
    if column.dtype.kind == "f":
        return np.asarray(met & ~np.isnan(column))
    return np.asarray(met & ~_chosen(table.schema[link.column], link.allowed)[column])


def _chosen(attribute: Attribute, names: tuple[str | None, ...]) -> Flags:
    """Which codes are among the names; the last place is that of -1, missing."""
    wanted = set(names)
    return np.array([*(name in wanted for name in attribute.categories), None in wanted], bool)


def _words(table: Table, names: Sequence[str]) -> Integers:
    """The columns as whole numbers that are equal where the values are, one row for a record."""
    return np.stack([_column(table, name) for name in names], axis=1)


def _column(table: Table, name: str) -> Integers:
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


def _joined(one: Pieces | None, other: Pieces) -> Pieces:
    if one is None:
        return other
    rows, counts = np.concatenate([one[0], other[0]]), np.concatenate([one[1], other[1]])
    known = _Allowed(rows)
    place = known.places(rows)
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


class _Allowed:
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


def broken_links(links: Iterable[Link], table: Table) -> Mapping[Link, Integers]:
    """The rows that break each link, for links that any row breaks."""
    chosen = tuple(links)
    reference = Reference(chosen).add(table)
    found = {link: np.flatnonzero(breaks(link, table, reference)) for link in chosen}
    return {link: rows for link, rows in found.items() if len(rows)}

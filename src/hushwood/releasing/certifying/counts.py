"""Groups of records, numbered as they are met, and whether each has as many of every value as a promise allows.

Where there are too many numbers to keep, they are counted by hashes, in a fixed amount of memory: a kept promise never
looks broken, a broken one can look kept by chance, and each class says how rarely. The hashes are no secret: they find
the faults of programs, not numbers that someone chose in order to deceive them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

import numpy as np

from hushwood.arrays import Array, Bytes, Codes, Flags, Integers, Words
from hushwood.releasing.kernels.certificates import EMPTY, add_hashes, mark, number, place, shift
from hushwood.tables.schema import Attribute
from hushwood.tables.table import missing_values
from hushwood.techniques.laws.promises import Promise

# Memory for a column whose numbers must have occurred before, and for one of which some may be blanked.
MARKS = 1 << 28  # bits at most, for each side
MARKS_PER_ROW = 64
CELLS = 1 << 22  # of four bytes


class CountedValues(Protocol):
    """Values before and after, counted in some way."""

    def add(
        self, groups: Integers, before: Integers, after: Integers, groups_after: Integers | None = None
    ) -> None:
        """Take the words of a batch; those after may belong to groups of their own."""

    def wrong(self, exempt: Flags) -> Flags | None:
        """Groups in which something is wrong and that are not exempt; None if it is not known in which."""


def sides(
    groups: Integers, before: Integers, after: Integers, groups_after: Integers | None
) -> tuple[tuple[Integers, Integers], tuple[Integers, Integers]]:
    """The groups and words before and after."""
    return (groups, before), (groups if groups_after is None else groups_after, after)


class Sums:
    """Whether every group has the same numbers equally often: the sums of their hashes, modulo 2⁶⁴, are equal.

    Sums of other numbers are equal with a chance of 2⁻⁶⁴ in each group.
    """

    def __init__(self) -> None:
        self._sums: list[Words] = [np.zeros(0, np.uint64), np.zeros(0, np.uint64)]

    def add(
        self, groups: Integers, before: Integers, after: Integers, groups_after: Integers | None = None
    ) -> None:
        """Take the words of a batch."""
        for side, (own, words) in enumerate(sides(groups, before, after, groups_after)):
            self._sums[side] = grown(self._sums[side], int(own.max(initial=-1)) + 1)
            add_hashes(own, words, self._sums[side])

    def wrong(self, exempt: Flags) -> Flags:
        """Groups in which the numbers differ."""
        had, has = (grown(sums, len(exempt)) for sums in self._sums)
        return np.asarray((had != has) & ~exempt)


class Marks:
    """Whether every number after is one that its group had before: two bits that every number sets.

    A number that its group did not have is overlooked if others set both of its bits: with up to four million
    different numbers, one of a thousand is; with ten million, one of 190; with a hundred million, one of four.
    """

    def __init__(self, rows: int) -> None:
        bits = min(MARKS, 1 << (MARKS_PER_ROW * rows).bit_length())
        self._bits: list[Bytes] = [np.zeros(bits // 8, np.uint8) for _ in range(2)]

    def add(
        self, groups: Integers, before: Integers, after: Integers, groups_after: Integers | None = None
    ) -> None:
        """Take the words of a batch."""
        for bits, side in zip(self._bits, sides(groups, before, after, groups_after), strict=True):
            mark(*side, bits)

    def wrong(self, exempt: Flags) -> Flags | None:
        """None if a number is new; a bit does not tell its group, so that an exempt group excuses all."""
        had, has = self._bits
        return None if not exempt.any() and bool((has & ~had).any()) else np.zeros(len(exempt), bool)


class Differences:
    """Whether no number is more frequent after than before in its group, though some may be blanked.

    All numbers are dealt out to cells, which count those before less those after. A number too many is overlooked if
    it falls into the cell of a blanked one: a hundred thousand blanked numbers hide one of 42 that way.
    """

    def __init__(self) -> None:
        self._cells: Codes = np.zeros(CELLS, np.int32)

    def add(
        self, groups: Integers, before: Integers, after: Integers, groups_after: Integers | None = None
    ) -> None:
        """Take the words of a batch."""
        (first, second) = sides(groups, before, after, groups_after)
        shift(*first, 1, self._cells)
        shift(*second, -1, self._cells)

    def wrong(self, exempt: Flags) -> Flags | None:
        """None if a number is too frequent; a cell does not tell its group, so that an exempt group excuses all."""
        broken = not exempt.any() and bool((self._cells < 0).any())
        return None if broken else np.zeros(len(exempt), bool)


GAP = -1  # the word of a missing value
_FEWEST = 1024


def words_of(column: Array) -> Integers:
    """Values as words of 64 bits that are equal where the values are; no number has the word of a missing value."""
    if column.dtype.kind != "f":
        return column.astype(np.int64)
    # 0 is added because -0.0 has other bits than 0.0.
    return np.where(np.isnan(column), GAP, (column + 0.0).view(np.int64))


def grown(array: Array, length: int) -> Array:
    """The array with zeros behind it up to a length."""
    return array if len(array) >= length else np.append(array, np.zeros(length - len(array), array.dtype))


class Numbering:
    """Pairs of a group and a word, numbered from 0 in the order in which they are met."""

    def __init__(self) -> None:
        self.count = 0
        self._slots: Codes = np.full(2 * _FEWEST, EMPTY, np.int32)
        self._groups, self._words = np.zeros(_FEWEST, np.int64), np.zeros(_FEWEST, np.int64)

    @property
    def groups(self) -> Integers:
        """The group of every number."""
        return self._groups[: self.count]

    @property
    def known(self) -> Flags:
        """Which numbers stand for a value that is not missing."""
        return np.asarray(self._words[: self.count] != GAP)

    def of(self, groups: Integers, words: Integers) -> Integers:
        """The number of the pair in every row."""
        found, row = np.empty(len(words), np.int64), 0
        while True:
            row, self.count = number(
                self._slots, self._groups, self._words, self.count, groups, words, row, found
            )
            if row == len(words):
                return found
            self._grow()

    def _grow(self) -> None:
        room = 2 * len(self._groups)
        self._groups, self._words = grown(self._groups, room), grown(self._words, room)
        self._slots = np.full(2 * room, EMPTY, np.int32)
        place(self._slots, self._groups, self._words, self.count)


# In tables of up to this many records, numbers are counted one by one.
COUNTED_ROWS = 1 << 17


class GroupCounts:
    """What a promise by group says of one column, counted batch by batch; `rows` is how many the table has."""

    def __init__(self, attribute: Attribute, promise: Promise, rows: int) -> None:
        self.promise = promise
        self._gaps = PairedCounts()
        self._values = _counted_values(attribute, promise, rows)

    def add(
        self, groups: Integers, before: Array, after: Array, groups_after: Integers | None = None
    ) -> None:
        """Count a batch; the values after may belong to groups of their own."""
        own = groups if groups_after is None else groups_after
        self._gaps.add(groups[missing_values(before)], own[missing_values(after)])
        if self._values:
            self._values.add(groups, words_of(before), words_of(after), own)

    def fault(self, groups: Groups) -> str | None:
        """What is wrong, as a phrase without the column's name."""
        promise = self.promise
        exempt = groups.lone if promise.lone_moves else np.zeros(groups.count, bool)
        gaps = _wrong_counts(promise.missing, *self._gaps.of(groups.count), promise.blanks) & ~exempt
        values = self._values.wrong(exempt) if self._values else gaps
        if values is not None and not (gaps | values).any():
            return None
        number = "one or more" if values is None else f"{np.count_nonzero(gaps | values):,}"
        where = "" if promise.within == "table" else f" (in {number} of {groups.count:,} segments)"
        return f"has other counts of its values than the original{where}"


class PairedCounts:
    """How often every number from 0 on occurs before and after."""

    def __init__(self) -> None:
        self._counts = [np.zeros(0, np.int64), np.zeros(0, np.int64)]

    def add(self, before: Integers, after: Integers) -> None:
        """Count the numbers of a batch."""
        for side, numbers in enumerate((before, after)):
            if len(numbers):
                found = np.bincount(numbers, minlength=len(self._counts[side]))
                self._counts[side] = found + grown(self._counts[side], len(found))

    def of(self, count: int) -> tuple[Integers, Integers]:
        """Both counts of the first `count` numbers, which must be all."""
        return grown(self._counts[0], count), grown(self._counts[1], count)


class EachValue:
    """How often every group has every value: as many entries as there are different values in groups."""

    def __init__(self, promise: Promise) -> None:
        self._promise = promise
        self._pairs, self._counts = Numbering(), PairedCounts()

    def add(
        self, groups: Integers, before: Integers, after: Integers, groups_after: Integers | None = None
    ) -> None:
        """Count the words of a batch."""
        found = sides(groups, before, after, groups_after)
        self._counts.add(*(self._pairs.of(own, words) for own, words in found))

    def wrong(self, exempt: Flags) -> Flags:
        """Groups in which a value is counted in a number that is not allowed."""
        counts = self._counts.of(self._pairs.count)
        wrong = _wrong_counts(self._promise.values, *counts, self._promise.blanks) & self._pairs.known
        found = np.zeros(len(exempt), bool)
        found[self._pairs.groups[wrong]] = True
        return found & ~exempt


def _counted_values(attribute: Attribute, promise: Promise, rows: int) -> CountedValues | None:
    """How the values of a column are counted, if they are."""
    if promise.values not in ("dealt", "held"):
        return None
    if attribute.kind == "categorical" or rows <= COUNTED_ROWS:
        return EachValue(promise)
    if promise.values == "held":
        return Marks(rows)
    return Differences() if promise.blanks else Sums()


def _wrong_counts(word: str, had: Integers, has: Integers, blanks: bool) -> Flags:
    if word == "dealt":
        return np.asarray(has > had if blanks else has != had)
    if word in ("held", "drawn"):
        return np.asarray((has > 0) & (had == 0))
    return np.zeros(len(had), bool)


# Products of the sizes of trees up to here are numbers without overflow.
_LARGEST = 2**62


class CountedSegments:
    """Numbers for combinations of leaves of all trees, in the order in which they are met; without trees, one."""

    def __init__(self, sizes: Sequence[int]) -> None:
        self.sizes = sizes
        self._numberings: list[Numbering] = []
        self.count = 0

    def of(self, leaves: Sequence[Codes], rows: int) -> Integers:
        """The number of every record's combination; `leaves` are places among the nodes of each tree."""
        ids, words, size, level = np.zeros(rows, np.int64), np.zeros(rows, np.int64), 1, 0
        if not self.sizes:
            self.count = max(self.count, min(rows, 1))
            return ids
        for leaf, nodes in zip(leaves, self.sizes, strict=True):
            if size * nodes > _LARGEST:
                ids, words, size, level = (
                    self._numbered(level, ids, words),
                    np.zeros_like(words),
                    1,
                    level + 1,
                )
            words = words * nodes + leaf
            size *= nodes
        ids = self._numbered(level, ids, words)
        self.count = self._numberings[-1].count
        return ids

    def _numbered(self, level: int, ids: Integers, words: Integers) -> Integers:
        if level == len(self._numberings):
            self._numberings.append(Numbering())
        return self._numberings[level].of(ids, words)


class Groups:
    """The groups of one kind, and those in which a number has no partner to change places with.

    `sizes` are the numbers of nodes of the trees that part the records, `movers` the columns whose numbers change
    places.
    """

    def __init__(self, sizes: Sequence[int], movers: Sequence[str]) -> None:
        self.segments = CountedSegments(sizes)
        self._present = {name: np.zeros(0, np.int64) for name in movers}

    @property
    def count(self) -> int:
        """How many groups there are so far."""
        return self.segments.count

    @property
    def lone(self) -> Flags:
        """Which groups have a column in which a single record has a number."""
        found = np.zeros(self.count, bool)
        for present in self._present.values():
            found |= grown(present, self.count) == 1
        return found

    def of(self, leaves: Sequence[Codes], columns: Mapping[str, Array], rows: int) -> Integers:
        """The group of every record of a batch, given its leaves and columns before."""
        ids = self.segments.of(leaves, rows)
        for name, present in self._present.items():
            there = np.bincount(ids[~missing_values(columns[name])], minlength=self.count)
            self._present[name] = there + grown(present, self.count)
        return ids

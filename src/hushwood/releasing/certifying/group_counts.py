"""Whether every group has as many of each value, and of missing values, as a promise allows."""

from __future__ import annotations

import numpy as np

from hushwood.arrays import Array, Flags, Integers
from hushwood.releasing.certifying.groups import Groups
from hushwood.releasing.certifying.hashed_numbers import CountedValues, Differences, Marks, Sums, sides
from hushwood.releasing.certifying.numbering import Numbering, grown, words_of
from hushwood.tables.schema import Attribute
from hushwood.tables.table import missing_values
from hushwood.techniques.laws.promises import Promise

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

"""Whether every group has as many of each value, and of missing values, as a promise allows."""

from __future__ import annotations

import numpy as np

from hushwood.arrays import Array, Flags, Integers
from hushwood.releasing.certifying.groups import Groups
from hushwood.releasing.certifying.hashed_numbers import Differences, HashedNumbers, Marks, Sums
from hushwood.releasing.certifying.numbering import Tally, gaps_of, words_of
from hushwood.tables.schema import Attribute
from hushwood.techniques.laws.promises import Promise

# Numbers of tables with so many records at most are counted one by one; there are no more than so many of them.
COUNTED_ROWS = 1 << 20


class GroupCounts:
    """What a promise by group says of one column, counted batch by batch for a table of so many rows."""

    def __init__(self, attribute: Attribute, promise: Promise, rows: int) -> None:
        self.promise = promise
        self.tally = Tally()
        counted = promise.values in ("dealt", "held")
        many = counted and attribute.kind == "numeric" and rows > COUNTED_ROWS
        self._hashed: HashedNumbers | None = _hashed(promise) if many else None
        # Where values are not counted one by one, only gaps are.
        self._words = words_of if counted and not many else gaps_of

    def add(self, groups: Integers, before: Array, after: Array) -> None:
        """Count a batch."""
        self.tally.add(groups, self._words(before), self._words(after))
        if self._hashed:
            self._hashed.add(groups, words_of(before), words_of(after))

    def fault(self, groups: Groups) -> str | None:
        """What is wrong, as a phrase without the column's name."""
        exempt = groups.lone if self.promise.lone_moves else np.zeros(groups.count, bool)
        wrong = self._miscounted(exempt)
        hashed = self._hashed.wrong(exempt) if self._hashed else wrong
        if hashed is not None and not (wrong | hashed).any():
            return None
        number = "one or more" if hashed is None else f"{np.count_nonzero(wrong | hashed):,}"
        where = f" (in {number} of {groups.count:,} segments)"
        return f"has other counts of its values than the original{'' if self.promise.within == 'table' else where}"

    def _miscounted(self, exempt: Flags) -> Flags:
        """Groups in which a value or a gap is counted in a number that is not allowed."""
        promise, tally = self.promise, self.tally
        had, has, gap = tally.had, tally.has, tally.gap
        wrong = _wrong_counts(promise.missing, had, has, promise.blanks) & gap
        if not self._hashed:
            wrong |= _wrong_counts(promise.values, had, has, promise.blanks) & ~gap
        found = np.zeros(len(exempt), bool)
        found[tally.pairs.groups[wrong]] = True
        return found & ~exempt


def _hashed(promise: Promise) -> HashedNumbers:
    if promise.values == "held":
        return Marks()
    return Differences() if promise.blanks else Sums()


def _wrong_counts(word: str, had: Integers, has: Integers, blanks: bool) -> Flags:
    if word == "dealt":
        return np.asarray(has > had if blanks else has != had)
    if word in ("held", "drawn"):
        return np.asarray((has > 0) & (had == 0))
    return np.zeros(len(had), bool)

"""Whether rows that belong together stay together: fresh numbers say which, and each keeps to one segment and value.

Works batch by batch and remembers one entry for every person or household.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from hushwood.arrays import Array, Codes, Flags, Integers
from hushwood.releasing.certifying.groups import Segments
from hushwood.releasing.certifying.numbering import words_of
from hushwood.techniques.laws.promises import Promise

if TYPE_CHECKING:
    import polars as pl


class Firsts(NamedTuple):
    """Which rows of a batch are the first of their unit, before and after."""

    before: Flags
    after: Flags


class Together:
    """The rows of one numbered column: of persons, or of households."""

    def __init__(self, column: str, promises: Mapping[str, Promise], sizes: Sequence[int]) -> None:
        self.column = column
        self._segments = Segments(sizes)
        self._seen: dict[Any, None] = {}
        self._alone = 0
        self._found = np.zeros(0, bool)
        self._strange = 0
        self._words = {name: np.zeros(0, np.int64) for name, p in promises.items() if p.per == column}
        self._segment = np.zeros(0, np.int64)
        self._split: Flags = np.zeros(0, bool)
        self._differs: dict[str, Flags] = {name: np.zeros(0, bool) for name in self._words}

    @property
    def units(self) -> int:
        """How many different units the original has; a row without a name is one of its own."""
        return len(self._seen) + self._alone

    @property
    def whole(self) -> int:
        """How many numbers have all their rows in one segment."""
        return int(self._found.sum()) - int(self._split.sum())

    def add(
        self, before: pl.Series, after: pl.Series, values: Mapping[str, Array], reached: Sequence[Codes]
    ) -> Firsts:
        """Look at a batch: the names before, the numbers after, the columns after and the leaves they lead to."""
        numbers = _whole_numbers(after)
        sound = (numbers > 0) & (numbers <= np.iinfo(np.int32).max)
        self._strange += int(np.count_nonzero(~sound))
        numbers = np.where(sound, numbers, 0)
        first = self._first_after(numbers)
        self._check("", words=self._segments.of(reached, len(numbers)), numbers=numbers, first=first)
        for name in self._words:
            self._check(name, words=words_of(np.asarray(values[name])), numbers=numbers, first=first)
        return Firsts(self._first_before(before), first & sound)

    def _first_before(self, before: pl.Series) -> Flags:
        gone = before.is_null().to_numpy()
        self._alone += int(gone.sum())
        first = np.asarray(before.is_first_distinct().to_numpy()) & ~gone
        rows = np.flatnonzero(first)
        old = [value in self._seen for value in before.gather(rows).to_list()]
        self._seen.update(dict.fromkeys(before.gather(rows).to_list()))
        first[rows[np.array(old, bool)]] = False
        return np.asarray(first | gone)

    def _first_after(self, numbers: Integers) -> Flags:
        size = int(numbers.max(initial=0)) + 1
        grown = max(0, size - len(self._found))
        self._found = np.append(self._found, np.zeros(grown, bool))
        self._segment = np.append(self._segment, np.zeros(grown, np.int64))
        self._split = np.append(self._split, np.zeros(grown, bool))
        for name in self._words:
            self._words[name] = np.append(self._words[name], np.zeros(grown, np.int64))
            self._differs[name] = np.append(self._differs[name], np.zeros(grown, bool))
        first = np.zeros(len(numbers), bool)
        first[np.unique(numbers, return_index=True)[1]] = True
        first &= ~self._found[numbers]
        self._found[numbers] = True
        return first

    def _check(self, name: str, words: Integers, numbers: Integers, first: Flags) -> None:
        """Note what the first row of every number has, and the numbers whose other rows have something else."""
        held = self._words[name] if name else self._segment
        held[numbers[first]] = words[first]
        differs = self._differs[name] if name else self._split
        differs[numbers[words != held[numbers]]] = True

    def said(self) -> dict[str, int]:
        """What the certificate says."""
        return {"units": self.units, "whole": self.whole}

    def fault(self) -> str | None:
        """What is wrong, as a phrase."""
        if self._strange or int(self._found.sum()) != self.units or len(self._found) - 1 != self.units:
            return f"column {self.column!r} does not number its {self.units:,} units from 1 on"
        for name, differs in self._differs.items():
            if differs.any():
                count = int(np.count_nonzero(differs))
                return (
                    f"column {name!r} has several values in one {self.column!r} ({count:,} of {self.units:,})"
                )
        return None


def _whole_numbers(column: pl.Series) -> Integers:
    """The numbers of a column of texts or numbers; 0 for whatever is not a number."""
    import polars as pl

    return np.asarray(column.cast(pl.String).cast(pl.Int64, strict=False).fill_null(0).to_numpy(), np.int64)

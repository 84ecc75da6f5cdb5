"""Numbers for pairs of a group and a value, in the order in which they are met; values are words of 64 bits."""

from __future__ import annotations

import numpy as np

from hushwood.arrays import Array, Codes, Flags, Integers
from hushwood.releasing.kernels.counting import EMPTY, number, place

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

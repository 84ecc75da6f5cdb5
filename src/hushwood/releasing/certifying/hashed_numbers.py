"""Numbers counted by group when there are too many to keep them: by hashes, in a fixed amount of memory.

A kept promise never looks broken. A broken one can look kept by chance; each class says how rarely. The hashes are no
secret: they find the faults of programs, not numbers that someone chose in order to deceive them.
"""

from __future__ import annotations

from typing import Protocol

import numpy as np

from hushwood.arrays import Bytes, Codes, Flags, Integers, Words
from hushwood.releasing.certifying.numbering import grown
from hushwood.releasing.kernels.counting import add_hashes, mark, shift

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

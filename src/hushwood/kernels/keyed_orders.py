"""Rows sorted by group and, inside a group, by their random words: the loop behind every keyed permutation.

Words are uniform, so a word says about where its row belongs in its group. Rows are put there first and then moved by
the few places that are missing, which takes a tenth of the time of a sort that knows nothing about the words.
"""

from __future__ import annotations

import numpy as np

from hushwood.kernels.compiling import compiled

_FEW = 24  # rows of a group that are sorted without being put in place first


@compiled
def keyed_orders(words, groups, start, by_group, by_word):
    """Fill `by_group` with the rows sorted by group, and `by_word` with the same sorted inside groups; ties by row.

    Group g takes the places from start[g] to start[g + 1].
    """
    cursor = start.copy()
    for row in range(len(groups)):
        group = groups[row]
        by_group[cursor[group]] = row
        cursor[group] += 1
    place = np.zeros(1, np.int64)
    for group in range(len(start) - 1):
        first, last = start[group], start[group + 1]
        size = last - first
        if size > _FEW:
            if size + 1 > len(place):
                place = np.zeros(2 * size + 1, np.int64)
            place[: size + 1] = 0
            for at in range(first, last):
                place[_expected(words[by_group[at]], size) + 1] += 1
            for bucket in range(size):
                place[bucket + 1] += place[bucket]
            for at in range(first, last):
                row = by_group[at]
                bucket = _expected(words[row], size)
                by_word[first + place[bucket]] = row
                place[bucket] += 1
        else:
            by_word[first:last] = by_group[first:last]
        for at in range(first + 1, last):
            row = by_word[at]
            word = words[row]
            back = at
            while back > first and words[by_word[back - 1]] > word:
                by_word[back] = by_word[back - 1]
                back -= 1
            by_word[back] = row


@compiled
def _expected(word, size):
    """About where a word lies among that many: its first half, times their number."""
    return np.int64(((word >> np.uint64(32)) * np.uint64(size)) >> np.uint64(32))

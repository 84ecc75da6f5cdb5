"""The loops of the certificate, compiled by numba: values counted by group, and records sent through a tree.

`certifying` wraps them. A value is a word of 64 bits; -1 is a missing one. Records are followed apart from the trees'
own router, which this checks. Indices are unsigned, because numba looks for negative ones otherwise, which takes a
third of the time.
"""

from __future__ import annotations

import numpy as np

from hushwood.kernels.compiling import compiled, copied

EMPTY = -1
_GROUP = np.uint64(0x9E3779B97F4A7C15)
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_HALF = np.uint64(32)


@copied
def _mixed(word):
    """The finish of SplitMix64: every bit of a word changes about half of the bits of the result."""
    z = np.uint64(word) + _GROUP
    z = (z ^ (z >> np.uint64(30))) * _FIRST
    z = (z ^ (z >> np.uint64(27))) * _SECOND
    return z ^ (z >> np.uint64(31))


@copied
def _pair_mixed(group, word):
    return _mixed(_mixed(word) ^ (np.uint64(group) * _GROUP))


@compiled
def number(slots, groups, words, known, given_groups, given_words, begin, out):
    """The numbers of pairs of a group and a word, from row `begin` on; new pairs are entered as they are met.

    `slots` are a table of numbers that are found by hashes, `groups` and `words` the pairs in the order of their
    numbers, of which there are `known`. Ends before a row for which there is no room; gives that row, and how many
    pairs there are.
    """
    mask = np.uint64(len(slots) - 1)
    for row in range(begin, len(out)):
        group, word = given_groups[row], given_words[row]
        slot = _pair_mixed(group, word) & mask
        found = slots[slot]
        while found != EMPTY and (groups[found] != group or words[found] != word):
            slot = (slot + np.uint64(1)) & mask
            found = slots[slot]
        if found == EMPTY:
            if known == len(groups):
                return row, known
            found = known
            slots[slot], groups[known], words[known] = known, group, word
            known += 1
        out[row] = found
    return len(out), known


@compiled
def place(slots, groups, words, known):
    """Enter pairs that have numbers already into an empty table."""
    mask = np.uint64(len(slots) - 1)
    for entry in range(known):
        slot = _pair_mixed(groups[entry], words[entry]) & mask
        while slots[slot] != EMPTY:
            slot = (slot + np.uint64(1)) & mask
        slots[slot] = entry


@compiled
def add_hashes(groups, words, sums):
    """Add the hash of every value that is there to the sum of its group."""
    for row in range(len(words)):
        if words[row] != -1:
            sums[groups[row]] += _mixed(words[row])


@compiled
def mark(groups, words, bits):
    """Set the two bits of every value that is there in its group; as many bits as a power of two."""
    mask = np.uint64(len(bits) * 8 - 1)
    for row in range(len(words)):
        if words[row] != -1:
            found = _pair_mixed(groups[row], words[row])
            for place_of in (found & mask, (found >> _HALF) & mask):
                bits[place_of >> np.uint64(3)] |= np.uint8(1) << np.uint8(place_of & np.uint64(7))


@compiled
def shift(groups, words, step, cells):
    """Add `step` to the cell of every value that is there in its group; as many cells as a power of two."""
    mask = np.uint64(len(cells) - 1)
    for row in range(len(words)):
        if words[row] != -1:
            cells[_pair_mixed(groups[row], words[row]) & mask] += step


LEAF = np.uint32(2**32 - 1)  # in place of the number of a column


@copied
def _child(node, value, numeric, threshold, start, children):
    """Where a value leads: the places are at most, above, missing; or missing, every known text, any other text."""
    if numeric[node]:
        step = np.uint64(value > threshold[node]) + np.uint64(2) * np.uint64(value != value)
    else:
        step = np.uint64(np.int64(value))
    return children[start[node] + step]


@compiled
def _leaf(node, values, row, column_of, numeric, threshold, start, children):
    """The leaf that a record reaches from a node."""
    while column_of[node] != LEAF:
        node = _child(node, values[column_of[node], row], numeric, threshold, start, children)
    return node


@compiled
def follow(before, after, column_of, numeric, threshold, start, children, left, reached):
    """The leaves of all records, before into `left` and after into `reached`.

    Both go down together as long as they go the same way: the processor guesses the second turn right.
    """
    for row in range(np.uint64(len(left))):
        node = other = np.uint32(0)
        while node == other and column_of[node] != LEAF:
            value, new = before[column_of[node], row], after[column_of[node], row]
            other = _child(node, new, numeric, threshold, start, children)
            node = _child(node, value, numeric, threshold, start, children)
        if node != other:
            node = _leaf(node, before, row, column_of, numeric, threshold, start, children)
            other = _leaf(other, after, row, column_of, numeric, threshold, start, children)
        left[row], reached[row] = node, other

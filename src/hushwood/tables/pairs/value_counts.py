"""How often the values of one table, and pairs of values in two columns, occur in another."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations

import numpy as np

from hushwood.arrays import Array, Integers
from hushwood.random_streams import Streams

# Sorting is cheaper than a counting table that is more than this many times as long as the columns.
_SPARSEST = 8


def value_codes(columns: Sequence[Array]) -> list[Integers]:
    """The same attribute of several tables in whole numbers, equal for equal values; a missing value is a value."""
    values = np.concatenate(columns)
    if values.dtype.kind == "f":
        codes = np.unique(values, return_inverse=True, equal_nan=True)[1]
    else:
        codes = values.astype(np.int64) + 1
    return np.split(codes.astype(np.int64), np.cumsum([len(column) for column in columns])[:-1])


def pair_codes(first: Sequence[Integers], second: Sequence[Integers]) -> list[Integers]:
    """The values of two attributes of several tables taken together, as one whole number."""
    width = 1 + max((int(codes.max(initial=-1)) for codes in second), default=0)
    return [one * width + other for one, other in zip(first, second, strict=True)]


def record_codes(tables: Sequence[Mapping[str, Array]]) -> list[Integers]:
    """Whole numbers that equal records of several tables share, compared in all columns of the first."""
    found = [np.zeros(_rows(columns), np.int64) for columns in tables]
    ends = np.cumsum([len(codes) for codes in found])[:-1]
    for name in tables[0]:
        both = pair_codes(found, value_codes([columns[name] for columns in tables]))
        # Numbered again, so that many columns do not need large numbers.
        found = np.split(np.unique(np.concatenate(both), return_inverse=True)[1], ends)
    return found


def _rows(columns: Mapping[str, Array]) -> int:
    return len(next(iter(columns.values()))) if columns else 0


def occurrences(codes: Integers, among: Integers) -> Integers:
    """How often each code occurs among others; all codes are 0 or more."""
    largest = max(int(codes.max(initial=0)), int(among.max(initial=0)))
    if largest <= _SPARSEST * (len(codes) + len(among)):
        return np.bincount(among, minlength=largest + 1)[codes]
    ordered = np.sort(among)
    return np.searchsorted(ordered, codes, "right") - np.searchsorted(ordered, codes, "left")


def column_pairs(columns: int, most: int, streams: Streams, purpose: str) -> list[tuple[int, int]]:
    """Pairs of columns by their places: all, or a keyed choice of `most`.

    >>> column_pairs(3, 60, Streams(bytes(32)), "example")
    [(0, 1), (0, 2), (1, 2)]
    """
    pairs = list(combinations(range(columns), 2))
    return [pairs[place] for place in streams.sample(purpose, "column pairs", len(pairs), most)]

"""What of a table stands exactly in another, by looking every value up; None is a missing value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations

Cell = float | str | None
Row = Mapping[str, Cell]


def unique_numbers(rows: Sequence[Row], released: Sequence[Row], few: int) -> tuple[int, int]:
    """Numbers that fewer than `few` rows share in their column, and how many of them the release has there."""
    found = copied = 0
    for name in rows[0]:
        for value, count in Counter(row[name] for row in rows).items():
            if isinstance(value, float) and count < few:
                found += 1
                copied += any(row[name] == value for row in released)
    return found, copied


def unique_pairs(rows: Sequence[Row], released: Sequence[Row]) -> tuple[int, int]:
    """Pairs of values that one row alone has in two columns, and how many of them the release has there."""
    found = copied = 0
    for one, other in combinations(rows[0], 2):
        there = {(row[one], row[other]) for row in released}
        for pair, count in Counter((row[one], row[other]) for row in rows).items():
            found += count == 1
            copied += count == 1 and pair in there
    return found, copied


def equal_rows(rows: Sequence[Row], released: Sequence[Row]) -> int:
    """Released rows that equal a row of the original in every column."""
    return sum(any(dict(row) == dict(other) for other in rows) for row in released)

"""Slow, obvious approximate data swap (Reiss 1984): plain dictionaries of what remains, one value after another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from math import comb

Record = tuple[int, ...]
USED_UP = 1e-6


class Remaining:
    """What remains of all tables of one column: of its values alone, and by every choice of columns before it."""

    def __init__(self, records: Sequence[Record], column: int, order: int) -> None:
        self.column, size = column, min(order - 1, column)
        self.choices = list(combinations(range(column), size)) if size else []
        self.values = Counter(record[column] for record in records)
        self.tables = {
            chosen: Counter((tuple(r[i] for i in chosen), r[column]) for r in records)
            for chosen in self.choices
        }
        self.power = 1 / comb(column - 1, size - 1) if size else 1.0

    def chances(self, before: Record) -> dict[int, float]:
        """The probability of every value that is left, given the values of the columns before."""
        weights = {}
        for value, left in sorted(self.values.items()):
            if left <= 0:
                continue
            weight = float(left)
            for chosen in self.choices:
                remains = self.tables[chosen][tuple(before[i] for i in chosen), value]
                weight *= (remains / left) ** self.power if remains > 0 else USED_UP
            weights[value] = weight
        total = sum(weights.values())
        return {value: weight / total for value, weight in weights.items()}

    def take(self, before: Record, value: int) -> None:
        self.values[value] -= 1
        for chosen in self.choices:
            self.tables[chosen][tuple(before[i] for i in chosen), value] -= 1


def swapped(
    records: Sequence[Record],
    fixed: int,
    order: int,
    orders: Sequence[Sequence[int]],
    u: Sequence[Sequence[float]],
) -> list[Record]:
    """The new records: column after column, records in the column's order, one number from 0 to 1 for each value."""
    new = [record[:fixed] for record in records]
    for column in range(fixed, len(records[0])):
        remaining = Remaining(records, column, order)
        for row in orders[column - fixed]:
            position, value = u[row][column - fixed], -1
            for value, chance in remaining.chances(new[row]).items():  # noqa: B007 - the last one if none is reached
                position -= chance
                if position < 0:
                    break
            remaining.take(new[row], value)
            new[row] = (*new[row], value)
    return new


def chance_of_first(records: Sequence[Record], fixed: int, order: int, asked: Record) -> float:
    """The probability that the record drawn first has these values, given those of the fixed columns."""
    chance = 1.0
    for column in range(fixed, len(asked)):
        chance *= Remaining(records, column, order).chances(asked).get(asked[column], 0.0)
    return chance

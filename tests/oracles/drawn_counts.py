"""Drawing twice by the definition: one random number a person, and a walk along the weights of one segment."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction


def drawn_rows(u: Sequence[float], units: Sequence[int], copies: int) -> list[tuple[int, int]]:
    """Rows that are drawn, and the numbers of their copies; every unit has a random number, every row its unit."""
    people = [int(one * len(u)) for one in u]
    return [
        (row, row * copies + copy) for row, unit in enumerate(units) for copy in range(people.count(unit))
    ]


def handed_out(values: Sequence[float], weights: Sequence[float], t: float) -> list[float]:
    """What a segment hands out: the j-th value is where the sorted records' weights pass the (j + t)-th of n steps."""
    by_value = sorted(range(len(values)), key=lambda i: (values[i], i))
    total = sum(map(Fraction, weights))
    out = []
    for j in range(len(values)):
        along = Fraction(0)
        for i in by_value:
            along += Fraction(weights[i]) / total
            if along * len(values) > j + Fraction(t):
                out.append(values[i])
                break
    return out

"""How well scores separate two groups, by comparing everybody with everybody."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction


def area(inside: Sequence[float], others: Sequence[float]) -> float:
    """The share of all pairs in which the one inside scores higher, a tie counting half."""
    wins = sum(
        Fraction(1) if a > b else Fraction(1, 2) if a == b else Fraction(0) for a in inside for b in others
    )
    return float(wins / (len(inside) * len(others)))


def found_at(inside: Sequence[float], others: Sequence[float], mistaken: Fraction) -> float:
    """The largest share of those inside at or above any limit that few enough others reach."""
    best = Fraction(0)
    for limit in {*inside, *others}:
        if Fraction(sum(b >= limit for b in others), len(others)) <= mistaken:
            best = max(best, Fraction(sum(a >= limit for a in inside), len(inside)))
    return float(best)

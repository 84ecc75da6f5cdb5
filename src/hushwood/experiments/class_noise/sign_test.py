"""Whether one of two numbers is the greater one more often than chance alone makes it, over many repeats.

`tree_claims` and `accuracy_findings` ask it where the thesis says that one thing is better or worse than another.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

# A chance below this is told as a difference.
UNLIKELY = 0.05


@dataclass(frozen=True, slots=True)
class Signs:
    """In how many repeats the first number is the greater and the smaller one, and the chance of so many greater."""

    greater: int
    smaller: int
    chance: float

    @property
    def significant(self) -> bool:
        """Whether chance alone seldom does it."""
        return self.chance < UNLIKELY


def sign_test(pairs: Iterable[tuple[float, float]]) -> Signs:
    """One-sided; pairs of equal numbers are left out.

    >>> sign_test([(2, 1)] * 5 + [(1, 1)])
    Signs(greater=5, smaller=0, chance=0.03125)
    """
    from scipy.stats import binomtest

    told = list(pairs)
    greater, smaller = sum(one > other for one, other in told), sum(one < other for one, other in told)
    asked = greater + smaller
    chance = float(binomtest(greater, asked, alternative="greater").pvalue) if asked else 1.0
    return Signs(greater, smaller, chance)

"""How likely an outcome of few runs is: a sign test over repeats, and the chance of given counts among few trees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import fsum

import numpy as np

from hushwood.arrays import Floats

# A chance below this counts as a difference.
UNLIKELY = 0.05


@dataclass(frozen=True, slots=True)
class Signs:
    """In how many repeats the first number is greater and smaller, and the chance of at least as many greater ones."""

    greater: int
    smaller: int
    chance: float

    @property
    def significant(self) -> bool:
        """Whether chance alone is an unlikely explanation."""
        return self.chance < UNLIKELY


def sign_test(pairs: Iterable[tuple[float, float]]) -> Signs:
    """One-sided; pairs of equal numbers are ignored.

    >>> sign_test([(2, 1)] * 5 + [(1, 1)])
    Signs(greater=5, smaller=0, chance=0.03125)
    """
    from scipy.stats import binomtest

    compared = list(pairs)
    greater, smaller = (
        sum(one > other for one, other in compared),
        sum(one < other for one, other in compared),
    )
    total = greater + smaller
    chance = float(binomtest(greater, total, alternative="greater").pvalue) if total else 1.0
    return Signs(greater, smaller, chance)


def chance_of_such(counts: Sequence[int], found: Sequence[Sequence[int]]) -> float:
    """The probability of an outcome at most as likely as these counts; `found` are our trees [table][label].

    >>> chance_of_such([1, 1], [[5, 5]]), round(chance_of_such([2, 0], [[500_000, 500_000]]), 3)
    (1.0, 0.5)
    """
    outcomes = list(outcomes_of(sum(counts), len(counts)))
    probabilities = _predicted(outcomes, found)
    own = probabilities[outcomes.index(tuple(counts))]
    # Equal probabilities may differ in the last digits.
    return min(1.0, fsum(p for p in probabilities.tolist() if p <= own * (1 + 1e-9)))


def outcomes_of(trees: int, labels: int) -> Iterator[tuple[int, ...]]:
    """All ways to label this many trees, as counts."""
    if labels == 1:
        yield (trees,)
        return
    for first in range(trees + 1):
        for others in outcomes_of(trees - first, labels - 1):
            yield (first, *others)


def _predicted(outcomes: Sequence[Sequence[int]], found: Sequence[Sequence[int]]) -> Floats:
    from scipy.stats import dirichlet_multinomial

    trees, labels = sum(outcomes[0]), len(outcomes[0])
    per_table = [
        dirichlet_multinomial.pmf(np.array(outcomes), np.array(own) + 1 / labels, trees) for own in found
    ]
    return np.asarray(np.mean(per_table, axis=0), np.float64)

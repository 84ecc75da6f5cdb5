"""Whether a handful of printed trees is a likely outcome, when many runs on many tables have told how labels come.

The thesis has one table and three noise runs. So an outcome's probability is the mean, over our tables, of what the
runs on each predict: Dirichlet-multinomial, with one tree's weight spread over all labels beforehand, so that a label
which never came is not impossible. The outcome is unlikely if few others are as unlikely as it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import fsum

import numpy as np
from numpy.typing import NDArray


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
    """All ways to give so many trees labels, as counts."""
    if labels == 1:
        yield (trees,)
        return
    for first in range(trees + 1):
        for others in outcomes_of(trees - first, labels - 1):
            yield (first, *others)


def _predicted(outcomes: Sequence[Sequence[int]], found: Sequence[Sequence[int]]) -> NDArray[np.float64]:
    from scipy.stats import dirichlet_multinomial

    trees, labels = sum(outcomes[0]), len(outcomes[0])
    per_table = [
        dirichlet_multinomial.pmf(np.array(outcomes), np.array(own) + 1 / labels, trees) for own in found
    ]
    return np.asarray(np.mean(per_table, axis=0), np.float64)

"""Two groupings of the same records, compared by pairs of records: together in both, in one, in none.

Rand, F and Fowlkes-Mallows are over pairs (errata S5).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from hushwood.arrays import Array


@dataclass(frozen=True, slots=True)
class PairCounts:
    """How many pairs of records are together in both groupings, in only one, and in none.

    Python's whole numbers: there are more pairs than 64 bits hold in a table of six billion records.
    """

    both: int
    only_first: int
    only_second: int
    neither: int

    @property
    def pairs(self) -> int:
        """All pairs."""
        return self.both + self.only_first + self.only_second + self.neither


def pair_counts(first: Array, second: Array) -> PairCounts:
    """Count the pairs from the table of the two groupings; each entry is a record's group, a number from 0 up."""
    width = int(np.max(second, initial=0)) + 1
    cells = np.unique(np.asarray(first, np.int64) * width + second, return_counts=True)[1]
    both, together, also = (
        sum(math.comb(count, 2) for count in counts.tolist())
        for counts in (cells, np.bincount(first), np.bincount(second))
    )
    everything = math.comb(len(first), 2)
    return PairCounts(both, together - both, also - both, everything - together - also + both)


def rand(counts: PairCounts) -> float | None:
    """The share of pairs on which both groupings agree; None without pairs."""
    return (counts.both + counts.neither) / counts.pairs if counts.pairs else None


def adjusted_rand(counts: PairCounts) -> float:
    """Rand's index less what chance gives: 1 for the same grouping, about 0 for unrelated ones (Hubert, Arabie)."""
    a, b, c, d = counts.both, counts.only_first, counts.only_second, counts.neither
    if not b and not c:
        return 1.0
    return 2 * (a * d - b * c) / ((a + b) * (b + d) + (a + c) * (c + d))


def precision_and_recall(counts: PairCounts) -> tuple[float, float]:
    """Of the pairs together in the first grouping, the share together in the second, and the other way round."""
    first, second = counts.both + counts.only_first, counts.both + counts.only_second
    return counts.both / first if first else 0.0, counts.both / second if second else 0.0


def f_measure(counts: PairCounts, weight: float = 1.0) -> float:
    """F_w = (w² + 1)PR / (w²P + R); with a larger w recall counts for more."""
    precision, recall = precision_and_recall(counts)
    below = weight * weight * precision + recall
    return (weight * weight + 1) * precision * recall / below if below else 0.0


def fowlkes_mallows(counts: PairCounts) -> float:
    """√(PR)."""
    precision, recall = precision_and_recall(counts)
    return math.sqrt(precision * recall)

"""How evenly a target resembles the released records: entropy of normalised similarities, and its partner's rank."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from hushwood.arrays import Floats, Integers, check_indices
from hushwood.distances.coding import Coded
from hushwood.distances.kernel_calls import over_targets, packed


@dataclass(frozen=True, slots=True)
class Resemblance:
    """For every target: entropy in bits, and how many released records are more similar than its partner, or equal.

    The partner itself counts as `equal`; without a partner both are 0.
    """

    bits: Floats
    above: Integers
    equal: Integers

    def partner_rank(self) -> Floats:
        """Rank of the partner by similarity, the middle of tied ranks; NaN without a partner."""
        return np.where(self.equal > 0, self.above + (self.equal + 1) / 2, np.nan)


def resemblance(
    targets: Coded, released: Coded, partner: Integers | None = None, *, threads: int = 1
) -> Resemblance:
    """Compare every target with every released record, of which there must be at least one (FF paper, Eq. 6-8).

    With similarities s and their sum S the entropy is log2 S - (1/S)·sum of s·log2 s. It is unchanged by a common
    factor, so s may be the paper's similarity times the number of attributes.
    """
    from hushwood.distances.kernels.similarity import LOG_UNIT, similarity_sums

    total, weighted = np.zeros(targets.rows), np.zeros(targets.rows)
    above, equal = np.zeros(targets.rows, np.int64), np.zeros(targets.rows, np.int64)
    pair, known = packed(targets, released), np.empty(0, np.int64) if partner is None else partner
    check_indices("Partners", known, released.rows, least=-1)

    def work(first: int, last: int) -> None:
        similarity_sums(pair, first, last, known, total, weighted, above, equal)

    over_targets(targets.rows, threads, work)
    most = np.log2(released.rows)
    positive = np.where(total > 0.0, total, 1.0)
    bits = np.where(total > 0.0, np.log2(positive) - weighted / LOG_UNIT / positive, most)
    return Resemblance(np.clip(bits, 0.0, most), above, equal)

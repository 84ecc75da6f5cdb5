"""How evenly a target resembles all released records: entropy of normalised similarities, and the partner's rank."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from hushwood.distances.coding import Coded
from hushwood.distances.packing import packed
from hushwood.distances.tasks import over_targets
from hushwood.kernel_doors import check_indices


@dataclass(frozen=True, slots=True)
class Resemblance:
    """For every target its entropy in bits, and how many released records are more, and as, similar as its partner.

    The partner is one of those `equal` to it; without a partner there are none.
    """

    bits: NDArray[np.float64]
    above: NDArray[np.int64]
    equal: NDArray[np.int64]

    def partner_rank(self) -> NDArray[np.float64]:
        """Rank of the partner by similarity, the middle of those that it shares; NaN without a partner."""
        return np.where(self.equal > 0, self.above + (self.equal + 1) / 2, np.nan)


def resemblance(
    targets: Coded, released: Coded, partner: NDArray[np.int64] | None = None, *, threads: int = 1
) -> Resemblance:
    """Compare every target with every released record (FF paper, Eq. 6-8); there must be one at least.

    With similarities s and their sum S the entropy is log2 S - (1/S)·sum of s·log2 s; it does not change when all s
    are multiplied, so that s may be the number of attributes times the paper's similarity.
    """
    from hushwood.distances.similarity_kernels import LOG_UNIT, similarity_sums

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

"""The best partners of clusters, kept up to date, are those that a new search finds."""

from __future__ import annotations

import numpy as np
import pytest

from hushwood.value_clusters.kernels.rock import (
    all_partners,
    best_first,
    clearly_above,
    final_clusters,
    renew_partners,
)


@pytest.mark.parametrize("seed", range(20))
def test_partners_are_renewed(seed: int) -> None:
    """Scores with many ties, and a merged cluster may be nearer to others than both of its parts were."""
    chance = np.random.default_rng(seed)
    count = int(chance.integers(2, 15))
    scores, alive = chance.integers(0, 6, (count, count)).astype(float), np.ones(count, bool)
    partner = all_partners(scores, alive)
    while alive.sum() > 1:
        i = best_first(scores, alive, partner)
        j = int(partner[i])
        pairs = [
            (scores[a, b], -a, -b) for a in range(count) for b in range(a + 1, count) if alive[a] and alive[b]
        ]
        assert (scores[i, j], -i, -j) == max(pairs)
        alive[j] = False
        for x in np.flatnonzero(alive).tolist():
            scores[min(i, x), max(i, x)] = chance.integers(0, 7)
        renew_partners(scores, alive, partner, i, j)
        assert partner[alive].tolist() == all_partners(scores, alive)[alive].tolist()
    assert best_first(scores, alive, partner) == -1


def test_rounding_does_not_decide() -> None:
    assert not clearly_above(0.1 + 0.2, 0.3)
    assert clearly_above(0.3 + 1e-9, 0.3)
    assert clearly_above(1e-30, 0.0)


def test_clusters_are_numbered_by_their_first_records() -> None:
    """1 and 3 went into 0, 4 into 2, 5 into 4; the cluster of 6 was taken out."""
    into, alive = np.array([0, 0, 2, 1, 2, 4, 6]), np.array([1, 0, 1, 0, 0, 0, 0], bool)
    assert final_clusters(into, alive).tolist() == [0, 0, 1, 0, 1, 1, -1]

"""The likeliest released records of a target: one, several, and all where every one is impossible."""

from __future__ import annotations

import numpy as np
import pytest

from hushwood.measures.posterior.likeliest import likeliest_links
from hushwood.measures.posterior.likelihoods import Evidence, same

RELEASED = np.array([5.0, 1.0, 1.0, 2.0, 1.0])
WANTED = np.array([5.0, 1.0, 9.0])


@pytest.mark.parametrize("threads", [1, 2])
def test_links_by_hand(threads: int) -> None:
    evidence = Evidence(
        "fitted", {"x": same(RELEASED, WANTED)}, np.arange(3), np.array([0, 0, 1, 1, 1], np.int32), 2
    )
    partner, labels, wanted = np.array([0, 4, 3]), np.array([0, 0, 1, 1, 1]), np.array([0, 1, 1])
    found = likeliest_links(evidence, partner, labels, wanted, threads)
    # 5 is there once, 1 three times, and 9 not at all: then all five are equally likely.
    assert found.ties.tolist() == [1, 3, 5]
    assert found.belief.tolist() == pytest.approx([1, 1 / 3, 1 / 5])
    assert found.own.tolist() == pytest.approx([1, 1 / 3, 1 / 5])
    assert found.same_label.tolist() == pytest.approx([1, 2 / 3, 3 / 5])

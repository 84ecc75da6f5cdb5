from __future__ import annotations

import numpy as np
import pytest

from hushwood.attacks.assignment_linkage import AssignmentLinkage
from hushwood.attacks.linkage import Linkage
from hushwood.random_streams import Streams
from oracles.linkage import distance, joint_ranges
from support.attack_tables import noisier, people, weak
from support.intruders import knowing
from support.linkage_records import plain_records

STREAMS = Streams(bytes(range(32)))
NAMES = ("age", "height", "balance", "city", "job")


def test_the_total_distance_is_that_of_the_dense_problem() -> None:
    from scipy.optimize import linear_sum_assignment

    pair = weak(1, 120)
    knowledge = knowing(pair.original.take(np.arange(40)), NAMES)
    targets = plain_records(pair.original.take(np.arange(40)), NAMES)
    records = plain_records(pair.released, NAMES)
    ranges = joint_ranges(targets, records)
    cost = np.array([[distance(t, r, ranges) for r in records] for t in targets])
    rows = AssignmentLinkage().guess(knowledge, pair.released, STREAMS).rows
    assert len(set(rows.tolist())) == 40
    assert cost[np.arange(40), rows].sum() == pytest.approx(cost[linear_sum_assignment(cost)].sum(), abs=1e-4)


def test_it_finds_more_than_linkage_where_targets_crowd() -> None:
    """Rows that are near to several targets are given away once only."""
    pair = noisier(weak(2, 300), 5, 0.15)
    knowledge = knowing(pair.original, ("age", "height", "balance"))
    found = [
        (attack.guess(knowledge, pair.released, STREAMS).rows == pair.partner).mean()
        for attack in (Linkage(), AssignmentLinkage(candidates=300))
    ]
    assert found[1] > found[0] + 0.05


def test_more_targets_than_rows_all_get_a_guess() -> None:
    knowledge = knowing(people(1, 30), NAMES)
    rows = AssignmentLinkage().guess(knowledge, people(2, 4), STREAMS).rows
    assert set(rows.tolist()) == {0, 1, 2, 3}


def test_it_is_tried_with_both_scalings() -> None:
    assert [variant.scaling for variant in AssignmentLinkage().variants()] == ["range", "rank"]

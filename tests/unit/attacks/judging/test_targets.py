from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hushwood.attacks.attribute_inference import AttributeInference
from hushwood.attacks.judging.targets import Trial, draw_rows, known_rows, known_targets
from hushwood.attacks.linkability import Linkability
from hushwood.attacks.membership import Membership
from hushwood.attacks.protocol import Attack, Scenario
from hushwood.random_streams import Streams
from support.attack_tables import people

STREAMS = Streams(bytes(range(32)))
TABLE, OTHERS = people(1, 300), people(2, 100)
KNOWS = Scenario("x", "X.", ("age", "city"), other=("height",), wants="rich")


def trial_of(attack: Attack, scenario: Scenario = KNOWS, **more: Any) -> Trial:
    return Trial(attack, scenario, TABLE, TABLE, streams=STREAMS, **{"partner": None, **more})


def test_rows_are_drawn_once_each_in_an_order_of_the_key() -> None:
    rows = np.arange(300)
    drawn = draw_rows(rows, 100, STREAMS)
    assert len(set(drawn.tolist())) == 100
    assert not np.array_equal(drawn, np.sort(drawn))
    assert np.array_equal(drawn, draw_rows(rows, 200, STREAMS)[:100])
    assert not np.array_equal(drawn, draw_rows(rows, 100, Streams(bytes(32))))
    assert sorted(draw_rows(rows, 1000, STREAMS).tolist()) == rows.tolist()


def test_who_is_drawn_does_not_depend_on_who_else_could_be() -> None:
    all_rows = draw_rows(np.arange(300), 300, STREAMS)
    some = draw_rows(np.arange(0, 300, 2), 150, STREAMS)
    assert np.array_equal(some, all_rows[all_rows % 2 == 0])


def test_knowledge_holds_the_known_attributes_of_the_targets_only() -> None:
    rows = draw_rows(np.arange(300), 50, STREAMS)
    known = known_rows(trial_of(AttributeInference()), TABLE, rows, np.arange(300) + 1000)
    knowledge, truth = known.knowledge, known.truth
    assert set(knowledge.columns) == {"age", "city"}
    assert (knowledge.count, knowledge.wants, dict(knowledge.other)) == (50, "rich", {})
    assert np.array_equal(knowledge.columns["age"], TABLE.columns["age"][rows])
    assert np.array_equal(truth.target_rows, rows)
    assert truth.partner_rows is not None
    assert np.array_equal(truth.partner_rows, rows + 1000)
    with pytest.raises(ValueError, match="read-only"):
        knowledge.columns["age"][0] = 1


def test_second_parts_are_the_same_people_in_another_order() -> None:
    rows = draw_rows(np.arange(300), 50, STREAMS)
    known = known_rows(trial_of(Linkability()), TABLE, rows, None)
    order = known.truth.second_order
    assert order is not None
    assert np.array_equal(known.knowledge.other["height"][order], TABLE.columns["height"][rows])
    assert (order == np.arange(50)).mean() < 0.2


def test_members_and_others_are_mixed_half_and_half() -> None:
    scenario = Scenario("x", "X.", ("age", "height"))
    partner = np.where(np.arange(300) < 100, -1, np.arange(300))
    known = known_targets(trial_of(Membership(), scenario, partner=partner, holdout=OTHERS, targets=90))
    members, rows = known.truth.members, known.truth.target_rows
    assert members is not None
    assert (known.knowledge.count, int(members.sum())) == (90, 45)
    assert rows[members].min() >= 100
    assert (rows[~members] == -1).all()
    heights = known.knowledge.columns["height"]
    assert np.array_equal(heights[members], TABLE.columns["height"][rows[members]])
    assert set(heights[~members]) <= set(OTHERS.columns["height"])
    assert 0.2 < members[:45].mean() < 0.8


@pytest.mark.parametrize(
    ("share", "targets", "members", "others"),
    [(0.5, 2000, 50, 50), (0.8, 2000, 200, 50), (0.8, 10, 8, 2), (0.1, 2000, 5, 50), (0.9, 5, 4, 1)],
)
def test_members_have_the_share_asked_for(share: float, targets: int, members: int, others: int) -> None:
    """Half of the 100 people of the hold-out can be targets, and all 300 of the table."""
    scenario = Scenario("x", "X.", ("age",))
    known = known_targets(trial_of(Membership(members=share), scenario, holdout=OTHERS, targets=targets))
    inside = known.truth.members
    assert inside is not None
    assert (int(inside.sum()), int((~inside).sum())) == (members, others)


@pytest.mark.parametrize("rows", [1, 2, 7, 100])
def test_the_reference_is_the_other_half_of_the_holdout(rows: int) -> None:
    scenario = Scenario("x", "X.", ("age", "height"))
    holdout = OTHERS.take(np.arange(rows))
    known = known_targets(trial_of(Membership(), scenario, holdout=holdout))
    reference, members = known.knowledge.reference, known.truth.members
    assert members is not None
    assert set(reference) == {"age", "height"}
    strangers = known.knowledge.columns["height"][~members]
    assert (len(strangers), len(reference["height"])) == (rows - rows // 2, rows // 2)
    assert {*strangers, *reference["height"]} == set(holdout.columns["height"])
    assert not reference["height"].flags.writeable


def test_one_target_is_none() -> None:
    known = known_targets(trial_of(Membership(), Scenario("x", "X.", ("age",)), holdout=OTHERS, targets=1))
    assert known.knowledge.count == 0

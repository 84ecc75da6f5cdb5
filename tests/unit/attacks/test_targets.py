from __future__ import annotations

import numpy as np
import pytest

from attack_tables import people
from hushwood.attacks.protocol import Scenario
from hushwood.attacks.targets import draw_rows, members_and_others, targets_of
from hushwood.random_streams import Streams

STREAMS = Streams(bytes(range(32)))
TABLE, OTHERS = people(1, 300), people(2, 100)
KNOWS = Scenario("x", "X.", ("age", "city"), other=("height",), wants="rich")


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
    known = targets_of(TABLE, rows, KNOWS, "value", np.arange(300) + 1000, STREAMS)
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
    known = targets_of(TABLE, rows, KNOWS, "parts", None, STREAMS)
    order = known.truth.second_order
    assert order is not None
    assert np.array_equal(known.knowledge.other["height"][order], TABLE.columns["height"][rows])
    assert (order == np.arange(50)).mean() < 0.2


def test_members_and_others_are_mixed_half_and_half() -> None:
    scenario = Scenario("x", "X.", ("age", "height"))
    known = members_and_others(TABLE, np.arange(100, 300), OTHERS, 120, scenario, STREAMS)
    members, rows = known.truth.members, known.truth.target_rows
    assert members is not None
    assert (known.knowledge.count, int(members.sum())) == (120, 60)
    assert rows[members].min() >= 100
    assert (rows[~members] == -1).all()
    heights = known.knowledge.columns["height"]
    assert np.array_equal(heights[members], TABLE.columns["height"][rows[members]])
    assert set(heights[~members]) <= set(OTHERS.columns["height"])
    assert 0.2 < members[:60].mean() < 0.8


def test_there_are_no_more_members_than_others() -> None:
    scenario = Scenario("x", "X.", ("age",))
    known = members_and_others(TABLE, np.arange(300), OTHERS, 2000, scenario, STREAMS)
    assert known.knowledge.count == 200

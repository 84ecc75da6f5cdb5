from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from hushwood.attacks.attribute_inference import AttributeInference
from hushwood.attacks.judging.targets import (
    MOST_WANTED,
    Trial,
    draw_rows,
    known_rows,
    known_targets,
    known_to_others,
    scenarios_for,
)
from hushwood.attacks.linkability import Linkability
from hushwood.attacks.membership import Membership
from hushwood.attacks.protocol import Attack, Scenario
from hushwood.attacks.registry import ATTACKS
from hushwood.random_streams import Streams
from hushwood.tables.schema import Attribute, Schema
from support.attack_tables import people
from support.mixed_tables import category, number, target

DECLARED = people(0, 5).schema


def plain(*names: str) -> Schema:
    return Schema((*(number(name, 0, 1) for name in names), target("k", "ab")))


def test_declared_quasi_identifiers_come_first() -> None:
    assert known_to_others(DECLARED)[0] == ("age", "city", "job")


@pytest.mark.parametrize(
    "name",
    [
        *(
            "age",
            "Age",
            "sex",
            "gender",
            "race",
            "zip",
            "zip_code",
            "ZipCode",
            "postcode",
            "city",
            "homeCity",
        ),
        *("marital-status", "occupation", "education-num", "date_of_birth", "birthday", "native-country"),
        *("workclass", "relationship"),
    ],
)
def test_names_that_sound_public(name: str) -> None:
    assert known_to_others(plain("aaa", name, "bbb", "ccc"))[0] == (name,)


@pytest.mark.parametrize(
    "name", ["mortgage", "average", "package", "sextant", "capacity", "traced", "income"]
)
def test_names_that_only_contain_such_a_word(name: str) -> None:
    assert known_to_others(plain("aaa", name, "bbb", "ccc", "ddd"))[0] == ("aaa",)


def test_without_hints_the_first_third() -> None:
    assert known_to_others(plain(*"abcdefg"))[0] == ("a", "b")
    assert known_to_others(plain("a"))[0] == ("a",)


def test_a_confidential_attribute_is_not_guessed_to_be_public() -> None:
    schema = plain("age", "sex").with_role(["age"], "confidential")
    assert known_to_others(schema)[0] == ("sex",)


def test_linkage_knows_everything_but_the_class_or_what_others_may_know() -> None:
    everything, public = scenarios_for(ATTACKS["linkage"](), DECLARED)
    assert everything.knows == ("age", "height", "balance", "city", "job")
    assert public.knows == ("age", "city", "job")
    assert "declared quasi-identifiers" in public.says


def test_a_second_scenario_must_be_another() -> None:
    schema = plain("age", "sex")
    assert len(scenarios_for(ATTACKS["linkage"](), schema)) == 1


def test_inference_wants_the_class_and_what_is_confidential() -> None:
    found = scenarios_for(ATTACKS["attribute_inference"](), DECLARED)
    assert [s.wants for s in found] == ["rich", "rich", "balance", "balance"]
    assert all(s.wants not in s.knows and s.knows for s in found)
    assert len({s.name for s in found}) == 4


def test_a_wanted_quasi_identifier_is_not_known() -> None:
    schema = plain("age", "sex").with_role(["age"], "confidential")
    wanting = [s for s in scenarios_for(ATTACKS["attribute_inference"](), schema) if s.wants == "age"]
    assert [s.knows for s in wanting] == [("sex",)]


def test_only_a_few_are_wanted() -> None:
    names = [f"secret {i}" for i in range(20)]
    schema = plain("age", *names).with_role(names, "confidential")
    wanted = {s.wants for s in scenarios_for(ATTACKS["attribute_inference"](), schema)}
    assert len(wanted) == MOST_WANTED + 1


def test_two_sources_share_no_attribute() -> None:
    (found,) = scenarios_for(ATTACKS["linkability"](), DECLARED)
    assert (found.knows, found.other) == (("age", "city", "job"), ("height", "balance"))
    (halves,) = scenarios_for(ATTACKS["linkability"](), plain("age", "sex", "race"))
    assert (halves.knows, halves.other) == (("age", "race"), ("sex",))
    (alone,) = scenarios_for(ATTACKS["linkability"](), plain("age"))
    assert (alone.knows, alone.other) == (("age",), ())


def test_carried_columns_are_known_to_nobody() -> None:
    schema = Schema((number("age", 0, 9), _carried("name"), category("sex", "mf"), target("k", "ab")))
    for make in ATTACKS.values():
        for scenario in scenarios_for(make(), schema):
            assert "name" not in (*scenario.knows, *scenario.other, scenario.wants)


def _carried(name: str) -> Attribute:
    return replace(category(name, "xy"), role="identifier")


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

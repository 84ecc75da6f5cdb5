from __future__ import annotations

from dataclasses import replace

import pytest

from hushwood.attacks.judging.scenarios import MOST_WANTED, known_to_others, scenarios_for
from hushwood.attacks.registry import ATTACKS
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

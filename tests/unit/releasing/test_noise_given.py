"""Which noise reaches which technique and column, and what is refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from hushwood.errors import InputError
from hushwood.releasing.options import PerturbOptions
from hushwood.releasing.planning import make_plan
from hushwood.releasing.recipes import RECIPES, adds_noise
from hushwood.tables.schema import Attribute, Schema
from hushwood.techniques.gadp import Gadp
from hushwood.techniques.laws.noise import NoiseParameters

SCHEMA = Schema(
    (
        Attribute("age", "numeric"),
        Attribute("pay", "numeric", "confidential"),
        Attribute("born", "numeric", storage="Date"),
        Attribute("town", "categorical", "quasi-identifier"),
        Attribute("note", "numeric", "ignored"),
        Attribute("ill", "categorical", "class"),
    )
)
RECORDS = 100


def given_to(technique: str, **options: Any) -> dict[str, NoiseParameters]:
    plan = make_plan(PerturbOptions(technique, **options), SCHEMA, RECORDS)
    found = {step.technique.acronym: getattr(step.technique, "parameters", None) for step in plan.steps}
    return {name: parameters for name, parameters in found.items() if parameters is not None}


def test_influential_and_innocent_attributes_have_noise_of_their_own() -> None:
    plain = NoiseParameters(0.2)
    assert given_to("framework", noise=0.2) == {"LINFAPT": plain, "LINNAPT": plain}
    found = given_to("forest-framework", noise=0.2, noise_influential=0.1)
    assert found == {"LINFAPT": NoiseParameters(0.1), "LINNAPT": plain}
    both = given_to("framework", noise_influential=0.1, noise_innocent=0.0)
    assert both == {"LINFAPT": NoiseParameters(0.1), "LINNAPT": NoiseParameters(0.0)}


def test_a_columns_own_noise_wins() -> None:
    found = given_to("framework", noise_influential=0.1, noise_by_column={"age": 0.5}, noise_of="value")
    ages = {name: parameters.for_column(SCHEMA["age"]).noise for name, parameters in found.items()}
    pays = {name: parameters.for_column(SCHEMA["pay"]) for name, parameters in found.items()}
    assert ages == {"LINFAPT": 0.5, "LINNAPT": 0.5}
    assert pays == {"LINFAPT": NoiseParameters(0.1, of="value"), "LINNAPT": NoiseParameters(of="value")}


def test_noise_for_records_alone_is_the_plain_one() -> None:
    plan = make_plan(PerturbOptions("gadp", noise=0.2), SCHEMA, RECORDS)
    technique = plan.steps[0].technique
    assert isinstance(technique, Gadp)
    assert technique.alone == NoiseParameters(0.2)


@pytest.mark.parametrize(
    ("technique", "given", "says"),
    [
        (
            "linfapt",
            {"noise_innocent": 0.1},
            "--noise-innocent is for LINNAPT, the noise on innocent attributes",
        ),
        ("linnapt", {"noise_influential": 0.1}, "--noise-influential is for LINFAPT"),
        (
            "mdav",
            {"noise_of": "value"},
            "--noise-of is for techniques that add noise, and mdav adds none. Omit it",
        ),
        (
            "gadp",
            {"noise_by_column": {"age": 0.1}},
            "--noise age=0.1 is for noise on single columns, and gadp draws",
        ),
        (
            "kim",
            {"noise_by_column": {"age": 0.1}},
            "kim adds none of this kind: its dial is --set kim.noise.",
        ),
        ("segment-shuffle", {"noise_of": "value"}, "segment-shuffle adds none: its dial is --k."),
        ("segment-shuffle", {"noise": 0.1}, "--noise is for techniques that add noise"),
        ("random-framework", {"noise_influential": 0.1}, "random-framework does not use it"),
    ],
)
def test_noise_without_use_is_refused(technique: str, given: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError) as refused:
        make_plan(PerturbOptions(technique, **given), SCHEMA, RECORDS)
    assert says in str(refused.value)


@pytest.mark.parametrize(
    ("column", "says"),
    [
        ("aeg", "Did you mean 'age'"),
        ("town", "'town' is categorical and quasi-identifier; omit its noise."),
        ("note", "'note' is numeric and ignored"),
        ("ill", "'ill' is categorical and class"),
    ],
)
def test_only_numbers_that_are_perturbed_have_noise(column: str, says: str) -> None:
    with pytest.raises(InputError) as refused:
        given_to("framework", noise_by_column={column: 0.1})
    assert says in str(refused.value)


def test_a_schema_gives_columns_their_noise_unless_an_option_does() -> None:
    schema = SCHEMA.with_attribute(replace(SCHEMA["age"], noise=0.1))
    schema = schema.with_attribute(replace(schema["pay"], noise=0.2))
    options = PerturbOptions("framework", noise_by_column={"pay": 0.3})
    assert options.with_noise_of(schema).noise_by_column == {"age": 0.1, "pay": 0.3}
    assert PerturbOptions("mdav").with_noise_of(schema).noise_by_column == {}
    assert options.with_noise_of(SCHEMA) is options


def test_which_recipes_add_noise_by_column() -> None:
    assert {name for name in RECIPES if adds_noise(name)} == {
        "forest-framework",
        "framework",
        "linfapt",
        "linnapt",
    }
    assert not adds_noise("nothing")


def test_noise_apart() -> None:
    assert not PerturbOptions(noise=0.1).noise_apart
    assert PerturbOptions(noise_innocent=0.0).noise_apart
    assert PerturbOptions(noise_by_column={"age": 0.1}).noise_apart

from __future__ import annotations

import pytest

from hushwood.errors import InputError
from hushwood.frameworks.recipes import DEFAULT_RECIPE, RECIPES, RecipeOptions, columns_for, make_plan
from hushwood.tables.schema import Attribute, Schema
from hushwood.techniques.capt import Capt
from hushwood.techniques.noise import NoiseParameters

SCHEMA = Schema(
    (
        Attribute("name", "categorical", "identifier"),
        Attribute("age", "numeric"),
        Attribute("pay", "numeric", "confidential"),
        Attribute("town", "categorical", "quasi-identifier"),
        Attribute("note", "categorical", "ignored"),
        Attribute("ill", "categorical", "class"),
    )
)
OPTIONS = RecipeOptions()
CONTROLS = {"random-framework", "rt", "rnat", "rc"}


def steps(name: str, schema: Schema = SCHEMA) -> dict[str, tuple[str, ...]]:
    return {step.technique.acronym: step.attributes for step in make_plan(name, schema, OPTIONS).steps}


def test_the_papers_frameworks() -> None:
    numeric = {"LINFAPT": ("age", "pay"), "LINNAPT": ("age", "pay")}
    assert steps("forest-framework") == numeric | {"SWAP": ("town",), "RPT": ("ill",)}
    assert steps("framework") == numeric | {"CAPT": ("town",), "RPT": ("ill",)}
    assert steps("random-framework") == {"RNAT": ("age", "pay"), "RC": ("town",), "ALPT": ("ill",)}
    assert steps("rt") == steps("random-framework")
    assert make_plan(DEFAULT_RECIPE, SCHEMA, OPTIONS).trees == 3
    assert make_plan("framework", SCHEMA, OPTIONS).trees == 1


@pytest.mark.parametrize("name", RECIPES)
def test_every_recipe_makes_a_plan_that_says_what_it_promises(name: str) -> None:
    plan = make_plan(name, SCHEMA, OPTIONS)
    assert plan.recipe == name
    assert plan.keeps_segments == (name not in CONTROLS)
    assert "name" not in plan.copied(SCHEMA)
    assert "note" in plan.copied(SCHEMA)


def test_single_techniques_copy_the_rest() -> None:
    assert steps("rpt") == {"RPT": ("ill",)}
    assert make_plan("rpt", SCHEMA, OPTIONS).copied(SCHEMA) == ("age", "pay", "town", "note")


def test_columns_without_a_kind_have_no_step() -> None:
    numbers = Schema((Attribute("age", "numeric"), Attribute("ill", "categorical", "class")))
    assert steps("forest-framework", numbers).keys() == {"LINFAPT", "LINNAPT", "RPT"}
    with pytest.raises(InputError, match="'swap' finds no column to work on"):
        make_plan("swap", numbers, OPTIONS)
    assert columns_for(Schema((Attribute("age", "numeric"),)), "class") == ()


def test_options_reach_the_techniques() -> None:
    options = RecipeOptions(NoiseParameters(0.5, "reflect"), Capt(mode="literal"), 0.2)
    said = [step.technique.says() for step in make_plan("framework", SCHEMA, options).steps]
    assert "50%" in said[0]
    assert "50%" in said[1]
    assert not make_plan("framework", SCHEMA, options).keeps_segments
    assert not make_plan("capt", SCHEMA, options).keeps_segments


def test_another_number_of_trees() -> None:
    plan = make_plan("framework", SCHEMA, OPTIONS, trees=4)
    assert (plan.trees, plan.over) == (4, "intersections")
    assert make_plan("forest-framework", SCHEMA, OPTIONS, trees=1).trees == 1


def test_an_unknown_technique_has_a_neighbour() -> None:
    with pytest.raises(InputError, match="Did you mean 'linfapt'"):
        make_plan("linfap", SCHEMA, OPTIONS)

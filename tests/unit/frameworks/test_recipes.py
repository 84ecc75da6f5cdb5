from __future__ import annotations

from typing import Any

import pytest

from hushwood.declared_settings import Settings
from hushwood.errors import InputError
from hushwood.frameworks.recipes import (
    CORRELATED,
    DEFAULT_RECIPE,
    RECIPES,
    RecipeOptions,
    columns_for,
    make_plan,
)
from hushwood.tables.schema import Attribute, Schema
from hushwood.techniques.capt import Capt
from hushwood.techniques.gadp import Gadp
from hushwood.techniques.mdav import Mdav
from hushwood.techniques.noise import NoiseParameters
from hushwood.techniques.pram import Pram
from hushwood.techniques.protocol import Technique
from hushwood.value_clusters.cactus import Cactus
from hushwood.value_clusters.ex_detective import ExDetective

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
KEEPING = {"forest-framework", "framework", "extended-framework", "forest-extended-framework"}
KEEPING |= {"rpt", "ppt", "alpt", "linfapt", "linnapt", "capt", "swap"}


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
    plan = make_plan(name, SCHEMA, RecipeOptions(suppress=("age > 90",)))
    assert plan.recipe == name
    assert plan.keeps_segments == (name in KEEPING)
    assert "name" not in plan.copied(SCHEMA)
    assert "note" in plan.copied(SCHEMA)


@pytest.mark.parametrize("correlated", CORRELATED)
def test_the_extended_frameworks_draw_numbers_together(correlated: str) -> None:
    options = RecipeOptions(correlated=correlated)
    names = {
        recipe: {step.technique.acronym: step.attributes for step in make_plan(recipe, SCHEMA, options).steps}
        for recipe in ("extended-framework", "forest-extended-framework", "random-extended-framework")
    }
    numbers = {correlated.upper(): ("age", "pay")}
    assert names["extended-framework"] == numbers | {"CAPT": ("town",), "RPT": ("ill",)}
    assert names["forest-extended-framework"] == numbers | {"SWAP": ("town",), "RPT": ("ill",)}
    assert names["random-extended-framework"] == numbers | {"RC": ("town",), "ALPT": ("ill",)}
    assert make_plan("extended-framework", SCHEMA, options).keeps_segments
    assert make_plan("forest-extended-framework", SCHEMA, options).trees == 3
    assert not make_plan("random-extended-framework", SCHEMA, options).keeps_segments


def test_the_ways_that_recipes_choose_themselves() -> None:
    assert "SHUFFLE" in steps("extended-framework")
    assert "GADP" in steps("random-extended-framework")
    with pytest.raises(InputError, match="Did you mean 'egadp'"):
        RecipeOptions(correlated="egap")


def test_settings_reach_their_technique_over_the_options() -> None:
    def only(recipe: str, **given: Any) -> Technique:
        options = RecipeOptions(NoiseParameters(0.2), settings={recipe: given})
        return make_plan(recipe, SCHEMA, options).steps[0].technique

    assert only("gadp", rho=0.5) == Gadp(rho=0.5, alone=NoiseParameters(0.2))
    assert only("mdav", k=7) == Mdav(7)
    assert not only("capt", mode="literal").keeps_segment
    assert only("pram", matrix={"town": ((0.9, 0.1), (0.2, 0.8))}) == Pram({"town": ((0.9, 0.1), (0.2, 0.8))})
    with pytest.raises(InputError, match="Did you mean 'rho'"):
        RecipeOptions(settings={"gadp": {"rh": 1}})
    with pytest.raises(InputError, match="Did you mean 'gadp'"):
        RecipeOptions(settings={"gatp": {"rho": 1}})


def test_parameters_of_the_clusters_reach_capt() -> None:
    given: list[tuple[str, Settings, Any]] = [
        ("cactus", {"cactus": {"alpha": 1.15}}, Cactus(1.15)),
        ("ex-detective", {"ex-detective": {"weights": {"town": 0.5}}}, ExDetective({"town": 0.5})),
        ("cactus", {}, None),
    ]
    for clusters, settings, how in given:
        options = RecipeOptions(capt=Capt(clusters=clusters), settings=settings)
        assert make_plan("capt", SCHEMA, options).steps[0].technique == Capt(clusters=clusters, how=how)
    with pytest.raises(InputError, match="Did you mean 'alpha'"):
        RecipeOptions(settings={"cactus": {"alfa": 2.0}})


@pytest.mark.parametrize(
    ("recipe", "options", "says"),
    [
        ("framework", RecipeOptions(correlated="gadp"), "--correlated is for the extended frameworks"),
        ("swap", RecipeOptions(capt=Capt(clusters="rock")), "--value-clusters is for CAPT"),
        ("framework", RecipeOptions(settings={"gadp": {"rho": 0.5}}), "Parameters of gadp are set"),
        ("framework", RecipeOptions(settings={"cactus": {"alpha": 2.0}}), "Parameters of cactus are set"),
        ("framework", RecipeOptions(suppress=("agee > 9",)), "Did you mean 'age'"),
    ],
)
def test_options_that_the_recipe_has_no_use_for_are_refused(
    recipe: str, options: RecipeOptions, says: str
) -> None:
    with pytest.raises(InputError, match=says):
        make_plan(recipe, SCHEMA, options)


def test_suppression_works_on_every_column_and_needs_a_rule() -> None:
    assert columns_for(SCHEMA, "any") == ("age", "pay", "town", "ill")
    with pytest.raises(InputError, match="--suppress"):
        make_plan("suppress", SCHEMA, OPTIONS)
    plan = make_plan("suppress", SCHEMA, RecipeOptions(suppress=("age > 90",)))
    assert plan.copied(SCHEMA) == ("age", "pay", "town", "note", "ill")


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

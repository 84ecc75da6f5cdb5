from __future__ import annotations

from typing import Any

import pytest

from hushwood.errors import InputError
from hushwood.parameters import Settings
from hushwood.releasing.options import PerturbOptions
from hushwood.releasing.plan import Plan
from hushwood.releasing.planning import columns_for, make_plan, why_used
from hushwood.releasing.recipes import CORRELATED, RECIPES
from hushwood.tables.schema import Attribute, Schema
from hushwood.techniques.capt import Capt
from hushwood.techniques.gadp import Gadp
from hushwood.techniques.laws.noise import NoiseParameters
from hushwood.techniques.mdav import Mdav
from hushwood.techniques.pram import Pram
from hushwood.techniques.protocol import Technique
from hushwood.techniques.rank_swapping import RankSwap
from hushwood.techniques.segment_shuffle import SegmentShuffle
from hushwood.value_clusters.cactus import Cactus
from hushwood.value_clusters.detective import ExDetective

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
RECORDS = 100
KEEPING = {"forest-framework", "framework", "extended-framework", "forest-extended-framework"}
KEEPING |= {"rpt", "ppt", "alpt", "linfapt", "linnapt", "capt", "swap", "segment-shuffle"}


def plan_of(name: str, schema: Schema = SCHEMA, **options: Any) -> Plan:
    return make_plan(PerturbOptions(name, **options), schema, RECORDS)


def steps(name: str, schema: Schema = SCHEMA) -> dict[str, tuple[str, ...]]:
    return {step.technique.acronym: step.attributes for step in plan_of(name, schema).steps}


def test_the_papers_frameworks() -> None:
    numeric = {"LINFAPT": ("age", "pay"), "LINNAPT": ("age", "pay")}
    assert steps("forest-framework") == numeric | {"SWAP": ("town",), "RPT": ("ill",)}
    assert steps("framework") == numeric | {"CAPT": ("town",), "RPT": ("ill",)}
    assert steps("random-framework") == {"RNAT": ("age", "pay"), "RC": ("town",), "ALPT": ("ill",)}
    assert steps("rt") == steps("random-framework")
    assert plan_of("forest-framework").trees == 3
    assert plan_of("framework").trees == 1


def test_the_default_hands_every_column_out_again_within_the_segments_of_one_tree() -> None:
    plan = make_plan(PerturbOptions(), SCHEMA, 1000)
    assert (plan.recipe, plan.over, plan.trees, plan.row_order) == ("segment-shuffle", "leaves", 1, "drawn")
    (step,) = plan.steps
    assert step.technique == SegmentShuffle(k=50, teacher="ensemble", blur=5, redraw=1)
    assert step.attributes == ("age", "pay", "town", "ill")
    exact = make_plan(PerturbOptions(redraw=0), SCHEMA, 1000)
    assert (exact.recipe, exact.over, exact.trees, exact.row_order) == (
        "segment-shuffle",
        "leaves",
        1,
        "secret",
    )
    assert exact.steps[0].technique == SegmentShuffle(k=50, teacher="ensemble", blur=5)
    assert (plan.paired, exact.paired, plan.shuffled, exact.shuffled) == (False, True, True, True)
    why = why_used(plan.recipe, {"k": 50})
    assert why.startswith("The default. ")
    assert "within segments of at least 50 people" in why
    assert not why_used("forest-framework", {}).startswith("The default")
    assert why_used("unheard-of", {}) == ""


@pytest.mark.parametrize(
    ("options", "records", "says"),
    [
        ({"trees": 3}, 100, "uses the segments of one tree, but --trees 3 was given; omit it, or choose"),
        ({}, 19, "20 records or more .* has 19; release more .* or choose --technique forest-framework"),
        ({"noise": 0.1}, 100, "--noise is for techniques that add noise, .* its dial is --k"),
        ({"boundary": "reflect"}, 100, "--boundary is for techniques that add noise"),
        ({"distribution": "uniform"}, 100, "--distribution is for techniques that add noise"),
        ({"technique": "framework", "k": 20}, 100, "--k is for segment-shuffle; framework has no smallest"),
        (
            {"technique": "framework", "teacher": "tree"},
            100,
            "--teacher is for techniques that ask a model",
        ),
    ],
)
def test_what_the_default_has_no_use_for_is_refused(options: dict[str, Any], records: int, says: str) -> None:
    with pytest.raises(InputError, match=says):
        make_plan(PerturbOptions(**options), SCHEMA, records)
    assert make_plan(PerturbOptions(trees=1), SCHEMA, 20).smallest_segment == 10


@pytest.mark.parametrize("name", RECIPES)
def test_every_recipe_makes_a_plan_that_says_what_it_promises(name: str) -> None:
    rules: dict[str, Any] = {"coarsen": ("age: 5",)} if name == "coarsen" else {}
    plan = plan_of(name, suppress=("age > 90",), **rules)
    assert plan.recipe == name
    assert plan.keeps_segments == (name in KEEPING)
    assert "name" not in plan.copied(SCHEMA)
    assert "note" in plan.copied(SCHEMA)


@pytest.mark.parametrize("correlated", CORRELATED)
def test_the_extended_frameworks_draw_numbers_together(correlated: str) -> None:
    names = {
        recipe: {
            step.technique.acronym: step.attributes for step in plan_of(recipe, correlated=correlated).steps
        }
        for recipe in ("extended-framework", "forest-extended-framework", "random-extended-framework")
    }
    numbers = {correlated.upper(): ("age", "pay")}
    assert names["extended-framework"] == numbers | {"CAPT": ("town",), "RPT": ("ill",)}
    assert names["forest-extended-framework"] == numbers | {"SWAP": ("town",), "RPT": ("ill",)}
    assert names["random-extended-framework"] == numbers | {"RC": ("town",), "ALPT": ("ill",)}
    assert plan_of("extended-framework", correlated=correlated).keeps_segments
    assert plan_of("forest-extended-framework", correlated=correlated).trees == 3
    assert not plan_of("random-extended-framework", correlated=correlated).keeps_segments


def test_the_ways_that_recipes_choose_themselves() -> None:
    assert "SHUFFLE" in steps("extended-framework")
    assert "GADP" in steps("random-extended-framework")
    with pytest.raises(InputError, match="Did you mean 'egadp'"):
        plan_of("extended-framework", correlated="egap")


def test_settings_reach_their_technique_over_the_options() -> None:
    def only(recipe: str, **given: Any) -> Technique:
        return plan_of(recipe, noise=0.2, settings={recipe: given}).steps[0].technique

    assert only("gadp", rho=0.5) == Gadp(rho=0.5, alone=NoiseParameters(0.2), blur=5)
    assert only("mdav", k=7) == Mdav(7)
    assert not only("capt", mode="literal").keeps_segment
    assert only("pram", matrix={"town": ((0.9, 0.1), (0.2, 0.8))}) == Pram({"town": ((0.9, 0.1), (0.2, 0.8))})
    with pytest.raises(InputError, match="Did you mean 'rho'"):
        plan_of("gadp", settings={"gadp": {"rh": 1}})
    with pytest.raises(InputError, match="Did you mean 'gadp'"):
        plan_of("gadp", settings={"gatp": {"rho": 1}})


def test_techniques_that_hand_out_numbers_take_the_blur() -> None:
    for recipe in (*CORRELATED, "rankswap", "extended-framework", "forest-extended-framework"):
        widths = [
            [s.technique.blur for s in plan_of(recipe, blur=width).steps if hasattr(s.technique, "blur")]
            for width in (PerturbOptions().blur, 9, 0)
        ]
        assert widths == [[5], [9], [0]], recipe
    assert plan_of("rankswap", blur=9, settings={"rankswap": {"blur": 2}}).steps[0].technique == RankSwap(
        blur=2
    )
    assert plan_of("framework", blur=0).steps
    with pytest.raises(InputError, match="--blur is for techniques that hand out original numbers"):
        plan_of("framework", blur=9)
    with pytest.raises(InputError, match="blur"):
        plan_of("rankswap", blur=-1)


def test_parameters_of_the_clusters_reach_capt() -> None:
    given: list[tuple[str, Settings, Any]] = [
        ("cactus", {"cactus": {"alpha": 1.15}}, Cactus(1.15)),
        ("ex-detective", {"ex-detective": {"weights": {"town": 0.5}}}, ExDetective({"town": 0.5})),
        ("cactus", {}, None),
    ]
    for clusters, settings, how in given:
        made = plan_of("capt", value_clusters=clusters, settings=settings).steps[0].technique
        assert made == Capt(clusters=clusters, how=how, grow=PerturbOptions("capt").grow_options(RECORDS))
    with pytest.raises(InputError, match="Did you mean 'alpha'"):
        plan_of("capt", settings={"cactus": {"alfa": 2.0}})


@pytest.mark.parametrize(
    ("recipe", "options", "says"),
    [
        ("framework", {"correlated": "gadp"}, "--correlated is for the extended frameworks"),
        ("framework", {"goodness": 0.2}, "--goodness tells .* apart, but framework grows one tree; omit it"),
        ("forest-framework", {"separation": 0.2, "trees": 1}, "--separation tells .* but forest-framework"),
        ("mdav", {"min_gain_ratio": 0.2}, "--min-gain-ratio tells the first tests of several trees apart"),
        (
            "forest-framework",
            {"variant": "credal", "goodness": 0.2},
            "--goodness has no use for credal trees",
        ),
        ("framework", {"variant": "credal", "confidence": 0.2}, "--confidence has no use for credal trees"),
        ("framework", {"variant": "see5", "criterion": "gini"}, "See5 chooses by gain_ratio; for gini use"),
        ("swap", {"value_clusters": "rock"}, "--value-clusters is for CAPT"),
        ("framework", {"settings": {"gadp": {"rho": 0.5}}}, "Parameters of gadp are set"),
        ("framework", {"settings": {"cactus": {"alpha": 2.0}}}, "Parameters of cactus are set"),
        ("framework", {"suppress": ("agee > 9",)}, "Did you mean 'age'"),
    ],
)
def test_options_that_the_recipe_has_no_use_for_are_refused(
    recipe: str, options: dict[str, Any], says: str
) -> None:
    with pytest.raises(InputError, match=says):
        plan_of(recipe, **options)


def test_suppression_works_on_every_column_and_needs_a_rule() -> None:
    assert columns_for(SCHEMA, "any") == ("age", "pay", "town", "ill")
    with pytest.raises(InputError, match="--suppress"):
        plan_of("suppress")
    plan = plan_of("suppress", suppress=("age > 90",))
    assert plan.copied(SCHEMA) == ("age", "pay", "town", "note", "ill")


def test_single_techniques_copy_the_rest() -> None:
    assert steps("rpt") == {"RPT": ("ill",)}
    assert plan_of("rpt").copied(SCHEMA) == ("age", "pay", "town", "note")


def test_columns_without_a_kind_have_no_step() -> None:
    numbers = Schema((Attribute("age", "numeric"), Attribute("ill", "categorical", "class")))
    assert steps("forest-framework", numbers).keys() == {"LINFAPT", "LINNAPT", "RPT"}
    with pytest.raises(InputError, match="'swap' finds no column to work on"):
        plan_of("swap", numbers)
    assert columns_for(Schema((Attribute("age", "numeric"),)), "class") == ()


def test_options_reach_the_techniques() -> None:
    options: dict[str, Any] = {"noise": 0.5, "boundary": "reflect", "capt": "literal", "probability": 0.2}
    said = [step.technique.says() for step in plan_of("framework", **options).steps]
    assert "50%" in said[0]
    assert "50%" in said[1]
    assert not plan_of("framework", **options).keeps_segments
    assert not plan_of("capt", **options).keeps_segments


def test_another_number_of_trees() -> None:
    plan = plan_of("framework", trees=4)
    assert (plan.trees, plan.over) == (4, "intersections")
    assert plan_of("forest-framework", trees=1).trees == 1


def test_an_unknown_technique_has_a_neighbour() -> None:
    with pytest.raises(InputError, match="Did you mean 'linfapt'"):
        plan_of("linfap")

"""What is tried follows from the recipes."""

from __future__ import annotations

import pytest

from hushwood.errors import InputError
from hushwood.releasing.options import PerturbOptions
from hushwood.releasing.recipes import RECIPES
from hushwood.tuning.candidates import candidates_for
from support.tuned_scores import small_table


def test_all_recipes_that_are_worth_it_are_tried_and_no_control() -> None:
    tried = {candidate.technique for candidate in candidates_for(small_table())}
    assert tried == {name for name, recipe in RECIPES.items() if recipe.tried}
    assert "random-framework" not in tried
    assert "segment-shuffle" in tried


def test_a_dial_is_turned_as_far_as_the_table_allows() -> None:
    found = candidates_for(small_table(150), ["segment-shuffle"], PerturbOptions(redraw=0))
    ensemble = [one for one in found if one.options.teacher == "ensemble"]
    assert [one.options.k for one in ensemble] == [10, 20, 50]  # half of the records at most
    assert [one.value for one in ensemble] == [10.0, 20.0, 50.0]
    assert [one.options.blur for one in ensemble] == [5, 10, 25]  # what follows the dial is set with it
    assert len({one.family for one in ensemble}) == 1
    assert {one.options.teacher for one in found} == {"ensemble", "tree"}
    assert found[0].label == "segment-shuffle k=10 teacher=ensemble"


def test_a_parameter_of_a_technique_can_be_the_dial() -> None:
    found = candidates_for(small_table(), ["cart-synthesis"])
    assert [one.options.settings["cart-synthesis"]["min_leaf"] for one in found] == [5, 10, 25, 50]


def test_a_technique_without_a_dial_is_one_candidate_also_if_only_its_name_asks_for_it() -> None:
    (found,) = candidates_for(small_table(), ["rankswap"])
    assert (found.label, found.technique) == ("rankswap", "rankswap")


def test_labels_are_different() -> None:
    labels = [candidate.label for candidate in candidates_for(small_table())]
    assert len(set(labels)) == len(labels)


def test_options_that_all_share_are_kept() -> None:
    found = candidates_for(small_table(), ["segment-shuffle"], PerturbOptions(variant="j48"))
    assert {one.options.variant for one in found} == {"j48"}


def test_a_recipe_that_cannot_work_is_passed_over_unless_it_is_named() -> None:
    few = small_table(15)  # segment-shuffle needs 20 records
    assert "segment-shuffle" not in {one.technique for one in candidates_for(few)}
    with pytest.raises(InputError, match="needs 20 records"):
        candidates_for(few, ["segment-shuffle"])


def test_an_unknown_technique_is_refused() -> None:
    with pytest.raises(InputError, match="Did you mean 'segment-shuffle'"):
        candidates_for(small_table(), ["segment-shufle"])


def test_every_candidate_says_how_the_command_asks_for_it() -> None:
    first = {
        one.technique: one.spelt
        for one in reversed(candidates_for(small_table(), (), PerturbOptions(redraw=0)))
    }
    assert first["segment-shuffle"] == "--technique segment-shuffle --k 10 --blur 5 --teacher ensemble"
    assert first["cart-synthesis"] == "--technique cart-synthesis --set cart-synthesis.min_leaf=5"
    assert first["copula-synthesis"] == "--technique copula-synthesis"


def test_what_is_done_with_rare_levels_is_spelt() -> None:
    usual = PerturbOptions(rare="group")
    assert all(one.spelt.endswith("--rare group") for one in candidates_for(small_table(), (), usual))
    assert not any("--rare" in one.spelt for one in candidates_for(small_table()))

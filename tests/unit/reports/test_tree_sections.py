"""What the sections of a published tree's page get."""

from __future__ import annotations

from hushwood.reports.tree_sections import everything
from sample_publication import many_groups, one_leaf, regression, two_trees


def test_several_trees_change_the_title() -> None:
    assert everything(two_trees())["titles"]["trees"] == "The published trees"
    assert everything(one_leaf())["titles"]["trees"] == "The published tree"


def test_everything_is_public() -> None:
    assert everything(regression())["public"] is True


def test_growth_is_told_with_its_noun() -> None:
    view = everything(regression())

    assert (view["tried"], view["barred"]) == ("3 expansions", 1)
    assert view["stopped"] == regression()["growth"]["stopped"]
    assert view["anchored"] is False
    assert everything(two_trees())["anchored"] is True


def test_groups_left_out_are_said_only_if_there_are_some() -> None:
    assert everything(two_trees())["groups_left_out"] == ""
    assert everything(many_groups())["groups_left_out"] == "7 larger groups"

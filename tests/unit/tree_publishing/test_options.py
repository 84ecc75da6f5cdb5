"""Options of a published tree are checked once; every refusal says what is allowed."""

from __future__ import annotations

from typing import Any

import pytest

from hushwood.errors import InputError
from hushwood.tree_publishing.options import CRITERIA, PublishOptions, TreePlan


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"mode": "anchor"}, "no mode 'anchor'. Did you mean 'anchored'"),
        ({"thresholds": "middle"}, "no thresholds 'middle'.* Known: data, midpoint"),
        ({"missing_numbers": "keep"}, "no missing numbers 'keep'.* Known: refuse, suppress"),
        ({"k": 0}, "k must be 1 or more; 0 was given"),
        ({"l": 0.5}, "l must be 1 or more; 0.5 was given"),
        ({"l": float("nan")}, "l must be 1 or more; nan was given"),
        ({"l": float("inf")}, "l must be 1 or more; inf was given"),
        ({"min_leaf": 0}, "min_leaf must be 1 or more"),
        ({"max_leaves": 0}, "max_leaves must be 1 or more"),
        ({"max_depth": -1}, "max_depth must be 0 or more; -1 was given"),
        ({"trees": ()}, "No tree is asked for; name at least one criterion"),
        (
            {"mode": "delta", "thresholds": "data"},
            "only be kept in the anchored mode; use midpoints with delta",
        ),
    ],
)
def test_what_is_not_allowed_is_refused(given: dict[str, Any], says: str) -> None:
    with pytest.raises(InputError, match=says):
        PublishOptions(**given)


def test_an_unknown_criterion_is_refused_with_the_known_ones() -> None:
    with pytest.raises(InputError, match="Did you mean 'gain_ratio'"):
        TreePlan("gain_ration")


def test_the_limits_themselves_are_allowed() -> None:
    options = PublishOptions(k=1, l=1, min_leaf=1, max_leaves=1, max_depth=0)
    assert (options.min_leaf, options.max_leaves, options.max_depth) == (1, 1, 0)


def test_only_the_anchored_mode_is_anchored() -> None:
    assert PublishOptions().anchored
    assert not PublishOptions(mode="delta").anchored


def test_how_trees_were_grown_names_what_a_reader_needs_to_grow_them_again() -> None:
    plans = (TreePlan("gini"), TreePlan("gain_ratio", ("age",)))
    grown = PublishOptions(k=4, l=2.5, trees=plans, max_leaves=6).grown({0: ("age", "sex"), 1: ("age",)})
    assert grown == {
        "variant": "tpp",
        "criterion": "gini",
        "criteria": ["gini", "gain_ratio"],
        "columns": [["age", "sex"], ["age"]],
        "min_leaf": 1,
        "max_leaves": 6,
        "max_depth": None,
        "thresholds": "midpoint",
        "mode": "anchored",
        "k": 4,
        "l": 2.5,
    }


def test_the_criteria_are_those_of_the_search() -> None:
    """The search knows them by their place."""
    assert CRITERIA == ("information_gain", "gain_ratio", "gini", "variance")

"""Options of a published tree are checked once; every refusal says what is allowed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hushwood.errors import InputError
from hushwood.tree_publishing.options import CRITERIA, PublishOptions, TreePlan


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"mode": "anchor"}, "no mode 'anchor'. Did you mean 'anchored'"),
        ({"thresholds": "middle"}, "no way to set thresholds called 'middle'.* Known: data, midpoint"),
        (
            {"missing_numbers": "keep"},
            "no way to treat missing numbers called 'keep'.* Known: refuse, suppress",
        ),
        ({"k": 0}, "k must be 1 or more; 0 was given"),
        ({"l": 0.5}, "l must be 1 or more; 0.5 was given"),
        ({"l": float("nan")}, "l must be a finite number; nan was given"),
        ({"l": float("inf")}, "l must be a finite number; inf was given"),
        ({"l": float("-inf")}, "l must be 1 or more; -inf was given"),
        ({"l": "2"}, "l must be a number; '2' was given"),
        ({"l": True}, "l must be a number; True was given"),
        ({"l": None}, "l must be a number; None was given"),
        ({"k": "5"}, "k must be a whole number; '5' was given"),
        ({"k": None}, "k must be a whole number; None was given"),
        ({"k": 2.5}, "k must be a whole number; 2.5 was given"),
        ({"k": True}, "k must be a whole number; True was given"),
        ({"min_leaf": "3"}, "min_leaf must be a whole number; '3' was given"),
        ({"min_leaf": None}, "min_leaf must be a whole number; None was given"),
        ({"max_leaves": 2.5}, "max_leaves must be a whole number; 2.5 was given"),
        ({"max_depth": "2"}, "max_depth must be a whole number; '2' was given"),
        ({"threads": "all"}, "threads must be a whole number; 'all' was given"),
        ({"thresholds": None}, "no way to set thresholds called 'None'"),
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


def test_numbers_of_numpy_become_plain_ones() -> None:
    options = PublishOptions(k=np.int64(4), l=np.float32(2.5), max_leaves=np.uint8(3))  # type: ignore[arg-type]
    assert (options.k, options.l, options.max_leaves) == (4, 2.5, 3)
    assert [type(number) for number in (options.k, options.l, options.max_leaves)] == [int, float, int]


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

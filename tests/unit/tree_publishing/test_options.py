"""What may be asked of a published tree, and what is refused."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from hushwood.errors import InputError
from hushwood.tables.schema import Attribute, Schema
from hushwood.tree_publishing.options import (
    CRITERIA,
    PublishOptions,
    TreePlan,
    plan_from_text,
    plans_for,
    response_of,
)

WRONG: list[tuple[dict[str, Any], str]] = [
    ({"mode": "anchor"}, "mode must be anchored or delta; 'anchor' was given. Did you mean 'anchored'"),
    ({"thresholds": "middle"}, "thresholds must be midpoint or data; 'middle' was given"),
    ({"thresholds": None}, "thresholds must be midpoint or data; None was given"),
    ({"missing_numbers": "keep"}, "missing-numbers must be refuse or suppress; 'keep' was given"),
    ({"k": 0}, "k must be 1 or more; 0 was given"),
    ({"l": 0.5}, "l must be 1 or more; 0.5 was given"),
    *(
        ({"l": float(text)}, f"l must be a finite number, 1 or more; {text}")
        for text in ("nan", "inf", "-inf")
    ),
    *(({"l": wrong}, f"l must be a number, 1 or more; {wrong!r} was given") for wrong in ("2", True, None)),
    *(({"k": wrong}, f"k must be a whole number, .*; {wrong!r}") for wrong in ("5", None, True)),
    ({"k": 2.5}, "k must be a whole number, 1 or more; 2.5 was given"),
    ({"min_leaf": "3"}, "min-leaf must be a whole number, 1 or more; '3' was given"),
    ({"min_leaf": None}, "min-leaf must be a whole number, 1 or more; None was given"),
    ({"min_leaf": 0}, "min-leaf must be 1 or more"),
    ({"max_leaves": 2.5}, "max-leaves must be a whole number, 1 or more; 2.5 was given"),
    ({"max_leaves": 0}, "max-leaves must be 1 or more"),
    ({"max_depth": "2"}, "max-depth must be a whole number, 0 or more; '2' was given"),
    ({"max_depth": -1}, "max-depth must be 0 or more; -1 was given"),
    ({"threads": "all"}, "threads must be a whole number, 1 or more; 'all' was given"),
    ({"trees": ()}, "No tree is asked for; name at least one criterion"),
    ({"mode": "delta", "thresholds": "data"}, "only be kept in the anchored mode; use midpoints with delta"),
]


def test_what_is_not_allowed_is_refused() -> None:
    for given, says in WRONG:
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


NUMBER = Schema((Attribute("pay", "numeric", "class"),))
WORDS = Schema((Attribute("ill", "categorical", "class", categories=("no", "yes")),))


def test_trees_as_people_write_them() -> None:
    assert plan_from_text("gini") == TreePlan("gini")
    assert plan_from_text(" gain_ratio : age , the city,") == TreePlan("gain_ratio", ("age", "the city"))
    for text in ("gini:", "gini: ,"):
        with pytest.raises(InputError, match="no column is named"):
            plan_from_text(text)
    with pytest.raises(InputError, match="Did you mean 'gini'"):
        plan_from_text("gin")


def test_what_the_class_is_taken_for() -> None:
    assert response_of([]) == "auto"
    assert response_of([TreePlan("variance"), TreePlan("variance", ("age",))]) == "number"
    assert response_of([TreePlan("gini")]) == response_of([TreePlan("variance"), TreePlan("gini")]) == "class"


def test_the_tree_that_suits_the_class() -> None:
    assert plans_for([], NUMBER) == (TreePlan("variance"),)
    assert plans_for([], WORDS) == (TreePlan("information_gain"),)
    assert plans_for([TreePlan("gini")], NUMBER) == (TreePlan("gini"),)

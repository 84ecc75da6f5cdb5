from __future__ import annotations

import pytest

from hushwood.errors import InputError
from hushwood.jobs.tree_plans import plan_from_text, plans_for, response_of
from hushwood.tables.schema import Attribute, Schema
from hushwood.tree_publishing.options import TreePlan

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
    assert response_of([]) == "either"
    assert response_of([TreePlan("variance"), TreePlan("variance", ("age",))]) == "number"
    assert response_of([TreePlan("gini")]) == response_of([TreePlan("variance"), TreePlan("gini")]) == "class"


def test_the_tree_that_suits_the_class() -> None:
    assert plans_for([], NUMBER) == (TreePlan("variance"),)
    assert plans_for([], WORDS) == (TreePlan("information_gain"),)
    assert plans_for([TreePlan("gini")], NUMBER) == (TreePlan("gini"),)

"""Which columns a tree may test and which form groups, and what is refused before anything grows."""

from __future__ import annotations

from typing import Any

import pytest

from hushwood.errors import InputError
from hushwood.tables.schema import Attribute
from hushwood.tables.table import Table
from hushwood.tree_publishing import testable as columns
from hushwood.tree_publishing.options import PublishOptions, TreePlan
from hushwood.trees.training import MOST_BRANCHES
from mixed_tables import category, number, table_of, target

NAN = float("nan")
SECRET = Attribute("job", "categorical", "confidential", "String", categories=("s", "t"))


def people(**changed: tuple[Attribute, list[float]]) -> Table:
    given: dict[str, Any] = {
        "age": (number("age", 0, 9), [1, 2, 3]),
        "sex": (category("sex", "fm"), [0, 1, 1]),
        "job": (SECRET, [0, 1, 0]),
        "y": (target("y", "ab"), [0, 1, 1]),
    }
    return table_of({**given, **changed})


def test_trees_test_all_inputs_but_the_sensitive() -> None:
    assert columns.testable(people(), PublishOptions()) == (["age", "sex"], ())


def test_declaring_quasi_identifiers_leaves_the_others_testable() -> None:
    age = Attribute("age", "numeric", "quasi-identifier", low=0, high=9)
    assert columns.testable(people(age=(age, [1, 2, 3])), PublishOptions())[0] == ["age", "sex"]


def test_a_missing_category_is_a_value_and_said_so() -> None:
    names, warnings = columns.testable(people(sex=(category("sex", "fm"), [0, -1, 1])), PublishOptions())
    assert names == ["age", "sex"]
    assert warnings == ("Column 'sex' lacks 1 values; missing is taken as a value.",)


def test_missing_numbers_are_refused_or_the_column_is_left_out() -> None:
    table = people(age=(number("age", 0, 9), [1, NAN, NAN]))
    with pytest.raises(InputError, match="release the column as one value with --missing-numbers suppress"):
        columns.testable(table, PublishOptions())
    names, warnings = columns.testable(table, PublishOptions(missing_numbers="suppress"))
    assert names == ["sex"]
    assert warnings == ("Column 'age' lacks 2 numbers; no tree tests it, and it is released as one value.",)


def test_missing_sensitive_numbers_are_no_trouble() -> None:
    pay = Attribute("job", "numeric", "confidential", low=0, high=9)
    assert columns.testable(people(job=(pay, [1, NAN, 3])), PublishOptions()) == (["age", "sex"], ())


def test_a_column_of_too_many_values_is_left_out() -> None:
    many = category("sex", [str(n) for n in range(MOST_BRANCHES + 1)])
    names, warnings = columns.testable(people(sex=(many, [0, 1, 2])), PublishOptions())
    assert names == ["age"]
    assert warnings == (
        (
            "Column 'sex' has 1,001 different values, too many to test; it is released as one value. "
            "If it names people, drop it with --identifier."
        ),
    )


def test_l_without_a_sensitive_attribute_is_refused() -> None:
    table = people(job=(category("job", "st"), [0, 1, 0]))
    with pytest.raises(InputError, match=r"L = 2\.5 needs a sensitive attribute; name it with --sensitive"):
        columns.testable(table, PublishOptions(l=2.5))
    assert columns.testable(table, PublishOptions())[0] == ["age", "sex", "job"]


PAY = Attribute("y", "numeric", "class", low=0, high=9)


@pytest.mark.parametrize(
    ("response", "criterion", "says"),
    [
        ((category("y", "ab"), [0, 1, 0]), "gini", "No class column is set; name it with --class"),
        (
            (target("y", "ab"), [0, -1, 0]),
            "gini",
            "class 'y' is missing in 1 records; drop them or fill it in",
        ),
        ((PAY, [1, NAN, 2]), "variance", "class 'y' is missing in 1 records"),
        ((PAY, [1, float("inf"), 2]), "variance", "class 'y' holds infinite numbers"),
        ((PAY, [1, 3, 2]), "gini", "'y' holds numbers: a regression tree is grown by variance, not by gini"),
        ((target("y", "ab"), [0, 1, 0]), "variance", "'y' holds categories, and variance needs numbers"),
    ],
)
def test_a_response_that_cannot_be_learnt_is_refused(
    response: tuple[Attribute, list[float]], criterion: str, says: str
) -> None:
    with pytest.raises(InputError, match=says):
        columns.testable(people(y=response), PublishOptions(trees=(TreePlan(criterion),)))


def test_every_tree_must_fit_the_response() -> None:
    with pytest.raises(InputError, match="variance needs numbers"):
        columns.testable(people(), PublishOptions(trees=(TreePlan("gini"), TreePlan("variance"))))


def test_a_tree_tests_all_columns_or_those_it_names_in_the_tables_order() -> None:
    names = ["age", "sex", "town"]
    assert columns.tests_of(TreePlan(), names) == [0, 1, 2]
    assert columns.tests_of(TreePlan(columns=("town", "age")), names) == [0, 2]


def test_an_unknown_column_of_a_tree_is_refused() -> None:
    with pytest.raises(InputError, match="Did you mean 'town'"):
        columns.tests_of(TreePlan(columns=("towns",)), ["age", "town"])


def test_a_column_that_names_most_records_is_left_out() -> None:
    """Twenty records with eleven names; with ten it is a category like any other."""
    for names, kept in ((11, ["age"]), (10, ["age", "name"])):
        table = table_of(
            {
                "age": (number("age", 0, 99), list(range(20))),
                "name": (category("name", [f"n{i}" for i in range(names)]), [i % names for i in range(20)]),
                "y": (target("y", "ab"), [0, 1] * 10),
            }
        )
        found, warnings = columns.testable(table, PublishOptions())
        assert found == kept
        assert any("--identifier" in warning for warning in warnings) == (names == 11)


def test_declared_quasi_identifiers_beside_other_tests_are_warned_of() -> None:
    age = Attribute("age", "numeric", "quasi-identifier", low=0, high=9)
    table = people(age=(age, [1, 2, 3]))
    assert "--max-leaves" in columns.testable(table, PublishOptions())[1][-1]
    assert columns.testable(table, PublishOptions(max_leaves=5))[1] == ()

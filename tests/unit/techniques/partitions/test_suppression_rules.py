from __future__ import annotations

import numpy as np
import pytest

from hushwood.errors import InputError
from hushwood.tables.schema import Attribute, Schema
from hushwood.techniques.suppression import Rule, check_names, conditions, parsed_rules
from support.mixed_tables import category, number, target

SCHEMA = Schema(
    (
        number("age", 0, 120),
        number("price", 0, 9, 2),
        Attribute("born", "numeric", storage="Date", low=0, high=20_000, precision=0),
        Attribute("seen", "numeric", storage="Datetime[us]", low=0, high=1e9, precision=0),
        category("city", ("Mel", "New York: east", "Syd")),
        Attribute("name", "categorical", role="identifier"),
        target("income", ("<=50K", ">50K")),
    )
)


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("age >= 90", Rule("age", ">=", "90", ("age",))),
        ("age<18", Rule("age", "<", "18", ("age",))),
        ("city = Mel", Rule("city", "=", "Mel", ("city",))),
        ("age > 100 : price, age", Rule("age", ">", "100", ("price", "age"))),
        ("age > 100: price", Rule("age", ">", "100", ("price",))),
        ("age > 100 :*", Rule("age", ">", "100", ())),
        ("city != Syd : *", Rule("city", "!=", "Syd", ())),
        ("income = <=50K", Rule("income", "=", "<=50K", ("income",))),
        ("income==>50K : age", Rule("income", "==", ">50K", ("age",))),
        ('city = "New York: east" : age', Rule("city", "=", "New York: east", ("age",))),
        ('"a = b" = c : "d, e", f', Rule("a = b", "=", "c", ("d, e", "f"))),
        ("seen <= 2001-02-03T04:05:06", Rule("seen", "<=", "2001-02-03T04:05:06", ("seen",))),
        ("home town = Big Bay", Rule("home town", "=", "Big Bay", ("home town",))),
        ('city = ""', Rule("city", "=", "", ("city",))),
    ],
)
def test_rules_as_people_write_them(text: str, rule: Rule) -> None:
    assert parsed_rules([text]) == (rule,)


@pytest.mark.parametrize("text", ["", "age", "age 90", ">= 90", "age >=", 'city = "Mel', "age >= 90 : "])
def test_what_is_no_rule_is_refused(text: str) -> None:
    with pytest.raises(InputError, match=r"(cannot be read|no readable columns)"):
        parsed_rules([text])


@pytest.mark.parametrize("text", ["age > 9 : price,, age", 'age > 9 : "price', "age > 9 : ,"])
def test_lists_of_names_that_are_none_are_refused(text: str) -> None:
    with pytest.raises(InputError, match="no readable columns"):
        parsed_rules([text])


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("agge >= 90", "no column for a suppression rule 'agge'. Did you mean 'age'"),
        ("age >= 90 : prize", "no column for a suppression rule 'prize'. Did you mean 'price'"),
        ("age >= 90 : name", "no column for a suppression rule 'name'"),
        ("age >= old", "'age' holds numbers; 'old' in a rule is not one"),
        ("age >= nan", "'age' holds numbers; 'nan'"),
        ("born < 31.12.1990", "holds dates such as 1990-12-31; '31.12.1990'"),
        ("city = Mell", "no value of 'city' 'Mell'. Did you mean 'Mel'"),
        ("city > Mel", "no order; use = or != instead of >"),
    ],
)
def test_names_and_values_that_the_table_lacks_are_refused(text: str, said: str) -> None:
    with pytest.raises(InputError) as refused:
        check_names(parsed_rules([text]), SCHEMA)
    assert said in str(refused.value)


def test_an_error_lists_only_some_of_many_values() -> None:
    many = Schema((category("zip", [f"{code:05d}" for code in range(3000)]),))
    with pytest.raises(InputError) as refused:
        check_names(parsed_rules(["zip = 0012"]), many)
    assert len(str(refused.value)) < 400
    assert "Did you mean" in str(refused.value)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("age >= 90", [False, True, True, False]),
        ("age > 90", [False, False, True, False]),
        ("age <= 90", [True, True, False, False]),
        ("age < 90", [True, False, False, False]),
        ("age = 90", [False, True, False, False]),
        ("age != 90", [True, False, True, False]),
        ("price = 0.1", [True, False, False, False]),
        ("city = Syd", [False, True, False, False]),
        ("city != Syd", [True, False, False, True]),
        ("born < 1970-01-11", [True, False, False, True]),
        ("seen = 1970-01-01T00:01:00", [False, True, False, False]),
    ],
)
def test_conditions_of_numbers_categories_and_dates(text: str, wanted: list[bool]) -> None:
    """What is missing meets no condition."""
    columns = {
        "age": np.array([17.0, 90.0, 91.0, np.nan]),
        "price": np.array([0.1, 0.2, 0.3, np.nan]),
        "born": np.array([0.0, 10.0, 11.0, 9.0]),
        "seen": np.array([0.0, 60.0, 61.0, np.nan]),
        "city": np.array([0, 2, -1, 1], np.int32),
    }
    rules = parsed_rules([text])
    (condition,) = conditions(rules, SCHEMA, rules[0].column)
    assert condition.holds(columns).tolist() == wanted


def test_a_column_gets_the_conditions_that_blank_it() -> None:
    rules = parsed_rules(["age > 90", "city = Mel : price, income", "income = >50K : *"])
    for name, wanted in {"age": 2, "price": 2, "income": 2, "city": 1, "born": 1}.items():
        assert len(conditions(rules, SCHEMA, name)) == wanted, name

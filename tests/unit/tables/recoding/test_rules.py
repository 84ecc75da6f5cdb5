"""Rules of coarsening as people write them."""

from __future__ import annotations

import pytest

from hushwood.errors import InputError
from hushwood.tables.recoding.rules import file_and_level, parsed_rules


def test_both_spellings_are_read() -> None:
    first, second, third = parsed_rules(["age: 5, top 90,BOTTOM 10", "a: b : year", "zip:prefix 3"])
    assert (first.column, first.steps) == ("age", (("", "5"), ("top", "90"), ("bottom", "10")))
    assert (second.column, second.steps) == ("a: b", (("year", ""),))
    assert third.steps == (("prefix", "3"),)
    assert parsed_rules(["age=5, top 90, bottom 10", "a: b=year", "zip=3digits"]) == [first, second, third]


@pytest.mark.parametrize(
    ("text", "column", "step"),
    [
        ("age=5", "age", ("", "5")),
        ("income=0.5", "income", ("", "0.5")),
        ("zip=2digits", "zip", ("prefix", "2")),
        ("name=1 letter", "name", ("prefix", "1")),
        ("birth=quarter", "birth", ("quarter", "")),
        ("icd=chapter", "icd", ("chapter", "")),
        ("income=top 99%", "income", ("top", "99%")),
        ("city=data/cities.csv:2", "city", ("file", "data/cities.csv:2")),
        (r"city=C:\data\cities.csv:2", "city", ("file", r"C:\data\cities.csv:2")),
        ("a = b: 5", "a = b", ("", "5")),
        ("a=b=5", "a=b", ("", "5")),
        ("age=wide", "age", ("", "wide")),
    ],
)
def test_columns_and_what_becomes_of_them(text: str, column: str, step: tuple[str, str]) -> None:
    (rule,) = parsed_rules([text])
    assert (rule.column, rule.steps) == (column, (step,))
    assert parsed_rules([rule.text()]) == [rule]


@pytest.mark.parametrize("text", ["age", "age:", ": 5", "age: 5,", "", "age: ,top 5", "age=", "=5"])
def test_what_is_no_rule_is_refused(text: str) -> None:
    with pytest.raises(InputError, match="A rule of coarsening is COLUMN=HOW, such as"):
        parsed_rules([text])


def test_codes_may_be_given_apart() -> None:
    age, income = parsed_rules(["age=5"], ["income=99%", "age=90"], ["age=18"])
    assert age.steps == (("", "5"), ("top", "90"), ("bottom", "18"))
    assert income.text() == "income=top 99%"


def test_two_rules_for_one_thing_are_refused() -> None:
    with pytest.raises(InputError, match="Column 'age' has two rules of coarsening; put them in one"):
        parsed_rules(["age=5", "age: top 90"])
    with pytest.raises(InputError, match="Column 'age' has two top codes; keep one"):
        parsed_rules(["age=5, top 90"], ["age=95"])
    with pytest.raises(InputError, match="A bottom code is given as COLUMN=LIMIT, such as --bottom-code"):
        parsed_rules([], [], ["age"])


def test_what_is_left_of_values_may_settle_what_they_were() -> None:
    year, file, prefix = parsed_rules(["birth=year", "city=c.csv:1", "zip=3digits"])
    assert [rule.settles for rule in (year, file, prefix)] == [True, True, False]


def test_a_file_is_not_named_in_public() -> None:
    (rule,) = parsed_rules(["city=/home/ada/c.csv:1"])
    assert rule.says() == "level 1 of a hierarchy"
    assert file_and_level(rule.steps[0][1]) == ("/home/ada/c.csv", 1)

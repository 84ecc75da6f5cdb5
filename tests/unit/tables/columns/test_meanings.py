"""What columns mean, why, and which line of a schema changes it."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.errors import InputError
from hushwood.tables.columns.meanings import (
    Meaning,
    in_scale_order,
    meaning_of,
    number_reason,
    reason_of,
    sort_of,
    two_whole_numbers,
)
from hushwood.tables.schema import Attribute


def meant(values: Any, name: str = "a", **fields: Any) -> Meaning:
    return meaning_of(pl.Series(values), name, fields)


@pytest.mark.parametrize(
    ("values", "two"),
    [
        ([0, 1], (0, 1)),
        ([0.0, 1.0, None], (0, 1)),
        ([1, 2] * 10, (1, 2)),
        ([-1, 1] * 10, (-1, 1)),
        ([1, 2] * 9, None),  # too few to be sure
        ([0, 0, 0], None),
        ([0, 1, 2], None),
        ([0.5, 1.5] * 10, None),
        (["0", "1"], None),
        ([None, None], None),
    ],
)
def test_two_whole_numbers_are_a_flag(values: list[Any], two: tuple[int, int] | None) -> None:
    assert two_whole_numbers(pl.Series(values)) == two


@given(st.lists(st.integers(-5, 5), min_size=20, max_size=60))
def test_no_other_numbers_are_flags(values: list[int]) -> None:
    assert (two_whole_numbers(pl.Series(values)) is not None) == (len(set(values)) == 2)


def test_a_third_value_far_down_is_seen() -> None:
    assert two_whole_numbers(pl.Series([0, 1] * 5000 + [2])) is None


def test_a_declared_kind_wins() -> None:
    assert meant([0, 1], kind="numeric") == Meaning("numeric", "declared in the schema")
    assert meant([10115, 80331, 1067], "zip", kind="numeric").kind == "numeric"
    assert meant([3, 4, 5], kind="categorical") == Meaning(
        "categorical", "declared in the schema", ("3", "4", "5")
    )


@pytest.mark.parametrize("key", ["low", "high", "precision", "noise"])
def test_what_only_numbers_have_declares_numbers(key: str) -> None:
    assert meaning_of(pl.Series([0, 1]), "a", {key: 1}).kind == "numeric"


def test_codes_kept_as_numbers_need_a_name_and_a_width() -> None:
    found = meant([10115, 80331, 1067], "PLZ")
    assert (found.kind, found.hierarchy) == ("categorical", "prefix")
    assert found.categories == ("1067", "10115", "80331")
    assert meant([10115, 80331, 50667], "income").kind == "numeric"
    assert meant([1, 22, 33333], "zip").kind == "numeric"
    assert meant([30123456, 891234567], "Telefon").hierarchy == "prefix"
    assert meant([1, 2, 3], "account").kind == "numeric"


def test_an_enum_is_in_order_unless_its_order_means_nothing() -> None:
    column = pl.Series(["b", "a", "c"], dtype=pl.Enum(["c", "b", "a"]))
    assert meaning_of(column, "x") == Meaning(
        "categorical", "its data type has an order", ("c", "b", "a"), ordered=True
    )
    assert meaning_of(column, "x", order_given=False) == Meaning("categorical", "texts", ("c", "b", "a"))


def test_a_scale_that_was_given_keeps_its_direction() -> None:
    falling = pl.Series(["low", "high", "medium"], dtype=pl.Enum(["high", "medium", "low"]))
    assert meaning_of(falling, "x", order_given=False).categories == ("high", "medium", "low")
    assert meaning_of(falling, "x", order_given=False).ordered
    mixed = pl.Series(["low", "high", "medium"], dtype=pl.Enum(["high", "low", "medium"]))
    assert not meaning_of(mixed, "x", order_given=False).ordered


def test_an_order_can_be_declared_and_taken_back() -> None:
    found = meant(["b", "a", "c"], ordered=True, categories=("c", "a", "b"))
    assert (found.ordered, found.categories) == (True, ("c", "a", "b"))
    assert meant([3, 1, 2], kind="categorical", ordered=True).categories == ("1", "2", "3")
    assert not meant(["low", "medium", "high"], ordered=False).ordered
    assert meant(["low", "medium", "high"], ordered=False).categories == ("high", "low", "medium")
    with pytest.raises(InputError, match="declared as ordered, but not in which order"):
        meant(["b", "a", "c"], ordered=True)


def test_a_hierarchy_can_be_declared_and_taken_back() -> None:
    assert meant(["I10.9", "C50.4"], "icd").hierarchy == "icd-10"
    assert meant(["I10.9", "C50.4"], "icd", hierarchy="").hierarchy == ""
    assert meant(["ab", "cde"], hierarchy="prefix").hierarchy == "prefix"


@pytest.mark.parametrize(
    ("attribute", "why"),
    [
        (Attribute("x", "numeric", precision=0, low=1, high=9), "whole numbers"),
        (Attribute("x", "numeric", precision=0, low=1900, high=2000), "whole numbers where years lie"),
        (Attribute("x", "numeric", precision=1), "numbers with 1 decimal"),
        (Attribute("x", "numeric", storage="Datetime[us]", precision=0), "dates with a time"),
    ],
)
def test_reasons_of_numbers(attribute: Attribute, why: str) -> None:
    assert number_reason(attribute) == why


TWO, THREE = ("0", "1"), ("a", "b", "c")


@pytest.mark.parametrize(
    ("attribute", "sort", "line"),
    [
        (Attribute("a", "numeric", precision=0, low=0, high=9), "", 'kind = "categorical"'),
        (Attribute("a", "numeric", precision=0, low=1990, high=2020), "years", 'kind = "categorical"'),
        (Attribute("a", "numeric", storage="Date", precision=0), "dates", 'kind = "categorical"'),
        (Attribute("a", "numeric", storage="Time", precision=0), "times", 'kind = "categorical"'),
        (Attribute("a", "categorical", storage="Int64", categories=TWO), "flag", 'kind = "numeric"'),
        (Attribute("a", "categorical", storage="String", categories=THREE), "", "ordered = true"),
        (Attribute("a", "categorical", storage="String", categories=TWO), "", ""),
        (
            Attribute("a", "categorical", storage="String", categories=THREE, ordered=True),
            "ordered",
            "ordered = false",
        ),
        (
            Attribute("a", "categorical", storage="String", categories=THREE, hierarchy="icd-10"),
            "ICD-10",
            'hierarchy = "none"',
        ),
        (
            Attribute("a", "categorical", storage="Int64", categories=THREE, hierarchy="prefix"),
            "codes",
            'kind = "numeric"',
        ),
        (Attribute("a", "categorical", "class", "String", categories=THREE), "", 'role = "ordinary"'),
        (Attribute("a", "numeric", "identifier", "Int64"), "", 'role = "ordinary"'),
    ],
)
def test_every_sort_has_a_line_that_changes_it(attribute: Attribute, sort: str, line: str) -> None:
    assert sort_of(attribute) == sort
    assert reason_of(attribute).line == line


def test_a_column_that_identifies_people_is_proposed_for_dropping() -> None:
    found = reason_of(Attribute("a", "categorical", why="texts"), "free text")
    assert (found.why, found.line) == ("texts; looks like free text", 'role = "identifier"')


@pytest.mark.parametrize(
    "ascending",
    [
        ("Low", "Medium", "High"),
        ("sehr niedrig", "mittel", "hoch"),
        ("Strongly disagree", "Disagree", "Neither agree nor disagree", "Agree", "Strongly agree"),
        ("stimme gar nicht zu", "stimme eher nicht zu", "teils/teils", "stimme voll und ganz zu"),
        ("never", "sometimes", "VERY_OFTEN", "always"),
        ("XS", "S", "M", "L"),
    ],
)
def test_words_of_one_scale_are_put_in_order(ascending: tuple[str, ...]) -> None:
    assert in_scale_order(sorted(ascending)) == ascending
    assert in_scale_order(ascending[::-1]) == ascending


@pytest.mark.parametrize(
    "words",
    [
        ("low", "high"),  # two words may be anything
        ("low", "medium", "high", "don't know"),
        ("low", "good", "always"),
        ("medium", "moderate", "high"),  # two words for one place
        ("low", "LOW", "high"),
        (),
    ],
)
def test_anything_less_certain_has_no_order(words: tuple[str, ...]) -> None:
    assert in_scale_order(words) is None

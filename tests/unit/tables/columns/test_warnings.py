"""Doubts about columns, and the columns that raise none."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

from hushwood.tables.columns.inference import infer_schema
from hushwood.tables.columns.warnings import ColumnWarning, column_warnings
from hushwood.tables.schema import Attribute, Role


def doubts(values: Any, name: str = "a", role: Role = "ordinary") -> list[ColumnWarning]:
    column = pl.Series(name, values)
    attribute = infer_schema(column.to_frame(), roles={name: role})[0][name]
    return list(column_warnings(attribute, column))


def codes(values: Any, name: str = "a", role: Role = "ordinary") -> list[str]:
    return [doubt.code for doubt in doubts(values, name, role)]


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        (["a", "b"] * 20, []),
        ([f"{n}x" for n in range(40)], ["identifier"]),
        ([f"{n}x" for n in range(19)], []),
        (list(range(40)), ["identifier"]),
        ([*range(39), 1], []),
        ([n / 3 for n in range(40)], []),
        ([f"The patient said that nothing hurt on day {n}" for n in range(40)], ["free-text"]),
        (["x"] * 5, ["constant"]),
        ([1, 1, None], ["constant"]),
        ([None, None], ["all-missing"]),
        ([f"c{n // 2}" for n in range(40)], ["many-categories"]),
        ([f"c{n % 101}" for n in range(1000)], ["many-categories"]),
        ([*map(str, range(10)), "NA"], ["almost-numeric"]),
        (["1,5", "2", "1,5", "2"], ["decimal-comma"]),
    ],
)
def test_values_that_raise_doubts(values: list[Any], expected: list[str]) -> None:
    assert codes(values) == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("PatientID", ["identifier"]),
        ("Sample_code_number", ["identifier"]),
        ("key1", ["identifier"]),
        ("paid", []),
    ],
)
def test_whole_numbers_that_name_records(name: str, expected: list[str]) -> None:
    assert codes([*range(39), 1], name) == expected


@pytest.mark.parametrize(
    "name", ["name", "LastName", "SURNAME", "e-mail", "home_phone", "Address 2", "user.email", "SSN", "iban"]
)
def test_texts_called_like_people_are_doubted_unless_many_share_each(name: str) -> None:
    for values in (["x 12345"], ["x12345", "y34567", None], [f"word{n % 100} 12345" for n in range(300)]):
        assert codes(values, name) == ["identifier"]
    assert codes(["x", "y"] * 50, name) == []


@pytest.mark.parametrize("name", ["renamed", "tenement", "phoneme", "addressee", "females", "unnamed"])
def test_other_words_do_not_name_people(name: str) -> None:
    assert codes(["x", "y", "x"], name) == []


def test_a_role_that_drops_or_declares_a_column_ends_the_doubt() -> None:
    assert codes([1, 2, 1], "phone") == []
    assert codes([True, False], "phone") == []
    assert codes([None, None], "name") == ["all-missing"]
    assert codes(["x", "y"], "name", "class") == ["identifier"]
    assert codes(["x", "y"], "name", "identifier") == []
    assert codes(["x", "y"], "name", "quasi-identifier") == []
    assert codes(["x", "y"], "name", "ignored") == ["ignored", "identifier"]


def test_categories_that_nobody_has_do_not_make_records_different() -> None:
    dtype = pl.Enum([f"c{n}" for n in range(20)])
    assert "identifier" not in codes(pl.Series(["c0", "c1"] * 10, dtype=dtype))
    assert codes(pl.Series([f"c{n}" for n in range(20)], dtype=dtype)) == ["identifier"]


def test_a_class_is_not_doubted_for_its_many_values() -> None:
    assert codes([f"{n}x" for n in range(40)], role="class") == []


def test_sentences_name_the_column_and_the_way_out() -> None:
    missing = doubts([*map(str, range(10)), "NA"])[0]
    assert missing.sentence.startswith("Column 'a' contains numbers except for 'NA'")
    assert '--missing "NA"' in missing.sentence
    person = doubts(["x", "y"], "surname")[0]
    assert person == ColumnWarning(
        "surname",
        "identifier",
        "Column 'surname' looks like names of persons, judging by its name. Drop it from the release with "
        '--identifier surname, or say why it must stay with --keep surname="reason".',
        "names of persons",
    )


def test_numbers_read_as_texts_have_no_doubts_of_texts() -> None:
    attribute = Attribute("a", "numeric", storage="String", low=1.0, high=2.0, precision=0)
    assert list(column_warnings(attribute, pl.Series("a", ["1", "2"]))) == []


def test_codes_have_groups_of_their_own() -> None:
    codes = pl.Series("zip", [f"{10000 + 7 * n}" for n in range(150)] * 4)
    schema, found = infer_schema(codes.to_frame())
    assert schema["zip"].hierarchy == "prefix"
    assert [each.code for each in found] == ["many-categories"]
    assert "Group them with --coarsen zip=3digits, or" in found[0].sentence

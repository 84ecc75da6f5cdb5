"""Decisions about columns as a schema file."""

from __future__ import annotations

from typing import Any

import pytest

from hushwood.errors import InputError
from hushwood.tables.formats.schema_file import declarations
from hushwood.web.schemas import Decision, classes_in, kept_in, proposed, schema_text

DESCRIBED: dict[str, Any] = {
    "columns": [
        {"name": "name", "drop": True},
        {"name": "age", "drop": False},
        {"name": "note", "drop": True},
    ]
}


def test_columns_that_identify_people_are_proposed_for_dropping() -> None:
    assert proposed(DESCRIBED) == {"name": Decision(role="identifier"), "note": Decision(role="identifier")}


def test_the_file_is_read_as_it_was_meant() -> None:
    strange = 'a "b"\n\x7f\\ \u202e'
    decided = {
        strange: Decision(kind="categorical"),
        "age": Decision(role="quasi-identifier", low="0", high="120.5"),
        "born": Decision(low="1900-01-01"),
        "ill": Decision(role="class"),
        "rank": Decision(role="ordinary"),
    }
    read = declarations(schema_text("people.csv", decided), "file")

    assert read[strange] == {"kind": "categorical"}
    assert read["age"] == {"role": "quasi-identifier", "low": 0.0, "high": 120.5}
    assert read["born"]["low"] < 0
    assert "ill" not in read
    assert "rank" not in read
    assert classes_in(decided) == ["ill"]


def test_without_decisions_there_is_no_file() -> None:
    assert schema_text("people.csv", {"age": Decision(role="ordinary")}) == ""


def test_a_file_name_cannot_add_lines() -> None:
    text = schema_text('x.csv\n[[attribute]]\nname = "y"', {"age": Decision(role="ignored")})

    assert list(declarations(text, "file")) == ["age"]


@pytest.mark.parametrize("limit", ["x", "1\nrole = 'class'", "1e999", "2024-13", "'1'", "[1]", "nan"])
def test_limits_are_numbers_or_dates(limit: str) -> None:
    with pytest.raises(InputError, match="neither a number nor a date"):
        Decision(low=limit).checked()


def test_reasons_for_columns_that_stay() -> None:
    decided = {
        "name": Decision(role="ordinary", reason="a stage name"),
        "note": Decision(role="identifier", reason="forgotten"),
        "age": Decision(reason="no doubt about it"),
    }
    assert kept_in(decided, DESCRIBED) == {"name": "a stage name"}

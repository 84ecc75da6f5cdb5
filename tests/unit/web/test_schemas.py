"""Decisions about columns as a schema file."""

from __future__ import annotations

import os
import tomllib
from pathlib import Path
from typing import Any

import pytest

from hushwood.errors import InputError
from hushwood.tables.formats.schema_file import declarations
from hushwood.web.schemas import (
    Decision,
    classes_in,
    kept_in,
    nothing_decided,
    proposed,
    saved,
    saved_for,
    schema_text,
)

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
    assert read["ill"] == {"role": "class"}
    assert "rank" not in read
    assert classes_in(decided) == ["ill"]


KNOWN: dict[str, Any] = {
    "columns": [{"name": name} for name in ("name", "age", "ill", 'a "b"\n')],
    "kinds": ["numeric", "categorical"],
    "roles": ["class", "ordinary", "confidential", "identifier", "person"],
}


def test_a_saved_file_is_found_with_all_that_it_holds() -> None:
    decided = {
        "name": Decision(role="ordinary", reason='a "stage"\x07 name'),
        "age": Decision(kind="numeric", role="confidential", low="0", high="120.5"),
        'a "b"\n': Decision(role="person"),
        "ill": Decision(role="class", low="2024-01-01"),
    }
    text = schema_text("people.csv", decided)
    assert saved(text, KNOWN) == (decided, "")

    link = '[[link]]\nkind = "equal"\ncolumns = ["age", "ill"]\nkeep = false\n'
    others = 'precision = 2\ncategories = ["a", "b"]\nordered = true\nnoise = 0.5\n'
    found, links = saved(f'[[attribute]]\nname = "age"\nrole = "person"\n{others}\n{link}', KNOWN)
    again = schema_text("people.csv", found, links)
    assert tomllib.loads(again) == tomllib.loads(f'[[attribute]]\nname="age"\nrole="person"\n{others}{link}')
    assert saved(again, KNOWN) == (found, links)


@pytest.mark.parametrize(
    "text",
    [
        "mine",
        "attribute = 1",
        "[[attribute]]",
        '[[attribute]]\nname = "nothing"',
        '[[attribute]]\nname = "age"\nrole = "king"',
        '[[attribute]]\nname = "age"\nkind = 1',
        '[[attribute]]\nname = "age"\nlow = "0\\nrole = 1"',
        '[[attribute]]\nname = "age"\n"a b" = 1',
    ],
)
def test_a_file_that_does_not_fit_is_refused(text: str) -> None:
    with pytest.raises(InputError):
        saved(text, KNOWN)


def test_the_newest_of_our_files_is_found(tmp_path: Path) -> None:
    wanted = "people.schema.toml"
    assert saved_for(tmp_path, wanted, ()) == ""
    (tmp_path / wanted).write_text("mine")
    assert saved_for(tmp_path, wanted, ()) == wanted
    for time, number in ((2, 2), (1, 3)):
        path = tmp_path / f"people-{number}.schema.toml"
        path.write_text(nothing_decided("people.csv"))
        os.utime(path, (time, time))
    assert saved_for(tmp_path, wanted, ()) == "people-2.schema.toml"
    assert saved_for(tmp_path, wanted, ["people-2.schema.toml"]) == "people-3.schema.toml"


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

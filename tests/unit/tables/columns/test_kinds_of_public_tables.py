"""What the columns of the papers' tables are taken for, each and every one: no real number is mistaken for a code."""

from __future__ import annotations

import tomllib
from functools import cache
from typing import Any

import pytest

from hushwood.tables.columns.meanings import sort_of
from hushwood.tables.reading import read
from hushwood.tables.schema import Role
from support.real_data import data_folder

# Where a file does not say what the papers know: categories written as small numbers, and numbers with leading zeros.
OTHERWISE = {
    "cmc": {"wife_edu", "husband_edu", "husband_occupation", "standard_of_living_index"},
    "crx": {"A11", "A14"},
}
FLAGS = {"boston": {"CHAS"}, "cmc": {"wife_religion", "wife_working", "media_exposure"}}
CODES = {"crx": {"A14"}}
NAMES = ["adult", "wbc", "boston", "wine", "crx", "cmc", "abalone", "mushroom", "iris", "bupa"]


@cache
def described() -> dict[str, Any]:
    return tomllib.loads((data_folder() / "tables.toml").read_text("utf-8"))


@pytest.mark.parametrize("name", NAMES)
def test_every_column_is_taken_for_what_it_is(name: str) -> None:
    assert set(described()) == set(NAMES)
    about = described()[name]
    roles: dict[str, Role] = dict.fromkeys(about["identifiers"], "identifier")
    table = read(data_folder() / about["file"], target=about["class"], roles=roles).table
    papers = {
        **dict.fromkeys(about["numeric"], "numeric"),
        **dict.fromkeys(about["categorical"], "categorical"),
    }
    found = {a.name: a.kind for a in table.schema.inputs}
    assert set(found) == set(papers)
    assert {each for each in papers if found[each] != papers[each]} == OTHERWISE.get(name, set())
    sorts = {a.name: sort_of(a) for a in table.schema.inputs}
    assert {each for each, sort in sorts.items() if sort == "flag"} == FLAGS.get(name, set())
    assert {each for each, sort in sorts.items() if sort == "codes"} == CODES.get(name, set())
    assert set(sorts.values()) <= {"", "flag", "codes"}

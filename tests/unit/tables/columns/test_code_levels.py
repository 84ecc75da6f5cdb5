"""Groups of codes: postcodes by digits, ICD-10 by category and chapter."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.errors import InputError
from hushwood.tables.columns.code_levels import (
    ICD_CHAPTERS,
    ICD_LEVELS,
    UK_LEVELS,
    CodeKind,
    character_levels,
    digit_levels,
    grouped,
    prefix_levels,
)
from hushwood.tables.generalised.taxonomies import Taxonomy, check_taxonomy

ICD = CodeKind("ICD-10", "", ICD_LEVELS, 3)
ZIP = CodeKind("postcode", "", digit_levels(4), 5, padded=True)
UK = CodeKind("postcode", "", UK_LEVELS, 7)


def test_postcodes_by_their_first_digits_with_lost_zeros_put_back() -> None:
    codes = ["10115", "2139", "501"]
    assert grouped(ZIP, "1digit", codes) == ("1****", "0****", "0****")
    assert grouped(ZIP, "3digits", codes) == ("101**", "021**", "005**")


@pytest.mark.parametrize(
    ("code", "chapter"),
    [
        ("D48.9", "C00-D49 neoplasms"),
        ("D50", "D50-D90 blood and immune system"),
        ("H59.1", "H00-H59 eye"),
        ("H60", "H60-H95 ear"),
        ("T14.0", "S00-T98 injuries and poisoning"),
        ("w19", "V00-Y99 external causes"),
        ("U07.1", "U00-U99 special purposes"),
        ("unknown", "unknown"),
    ],
)
def test_chapters_of_icd(code: str, chapter: str) -> None:
    assert grouped(ICD, "chapter", [code]) == (chapter,)


def test_every_letter_of_icd_belongs_to_one_chapter() -> None:
    labels = {f"{low}-{high} {about}" for low, high, about in ICD_CHAPTERS}
    found = grouped(ICD, "chapter", [f"{a}{n:02}" for a in string.ascii_uppercase for n in range(100)])
    assert set(found) == labels


def test_categories_of_icd_are_marked_as_groups() -> None:
    assert grouped(ICD, "category", ["I10.91", "I10", "I1090"]) == ("I10.-",) * 3


def test_british_postcodes() -> None:
    assert grouped(UK, "area", ["SW1A 1AA", "M1 1AE"]) == ("SW", "M")
    assert grouped(UK, "district", ["SW1A 1AA", "M11AE"]) == ("SW1A", "M1")


@pytest.mark.parametrize("asked", ["2digits", "2digit", "2", " 2 digits "])
def test_levels_are_found_by_several_names(asked: str) -> None:
    assert ZIP.level(asked).name == "2digits"


def test_an_unknown_level_is_refused_with_those_that_exist() -> None:
    with pytest.raises(InputError, match="1digit, 2digits, 3digits, 4digits"):
        ZIP.level("7digits")


@given(
    st.lists(st.from_regex(r"[A-Z]\d[0-9A-B](\.\d{1,2})?|[a-z]{3}", fullmatch=True), min_size=1, unique=True)
)
def test_paths_of_icd_make_a_taxonomy(codes: list[str]) -> None:
    check_taxonomy(Taxonomy("icd", prefix_levels(ICD, codes)))


@given(st.sets(st.integers(100, 99_999).map(str), min_size=1))
def test_paths_of_postcodes_make_a_taxonomy(codes: set[str]) -> None:
    paths = prefix_levels(ZIP, codes)
    check_taxonomy(Taxonomy("zip", paths))
    assert all(len(set(path[1:])) == 4 for path in paths.values())


@given(st.sets(st.from_regex(r"[A-Z]\d\d[A-Z]", fullmatch=True), min_size=1))
def test_paths_of_other_codes_make_a_taxonomy(codes: set[str]) -> None:
    check_taxonomy(Taxonomy("code", prefix_levels(CodeKind("code", "", character_levels((1, 3)), 4), codes)))

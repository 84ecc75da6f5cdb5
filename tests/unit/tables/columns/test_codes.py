"""Which columns hold codes, and which only look so."""

from __future__ import annotations

import string
import tomllib
from typing import Any

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.errors import InputError
from hushwood.tables.columns.codes import (
    ICD_LEVELS,
    UK_LEVELS,
    CodeKind,
    character_levels,
    code_kind,
    codes_in,
    digit_levels,
    grouped,
    icd_chapters,
    prefix_levels,
)
from hushwood.tables.formats.files import read_frame
from hushwood.tables.recoding.taxonomies import Taxonomy, check_taxonomy
from hushwood.tables.schema import Attribute
from support.real_data import data_folder


def found(name: str, values: list[Any]) -> tuple[str, str] | None:
    kind = code_kind(pl.Series(name, values))
    return None if kind is None else (kind.scheme, kind.why)


@pytest.mark.parametrize(
    ("name", "values", "scheme", "why"),
    [
        ("zip", [10115, 80331, None], "postcode", "five digits each, named 'zip'"),
        ("ZIP Code", [2139, 80331, 501], "postcode", "five digits at most, named 'ZIP Code'"),
        ("PLZ", ["01067", "10115", "80331"], "postcode", "five digits, named 'PLZ'"),
        ("ort", ["01067", "10115", "80331"], "code", "all five digits, some with a leading zero"),
        (
            "postcode",
            ["SW1A 1AA", "M1 1AE"],
            "postcode",
            "letters and digits as in the United Kingdom, named 'postcode'",
        ),
        ("icd", ["I10", "E11"], "ICD-10", "a letter, two digits and more, as in ICD-10, named 'icd'"),
        ("x", ["I10.9", "E11.2", "C34"], "ICD-10", "a letter, two digits and more, as in ICD-10"),
        ("ISCO-08", [2512, 9111], "code", "four digits each, named 'ISCO-08'"),
        ("drug", ["N02BE01", "A10BA02"], "ATC", "seven signs as in the ATC codes of drugs"),
        ("room", ["A101", "B205", "C300"], "code", "letters and digits, each in its place, four signs"),
    ],
)
def test_codes(name: str, values: list[Any], scheme: str, why: str) -> None:
    assert found(name, values) == (scheme, why)


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("income", [10_115, 80_331]),
        ("zip", [10_115.5, 80_331.0]),
        ("zip", [0, 1, 2]),
        ("code", [1, 22, 333]),
        ("year", ["1999", "2001"]),
        ("age band", ["18-24", "25-34"]),
        ("city", ["Rome", "Paris"]),
        ("icd", ["I10"]),
        ("postcode", [None, None]),
        ("seen", ["12.03.2020", "13.04.2021"]),
        ("name", ["Anna Maria", "Karl Heinz"]),
    ],
)
def test_no_codes(name: str, values: list[Any]) -> None:
    assert found(name, values) is None


def test_no_number_of_the_papers_tables_is_a_code() -> None:
    folder = data_folder()
    tables = tomllib.loads((folder / "tables.toml").read_text())
    for table in tables.values():
        frame = read_frame(folder / table["file"])
        assert not [column.name for column in frame if column.dtype.is_numeric() and code_kind(column)]


def test_a_declared_hierarchy_is_enough() -> None:
    """Codes that no pattern would find."""
    codes = Attribute("x", "categorical", categories=("A1", "B22"), hierarchy="prefix")
    found = codes_in(codes)
    assert found is not None
    assert found.level_names == ("1character", "2characters")
    whole = codes_in(Attribute("x", "categorical", categories=("1", "220"), hierarchy="prefix"))
    assert whole is not None
    assert whole.level_names == ("1digit", "2digits")
    for hierarchy, level in (("icd-10", "chapter"), ("uk-postcode", "area")):
        named = codes_in(Attribute("x", "categorical", categories=("A1", "B22"), hierarchy=hierarchy))
        assert named is not None
        assert named.level_names[0] == level
        assert named.hierarchy == hierarchy
    assert codes_in(Attribute("x", "categorical", categories=("A1", "B22"))) is None


def test_contact_data_are_codes_by_their_first_signs() -> None:
    phones = code_kind(pl.Series("x", ["030/1234567", "089/7654321", "0341/123456"]))
    assert phones is not None
    assert (phones.scheme, phones.level_names[0]) == ("phone", "2characters")
    accounts = code_kind(pl.Series("x", ["DE02120300000000202051", "DE02500105170137075030"]))
    assert accounts is not None
    assert accounts.scheme == "account"
    numbers = code_kind(pl.Series("Kontonummer", [532013000, 137075030]))
    assert numbers is not None
    assert code_kind(pl.Series("account balance", [532013000, 137075030])) is None


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
    labels = {f"{low}-{high} {about}" for low, high, about in icd_chapters()}
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

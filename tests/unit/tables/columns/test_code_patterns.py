"""Which columns hold codes, and which only look so."""

from __future__ import annotations

import tomllib
from typing import Any

import polars as pl
import pytest

from hushwood.tables.columns.code_patterns import code_kind, codes_in
from hushwood.tables.formats.files import read_frame
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

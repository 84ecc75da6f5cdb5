"""Schemas as TOML files."""

from __future__ import annotations

import tomllib
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hushwood.errors import InputError
from hushwood.tables.formats.schema_file import (
    declarations,
    read_schema_file,
    schema_from_toml,
    schema_to_toml,
    write_schema_file,
)
from hushwood.tables.formats.toml_text import list_text, quoted
from hushwood.tables.schema import Attribute, Role, Schema

NAMES = st.text(min_size=1, max_size=12)
NUMBERS = st.floats(-1e12, 1e12, allow_nan=False) | st.integers(-(10**9), 10**9).map(float)
STORAGES = [
    "Int64",
    "Float64",
    "Date",
    "Datetime[us]",
    "Datetime[us, Europe/Berlin]",
    "Time",
    "Decimal[10, 2]",
]
ROLES: list[Role] = ["ordinary", "confidential", "quasi-identifier"]


@st.composite
def numeric(draw: st.DrawFn) -> Attribute:
    low, high = sorted([draw(NUMBERS), draw(NUMBERS)])
    role, storage = draw(st.sampled_from(ROLES)), draw(st.sampled_from(STORAGES))
    precision, noise = draw(st.none() | st.integers(0, 22)), draw(st.none() | st.floats(0, 100))
    return Attribute(draw(NAMES), "numeric", role, storage, low, high, precision, noise=noise)


@st.composite
def categorical(draw: st.DrawFn) -> Attribute:
    categories = tuple(draw(st.lists(st.text(max_size=30), max_size=8, unique=True)))
    bins = tuple(sorted(draw(st.sets(NUMBERS, max_size=3))))
    return Attribute(draw(NAMES), "categorical", "ordinary", "String", categories=categories, bins=bins)


@given(st.lists(numeric() | categorical(), max_size=5, unique_by=lambda attribute: attribute.name))
def test_schemas_come_back_equal(attributes: list[Attribute]) -> None:
    schema = Schema(tuple(attributes))
    assert schema_from_toml(schema_to_toml(schema)) == schema


def test_files_come_back_equal(tmp_path: Path) -> None:
    schema = Schema((Attribute("a b", "numeric", "class", "Date", low=0.0, high=365.0, precision=0),))
    write_schema_file(schema, tmp_path / "s.toml")
    fields = read_schema_file(tmp_path / "s.toml")["a b"]
    assert fields == {
        "kind": "numeric",
        "role": "class",
        "storage": "Date",
        "low": 0.0,
        "high": 365.0,
        "precision": 0,
        "response": "number",
    }


def test_dates_are_written_as_dates() -> None:
    day = Attribute("day", "numeric", storage="Date", low=-1.0, high=365.0, precision=0)
    moment = Attribute("at", "numeric", storage="Datetime[us]", low=0.5, high=1.0, precision=1)
    text = schema_to_toml(Schema((day, moment)))
    assert tomllib.loads(text)["attribute"][0]["high"] == date(1971, 1, 1)
    assert "low = 1969-12-31\n" in text
    assert "low = 1970-01-01T00:00:00.500000\n" in text


def test_long_lists_are_wrapped() -> None:
    categories = tuple(f"category {number}" for number in range(50))
    text = schema_to_toml(Schema((Attribute("c", "categorical", categories=categories),)))
    assert max(map(len, text.splitlines())) < 120
    assert schema_from_toml(text)["c"].categories == categories


def test_keys_left_out_are_not_declared() -> None:
    text = (
        '[[attribute]]\nname = "a"\nrole = "ignored"\n[[attribute]]\nname = "b"\nprecision = "continuous"\n'
    )
    assert declarations(text, "s.toml") == {"a": {"role": "ignored"}, "b": {"precision": None}}
    with pytest.raises(InputError, match="column 'a' has no kind"):
        schema_from_toml(text)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[[attribute]\n", "is not a TOML file"),
        ("format = 1\n", "not 'format'"),
        ("attribute = 1\n", "not 'attribute'"),
        ("attribute = [1]\n", "needs a name"),
        ('[[attribute]]\nkind = "numeric"\n', "needs a name"),
        ('[[attribute]]\nname = "a"\nnoise = -1\n', "-1 is not allowed. Use a share from 0 to 100."),
        ('[[attribute]]\nname = "a"\nnoise = "much"\n', "noise: 'much' is not allowed"),
        ('[[attribute]]\nname = "a"\n[[attribute]]\nname = "a"\n', "'a' is described twice"),
        ('[[attribute]]\nname = "a"\nrol = "class"\n', "Did you mean 'role'"),
        ('[[attribute]]\nname = "a"\nrole = "boss"\n', "column 'a', role: 'boss'"),
        ('[[attribute]]\nname = "a"\nkind = ["x"]\n', "column 'a', kind"),
        ('[[attribute]]\nname = "a"\nlow = "x"\n', "column 'a', low"),
        ('[[attribute]]\nname = "a"\nlow = inf\n', "column 'a', low"),
        ('[[attribute]]\nname = "a"\nlow = 2\nhigh = 1\n', "low is above high"),
        ('[[attribute]]\nname = "a"\nprecision = -1\n', "column 'a', precision"),
        ('[[attribute]]\nname = "a"\nprecision = 23\n', "precision: 23 is not allowed. Use 0 to 22"),
        ('[[attribute]]\nname = "a"\nprecision = true\n', "column 'a', precision"),
        ('[[attribute]]\nname = "a"\ncategories = ["x", "x"]\n', "column 'a', categories"),
        ('[[attribute]]\nname = "a"\ncategories = [1]\n', "column 'a', categories"),
        ('[[attribute]]\nname = "a"\nbins = [2, 1]\n', "column 'a', bins"),
        (f"[[attribute]]\nlow = {'9' * 5_000}\n", "is not a TOML file"),
        (f'[[attribute]]\nname = "a"\nlow = 1{"0" * 400}\n', "column 'a', low"),
        (f"a = {'[' * 20_000}", "is not a TOML file"),
    ],
)
def test_mistakes_are_named(text: str, words: str) -> None:
    with pytest.raises(InputError) as caught:
        declarations(text, "my.toml")
    assert words in str(caught.value)
    assert "my.toml" in str(caught.value)


def test_files_that_cannot_be_used(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read"):
        read_schema_file(tmp_path / "none.toml")
    (tmp_path / "latin.toml").write_bytes(b"# \xff\n")
    with pytest.raises(InputError, match="UTF-8"):
        read_schema_file(tmp_path / "latin.toml")
    with pytest.raises(InputError, match="could not be written"):
        write_schema_file(Schema(()), tmp_path / "no" / "s.toml")


def test_order_and_hierarchy_come_back_even_where_they_are_denied() -> None:
    scale, codes = ("low", "medium", "high"), ("10115", "80331")
    schema = Schema(
        (
            Attribute("a", "categorical", storage="String", categories=scale, ordered=True),
            Attribute("b", "categorical", storage="String", categories=scale),
            Attribute("zip", "categorical", storage="String", categories=codes, hierarchy="prefix"),
            Attribute("plz", "categorical", storage="String", categories=codes),
        )
    )
    text = schema_to_toml(schema)
    assert schema_from_toml(text) == schema
    found = declarations(text, "s")
    assert [found[name].get("ordered") for name in "ab"] == [True, False]
    assert [found[name]["hierarchy"] for name in ("zip", "plz")] == ["prefix", ""]


@pytest.mark.parametrize(
    ("line", "says"),
    [("ordered = 1", "true or false"), ('hierarchy = "icd"', "prefix, icd-10, uk-postcode, none")],
)
def test_wrong_orders_and_hierarchies(line: str, says: str) -> None:
    with pytest.raises(InputError, match=says):
        declarations(f'[[attribute]]\nname = "a"\n{line}\n', "s.toml")


def test_comments_stand_above_their_column() -> None:
    text = schema_to_toml(Schema((Attribute("a", "numeric"),)), {"a": ["why", "how"]})
    assert "\n# why\n# how\n[[attribute]]\n" in text


@given(texts=st.lists(st.text()))
def test_any_texts_come_back(texts: list[str]) -> None:
    assert tomllib.loads(f"a = {list_text([quoted(text) for text in texts])}") == {"a": texts}

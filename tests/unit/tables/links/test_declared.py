"""Links that are declared must fit the columns, and turn off what is found."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from hushwood.errors import InputError
from hushwood.tables.formats.schema_file import schema_from_toml, schema_to_toml
from hushwood.tables.links.declared import DeclaredLinks, check_links, without_loose
from hushwood.tables.links.links import Combinations, Condition, Determines, Link, Order, Sum
from hushwood.tables.long.table import read_long
from hushwood.tables.reading import read
from support.hospital import LINKS, hospital
from support.linked_tables import LINKED_TABLES

SCHEMA = read(
    pl.DataFrame({"sex": ["f", "m", "f"], "job": ["a", "b", None], "low": [1, 2, 3], "high": [2, 3, 5]}),
    roles={"job": "confidential"},
).table.schema


@pytest.mark.parametrize(
    ("link", "said"),
    [
        (Order(("low", "hihg")), "no column 'hihg'.*high"),
        (Order(("low", "sex")), "column 'sex' is categorical"),
        (Sum("low", ("sex",)), "column 'sex' is categorical"),
        (Combinations(("sex", "low")), "column 'low' is numeric"),
        (Condition("low", ("1",), "sex", ("f",)), "column 'low' is numeric"),
        (Condition("sex", ("f",), "low", ("1",)), "can only have to be missing. Use allowed = \\[\\]"),
        (Condition("sex", ("male",), "job", ("a",)), "no category of 'sex' 'male'"),
        (Condition("sex", ("m",), "job", ("c",)), "no category of 'job' 'c'"),
    ],
)
def test_a_link_must_fit_its_columns(link: Link, said: str) -> None:
    with pytest.raises(InputError, match=f"my.toml, link of kind '{type(link).__name__.lower()}': .*{said}"):
        check_links(DeclaredLinks((link,)), SCHEMA, "my.toml")


def test_links_that_fit() -> None:
    fine: tuple[Link, ...] = (
        Order(("low", "high")),
        Determines("sex", ("low",)),
        Condition("sex", ("f",), "low", (None,)),
        Condition("job", (None,), "sex", ("f",)),
    )
    check_links(DeclaredLinks(fine, (Order(("high", "low")),)), SCHEMA, "my.toml")


def test_what_is_loose_is_taken_out() -> None:
    found: tuple[Link, ...] = (
        Determines("city", ("county", "state")),
        Condition("sex", ("m",), "pregnant", ("no",)),
        Order(("low", "high")),
        Sum("pay", ("net", "tax")),
    )
    loose = (Determines("city", ("state",)), Condition("sex", ("any",), "pregnant", ("any",)), found[3])
    assert without_loose(found, loose) == (Determines("city", ("county",)), found[2])
    assert without_loose(found[:1], (Determines("city", ("state", "county")),)) == ()


FRAME = hospital(60)


@pytest.mark.parametrize("name", LINKED_TABLES)
def test_links_come_back_from_a_schema_file(name: str) -> None:
    linked = LINKED_TABLES[name]()
    schema = read(linked.frame, target=linked.target).table.schema
    half = len(linked.links) // 2
    declared = replace(schema, links=linked.links[half:], unlinked=linked.links[:half])
    again = schema_from_toml(schema_to_toml(declared))
    assert (again.links, again.unlinked) == (declared.links, declared.unlinked)


def test_every_reader_knows_declared_links(tmp_path: Path) -> None:
    schema = replace(read(FRAME).table.schema, links=LINKS, unlinked=(Order(("drugs", "ward")),))
    path, table = tmp_path / "s.toml", tmp_path / "t.parquet"
    path.write_text(schema_to_toml(schema), encoding="utf-8")
    FRAME.write_parquet(table)
    tables = [
        read(FRAME, schema=schema).table.schema,
        read(FRAME, schema=path).table.schema,
        read(read(FRAME, schema=path).table, target="back").table.schema,
        read_long(table, tmp_path, {"schema": path}).table.schema,
    ]
    assert {(one.links, one.unlinked) for one in tables} == {(LINKS, (Order(("drugs", "ward")),))}


def test_a_condition_is_turned_off_by_its_columns_alone(tmp_path: Path) -> None:
    path = tmp_path / "s.toml"
    path.write_text('[[link]]\nkind = "condition"\nwhen = "sex"\ncolumn = "pregnant"\nkeep = false\n')
    found = read(FRAME, schema=path).table.schema
    assert found.links == ()
    assert found.unlinked == (Condition("sex", ("any",), "pregnant", ("any",)),)
    assert schema_from_toml(schema_to_toml(found)).unlinked == found.unlinked


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("link = 3", "links are written as \\[\\[link\\]\\]"),
        (
            '[[link]]\nkind = "order"\ncolumns = ["admitted", "gone"]',
            "s.toml, link of kind 'order': .*'gone'",
        ),
        ('[[link]]\nkind = "order"\ncolumns = ["admitted", "sex"]', "column 'sex' is categorical"),
        ('[[link]]\nkind = "order"\ncolumns = ["a", "b"]\nkeep = "no"', "Use true or false"),
        ('[[link]]\ncolumns = ["a", "b"]', "needs a kind"),
    ],
)
def test_mistakes_are_named(text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / "s.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match=said):
        read(FRAME, schema=path)

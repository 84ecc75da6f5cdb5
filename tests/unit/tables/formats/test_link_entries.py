"""[[link]] entries of schema files: written as they are read, and turned off by keep = false."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from hushwood.errors import InputError
from hushwood.tables.formats.schema_file import schema_from_toml, schema_to_toml
from hushwood.tables.links.links import Condition, Order
from hushwood.tables.long.table import read_long
from hushwood.tables.reading import read
from support.hospital import LINKS, hospital
from support.linked_tables import LINKED_TABLES

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

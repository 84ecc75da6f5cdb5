"""Free columns and the way back: unchanged ones give the table again, and changed ones keep every link."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from hushwood.random_streams import Streams
from hushwood.tables.frames.storage import frame_from_table
from hushwood.tables.links.linked_columns import LinkedColumns
from hushwood.tables.links.numbers import AllowedValues, StreamRows
from hushwood.tables.links.seen import see
from hushwood.tables.links.structure import structure_of
from hushwood.tables.reading import read_table
from hushwood.tables.table import Table
from oracles.links import broken
from support import linked_tables
from support.linked_tables import Linked

TABLES = [
    "cities", "areas", "grades", "wares", "stays", "rents", "wages", "cases", "patients", "workers", "claims",
]  # fmt: skip
each_table = pytest.mark.parametrize("name", TABLES)


def linked(name: str) -> tuple[Linked, Table, LinkedColumns]:
    given: Linked = getattr(linked_tables, name)()
    table = read_table(given.frame, target=given.target)
    table = replace(table, schema=replace(table.schema, links=given.links))
    structure = structure_of(table.schema)
    halves = [{n: v[part] for n, v in table.columns.items()} for part in (slice(0, 300), slice(300, None))]
    seen = see(table.schema, structure, halves, table.columns)
    return given, table, LinkedColumns.of(table.schema, structure, seen)


def place(table: Table, *, anywhere: bool = False) -> StreamRows:
    return StreamRows(Streams(bytes(32)), range(table.rows), anywhere)


@each_table
def test_what_is_not_changed_comes_back(name: str) -> None:
    _, table, columns = linked(name)
    assert columns.any and not columns.structure.lost
    free = columns.free_table(table)
    assert set(free.columns) == {a.name for a in columns.free.kept}
    back = columns.decoded(table.columns, free.columns, AllowedValues(), place(table))
    for own, values in table.columns.items():
        np.testing.assert_allclose(back[own], values, atol=1e-9, err_msg=own)


@each_table
def test_free_columns_may_be_shuffled_in_any_way(name: str) -> None:
    given, table, columns = linked(name)
    free, chance = columns.free_table(table), np.random.default_rng(3)
    new = {n: v[chance.permutation(table.rows)] for n, v in free.columns.items()}
    back = columns.decoded(table.columns, new, AllowedValues(), place(table, anywhere=True))
    assert any(not np.array_equal(back[n], v, equal_nan=True) for n, v in table.columns.items())
    rows = frame_from_table(table.with_columns(back)).to_dicts()
    for link in given.links:
        assert broken(link, rows, frame_from_table(table).to_dicts()) == 0, link


def test_gaps_are_filled_as_often_as_values_were_known() -> None:
    _, table, columns = linked("patients")
    free, chance = columns.free_table(table), np.random.default_rng(3)
    new = {n: v[chance.permutation(table.rows)] for n, v in free.columns.items()}
    back = columns.decoded(table.columns, new, AllowedValues(), place(table, anywhere=True))
    known = [np.mean(~np.isnan(values["cigarettes"])) for values in (table.columns, back)]
    assert abs(known[0] - known[1]) < 0.05


def test_a_free_column_never_takes_the_name_of_another() -> None:
    given: Linked = linked_tables.cities()
    table = read_table(given.frame.rename({"age": "city & state"}), target=given.target)
    table = replace(table, schema=replace(table.schema, links=given.links))
    structure = structure_of(table.schema)
    columns = LinkedColumns.of(
        table.schema, structure, see(table.schema, structure, [table.columns], table.columns)
    )
    assert "city & state'" in columns.free.names and "city & state" in columns.free.names


def test_the_sources_of_free_columns() -> None:
    _, _, columns = linked("claims")
    assert set(columns.sources(["branch & region", "age"])) == {"branch", "region", "age"}
    assert set(columns.stand_ins("cost")) == {"fee", "paid"}
    assert columns.says("cost") == "Computed again as the sum of fee and paid."

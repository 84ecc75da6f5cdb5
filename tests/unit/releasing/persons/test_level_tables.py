from __future__ import annotations

import polars as pl

from hushwood.releasing.options import PerturbOptions
from hushwood.releasing.persons.levels import (
    HIDDEN,
    by_level,
    for_level,
    growing_table,
    level_tables,
    links_across,
    said_of_level,
)
from hushwood.releasing.recipes import make_plan
from hushwood.tables.links.links import Combinations, Order
from hushwood.tables.persons.units import levels_of
from hushwood.tables.reading import read
from hushwood.tables.schema import Schema
from support.visits import CONSTANT, PERSON, VARYING, table_of_visits


def test_every_level_has_its_own_columns_and_those_above() -> None:
    table = table_of_visits()
    levels = levels_of(table)
    people, rows = level_tables(table, levels, hidden=False)
    assert people.own == CONSTANT
    assert rows.own == VARYING
    assert rows.above() == CONSTANT
    assert people.table.columns["sex"].tolist() == table.columns["sex"][levels[0].units.first].tolist()
    assert rows.table.columns["sex"].tolist() == table.columns["sex"].tolist()


def test_hidden_columns_say_what_the_rows_of_a_person_have_in_common() -> None:
    table = table_of_visits()
    people, rows = level_tables(table, levels_of(table), hidden=True)
    assert {name for name in people.own if HIDDEN in name} == {
        f"{HIDDEN}below 0",
        f"{HIDDEN}0 pressure",
        f"{HIDDEN}0 ward",
    }
    assert rows.own == VARYING
    counts = [
        int(people.table.schema[f"{HIDDEN}below 0"].categories[c])
        for c in people.table.columns[f"{HIDDEN}below 0"]
    ]
    assert counts == people.level.units.rows.tolist()


def test_trees_see_the_most_frequent_class_of_a_person() -> None:
    frame = pl.DataFrame({"patient": list("aaab"), "age": [40, 40, 40, 50], "ill": ["y", "n", "y", "n"]})
    table = table_of_visits(frame)
    growing = growing_table(table, levels_of(table)[0])
    assert growing.schema.names == ("age", "ill")
    assert [growing.schema["ill"].categories[code] for code in growing.columns["ill"]] == ["y", "n"]


def test_steps_are_those_of_the_level() -> None:
    table = table_of_visits()
    plan = make_plan(PerturbOptions(k=20), table.schema, 120)
    people, rows = level_tables(table, levels_of(table), hidden=True)
    own = for_level(plan, people.own, 1)
    (said,) = said_of_level(own, people, plan)
    assert said.attributes == CONSTANT
    assert said.per == "patient"
    assert "Each 'patient' counts as one record" in said.says_for(table.schema["age"])
    assert said.promise_for(table.schema["sex"]).per == "patient"
    (below,) = said_of_level(for_level(plan, rows.own, 3), rows, plan)
    assert (below.attributes, below.per) == (VARYING, "")
    assert getattr(below.technique, "k", None) == 20


def test_an_order_across_levels_is_kept_in_its_parts_within_one() -> None:
    levels = levels_of(table_of_visits())
    across, other = Order(("pressure", "ward", "age", "ill", "sex")), Combinations(("age", "ward"))
    assert by_level((across, other, Order(("age", "sex"))), levels) == (
        Order(("age", "ill", "sex")),
        Order(("pressure", "ward")),
        Order(("ward", "age")),
        other,
        Order(("age", "sex")),
    )


def test_links_between_levels_are_named() -> None:
    table = table_of_visits()
    schema = Schema(table.schema.attributes, links=(Order(("age", "pressure")), Order(("pressure",))))
    assert links_across(schema, levels_of(table)) == [("age", "pressure")]


def test_trees_see_the_mean_weight_of_a_person() -> None:
    frame = pl.DataFrame(
        {"patient": list("aab"), "age": [40, 40, 50], "w": [1.0, 3.0, 5.0], "ill": list("yyn")}
    )
    table = read(frame, target="ill", roles=PERSON, weight="w").table
    growing = growing_table(table, levels_of(table)[0])
    assert growing.weights is not None
    assert growing.weights.tolist() == [2.0, 5.0]
